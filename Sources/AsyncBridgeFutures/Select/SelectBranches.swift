// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The branches of one call of `select`.
///
/// Safe: they lie in an array that lives as long as the call.
@safe @usableFromInline
package struct SelectBranches {
    private let buffer: UnsafeBufferPointer<AnySelectBranch>

    @usableFromInline
    init(_ buffer: UnsafeBufferPointer<AnySelectBranch>) {
        guard !buffer.isEmpty else {
            fatalError("A 'select' without branches would wait forever. Pass at least one.")
        }
        unsafe self.buffer = unsafe buffer
    }

    var count: Int { unsafe self.buffer.count }
    var indices: Range<Int> { 0..<self.count }

    @inline(__always)
    subscript(index: Int) -> BranchReference {
        guard let first = unsafe self.buffer.baseAddress else { preconditionFailure("BUG: no branches") }
        return unsafe BranchReference(first + index)
    }

    @inline(__always)
    func slot(_ index: Int) -> (size: Int, alignment: Int) {
        let branch = unsafe self[index].address
        return unsafe (Int(branch.pointee.slotSize), Int(branch.pointee.slotAlignment))
    }

    /// Makes the branches this selection's: one that carries an element ends the process if it was used before.
    ///
    /// Called once, before everything else.
    @usableFromInline
    package func begin() {
        for branch in self.indices where self[branch].traits.contains(.carries) { _ = self[branch].operate(.begin) }
    }

    /// Runs a branch.
    ///
    /// - Parameters:
    ///   - index: The branch.
    ///   - waiter: Its waiter, if it has happened.
    ///   - output: Gets what its closure returns.
    /// - Returns: Whether it has happened.
    /// - Throws: What its closure throws; the error of what it waits for, and then no branch has happened.
    @inline(__always)
    func run(_ index: Int, _ waiter: WaiterReference?, _ output: SelectOutput) throws -> Bool {
        do {
            return try self[index].run(waiter, output)
        } catch let failure as SelectSourceFailure {
            self.abandon(but: index)
            throw failure.error
        }
    }

    // MARK: Without waiting

    /// Begins the selection, and runs a branch that can happen without a wait, or the default.
    ///
    /// - Returns: Whether one has happened.
    @usableFromInline
    package func happensNow(biased: Bool, _ output: SelectOutput) throws -> Bool {
        self.begin()
        if biased || self.count == 1 {
            for index in self.indices where try self.happensNow(index, output) { return true }
        } else if try self.happensNowInAnyOrder(output) {
            return true
        }
        guard let fallback = self.indices.first(where: { self[$0].traits.contains(.isDefault) }) else { return false }
        return try self.run(fallback, nil, output)
    }

    private func happensNow(_ index: Int, _ output: SelectOutput) throws -> Bool {
        try !self[index].traits.contains(.isDefault) && self.run(index, nil, output)
    }

    private func happensNowInAnyOrder(_ output: SelectOutput) throws -> Bool {
        var generator = SelectMixer()
        return unsafe try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: self.count) { numbers in
            for index in self.indices { unsafe numbers[index] = UInt32(truncatingIfNeeded: index) }
            for step in self.indices {
                unsafe numbers.swapAt(step, step + generator.next(below: self.count - step))
                if try self.happensNow(Int(unsafe numbers[step]), output) { return true }
            }
            return false
        }
    }

    // MARK: The end

    /// The selection does not begin: its task or coroutine is cancelled.
    @usableFromInline
    package func refuse() {
        self.begin()
        self.abandon()
    }

    /// The selection has ended without a branch.
    ///
    /// - Parameter index: A branch that did happen, and was discarded.
    @usableFromInline
    package func abandon(but index: Int? = nil) {
        for branch in self.indices where branch != index && self[branch].traits.contains(.carries) {
            _ = self[branch].operate(.abandon)
        }
    }
}
