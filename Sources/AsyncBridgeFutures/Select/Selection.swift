// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// One call of `select` that waits.
///
/// The algorithm is that of Go's runtime (`selectgo`): all queues are locked at once, always in the same order. So
/// either a branch happens, or the waiter is enlisted everywhere, and no other thread sees it in one queue and not in
/// another. The first thread to claim the parker decides which branch it is.
struct Selection {
    let branches: SelectBranches
    let slab: SelectSlab

    /// The outcome of the attempt to wait.
    enum Entry {
        case happened(Int)
        case enlisted
        case cancelled
    }

    // Never inlined, like `leave`: the coroutine waits between them.

    /// Makes a branch happen, or enlists a waiter in all of them.
    @inline(never)
    func enter(_ parker: ParkerReference, biased: Bool) -> Entry {
        for index in self.branches.indices {
            self.slab.setAddress(self.branches[index].operate(.prepare, self.slab.waiter(index)).word, ofLock: index)
        }
        self.slab.sortLocks()
        self.forEachPlace(.lock)
        let (happened, answer) = self.attempt(biased: biased)
        let mayWait = happened == nil && parker.begin()
        if mayWait { for index in self.branches.indices { self.operate(.enlist, index) } }
        self.forEachPlace(.unlock)

        if let happened {
            answer.parker?.wake()
            if answer == .yesAndReplaced { self.operate(.settle, happened) }
            return .happened(happened)
        }
        guard mayWait else { return .cancelled }
        // The parker may be claimed already: then these waiters are never claimed, and are withdrawn with the rest.
        for index in self.branches.indices where self.branches[index].traits.contains(.starts) {
            self.operate(.start, index)
        }
        return .enlisted
    }

    /// The wait is over.
    ///
    /// - Returns: What has happened; nothing if the wait was cancelled.
    @inline(never)
    func leave() -> Int? {
        var happened: Int?
        for index in self.branches.indices
        where self.branches[index].operate(.withdraw, self.slab.waiter(index)) != .no {
            happened = index
        }
        return happened
    }

    /// Ends what the branches started for the wait.
    func finish() {
        for index in self.branches.indices where self.branches[index].traits.contains(.finishes) {
            self.operate(.finish, index)
        }
    }

    @inline(__always)
    private func operate(_ operation: SelectOperation, _ index: Int) {
        _ = self.branches[index].operate(operation, self.slab.waiter(index))
    }

    /// Locks or unlocks each queue once.
    private func forEachPlace(_ operation: SelectOperation) {
        // Entries without a lock come first: they have the address 0.
        var previous: UInt = 0
        for index in self.branches.indices {
            let lock = self.slab.lock(index)
            if lock.address == previous { continue }
            previous = lock.address
            self.operate(operation, Int(lock.branch))
        }
    }

    private func attempt(biased: Bool) -> (happened: Int?, SelectAnswer) {
        var generator = SelectMixer()
        for step in self.branches.indices {
            let index = biased ? step : self.slab.pick(step, &generator)
            let answer = self.branches[index].operate(.attempt, self.slab.waiter(index))
            if answer != .no { return (index, answer) }
        }
        return (nil, .no)
    }
}
