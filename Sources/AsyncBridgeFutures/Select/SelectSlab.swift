// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// All that a selection needs to wait, in one block of memory: a waiter for each branch, the order of the locks, and
/// room for the values that are handed over.
///
/// Safe: used by the selection, which frees the memory when it is no longer enlisted anywhere.
@safe
struct SelectSlab {
    /// A queue that is to be locked.
    struct Lock {
        /// Its address, or 0 for none.
        var address: UInt = 0
        /// The number of a branch that waits there.
        var branch: UInt32
        /// Unrelated to the lock: the branch that is asked n-th.
        var pick: UInt32
    }

    let memory: UnsafeMutableRawPointer
    let count: Int

    /// How much memory the branches need.
    static func size(for branches: SelectBranches) -> (bytes: Int, alignment: Int) {
        var (bytes, alignment) = (self.slotsOffset(branches.count), 16)
        for index in branches.indices {
            let (size, slotAlignment) = branches.slot(index)
            bytes = bytes.rounded(upTo: slotAlignment) + size
            alignment = max(alignment, slotAlignment)
        }
        return (bytes, alignment)
    }

    /// The slab that was made in this memory before.
    init(memory: UnsafeMutableRawPointer, count: Int) {
        unsafe self.memory = memory
        self.count = count
    }

    /// - Parameters:
    ///   - memory: As much as `size` says, aligned as it says.
    ///   - branches: The branches.
    ///   - parker: The parker that waits.
    init(in memory: UnsafeMutableRawPointer, for branches: SelectBranches, _ parker: ParkerReference) {
        unsafe self.memory = memory
        self.count = branches.count
        var offset = Self.slotsOffset(branches.count)
        for index in branches.indices {
            let (size, alignment) = branches.slot(index)
            offset = offset.rounded(upTo: alignment)
            unsafe self.waiters.advanced(by: index).initialize(to: unsafe Waiter(parker, slot: memory + offset))
            let number = UInt32(truncatingIfNeeded: index)
            unsafe self.locks.advanced(by: index).initialize(to: Lock(branch: number, pick: number))
            offset += size
        }
    }

    private static func locksOffset(_ count: Int) -> Int { unsafe count * MemoryLayout<Waiter>.stride }

    private static func slotsOffset(_ count: Int) -> Int {
        self.locksOffset(count) + count * MemoryLayout<Lock>.stride
    }

    private var waiters: UnsafeMutablePointer<Waiter> { unsafe self.memory.assumingMemoryBound(to: Waiter.self) }

    private var locks: UnsafeMutablePointer<Lock> {
        unsafe (self.memory + Self.locksOffset(self.count)).assumingMemoryBound(to: Lock.self)
    }

    func waiter(_ index: Int) -> WaiterReference { unsafe WaiterReference(self.waiters + index) }

    func lock(_ index: Int) -> Lock { unsafe self.locks[index] }

    func setAddress(_ address: UInt, ofLock index: Int) { unsafe self.locks[index].address = address }

    /// The number of the next branch that has not been asked yet.
    func pick(_ step: Int, _ generator: inout SelectMixer) -> Int {
        let other = step + generator.next(below: self.count - step)
        let picked = unsafe self.locks[other].pick
        unsafe self.locks[other].pick = self.locks[step].pick
        unsafe self.locks[step].pick = picked
        return Int(picked)
    }

    /// Puts the locks in the order of their addresses: by a heap sort, as Go does, which needs no memory.
    func sortLocks() {
        if (1..<max(self.count, 1)).allSatisfy({ unsafe self.locks[$0 - 1].address <= self.locks[$0].address }) {
            return
        }
        for start in stride(from: self.count / 2 - 1, through: 0, by: -1) { self.sift(start, below: self.count) }
        for end in stride(from: self.count - 1, to: 0, by: -1) {
            self.swapLocks(0, end)
            self.sift(0, below: end)
        }
    }

    private func sift(_ start: Int, below end: Int) {
        var parent = start
        while true {
            var child = 2 * parent + 1
            if child >= end { return }
            if child + 1 < end, unsafe self.locks[child].address < self.locks[child + 1].address { child += 1 }
            if unsafe self.locks[parent].address >= self.locks[child].address { return }
            self.swapLocks(parent, child)
            parent = child
        }
    }

    // The picks stay: they are in the order of the steps.
    private func swapLocks(_ left: Int, _ right: Int) {
        let (address, branch) = unsafe (self.locks[left].address, self.locks[left].branch)
        unsafe self.locks[left].address = self.locks[right].address
        unsafe self.locks[left].branch = self.locks[right].branch
        unsafe self.locks[right].address = address
        unsafe self.locks[right].branch = branch
    }
}

extension Int {
    fileprivate func rounded(upTo alignment: Int) -> Int { (self + alignment - 1) & ~(alignment - 1) }
}
