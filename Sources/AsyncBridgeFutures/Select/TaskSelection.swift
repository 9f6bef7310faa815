// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// One call of `select` that waits, in a task: its memory, and its outcome.
///
/// The branches are in an array that must not be pointed to across an `await`, so each step gets their current address.
///
/// Safe: used by one call of `select`, which ends with ``finish(_:_:)`` or ``discard(_:)``, once.
@safe @usableFromInline
package struct TaskSelection {
    @usableFromInline let parker: TaskParker
    private let memory: UnsafeMutableRawPointer
    // What has happened without a wait.
    private var happened: Int?
    @usableFromInline private(set) var isEnlisted = false

    /// Makes a branch happen, or enlists the task for all of them.
    @usableFromInline
    init(_ branches: SelectBranches, biased: Bool) {
        let (bytes, alignment) = SelectSlab.size(for: branches)
        self.parker = TaskParker()
        unsafe self.memory = .allocate(byteCount: bytes, alignment: alignment)
        let parker = ParkerReference(self.parker)
        let slab = unsafe SelectSlab(in: self.memory, for: branches, parker)
        switch Selection(branches: branches, slab: slab).enter(parker, biased: biased) {
        case .happened(let index): self.happened = index
        case .enlisted: self.isEnlisted = true
        case .cancelled: break
        }
    }

    private func selection(_ branches: SelectBranches) -> Selection {
        unsafe Selection(branches: branches, slab: SelectSlab(memory: self.memory, count: branches.count))
    }

    /// The wait is over.
    @usableFromInline
    mutating func leave(_ branches: SelectBranches) {
        self.happened = self.selection(branches).leave()
        self.isEnlisted = false
    }

    /// Runs the branch that has happened, and frees the memory.
    ///
    /// - Throws: What the branch throws; `CancellationError` if none has happened.
    @usableFromInline
    package func finish(_ branches: SelectBranches, _ output: SelectOutput) throws {
        let selection = self.selection(branches)
        defer { self.free(selection) }
        guard let happened = self.happened else {
            branches.abandon()
            throw CancellationError()
        }
        _ = try branches.run(happened, selection.slab.waiter(happened), output)
    }

    /// Disposes of the outcome, which is no longer needed, and frees the memory.
    @usableFromInline
    package func discard(_ branches: SelectBranches) {
        let selection = self.selection(branches)
        if let happened = self.happened { _ = branches[happened].operate(.discard, selection.slab.waiter(happened)) }
        branches.abandon(but: self.happened)
        self.free(selection)
    }

    private func free(_ selection: Selection) {
        selection.finish()
        unsafe self.memory.deallocate()
    }
}
