// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridge

// How a waiter waits for a time: with a `TimerEntry` in its slot.

extension Timers {
    /// So little that it is over when the wait has begun, perhaps.
    private static var short: Duration { .microseconds(1) }

    /// Enlists a waiter, which has begun to wait; its slot has room for a `TimerEntry`.
    ///
    /// - Complexity: O(log *n*).
    package func add(_ waiter: WaiterReference, after duration: Duration) {
        self.add(waiter, after: duration, at: self.now + duration)
    }

    /// The same, with a deadline that was computed before.
    func add(_ waiter: WaiterReference, after duration: Duration, at deadline: Duration) {
        let entry = waiter.makeTimerEntry()
        // Cheaper than a timer, whose thread would be woken at once.
        if duration < Self.short, self.now >= deadline {
            let wait = entry.wait
            if wait.claim() { wait.wake() }
        } else {
            self.add(entry, at: deadline)
        }
    }

    /// Takes a waiter out, if it is there.
    ///
    /// - Complexity: O(log *n*).
    package func remove(_ waiter: WaiterReference) { self.remove(waiter.timerEntry) }

    /// Waits, in a task.
    ///
    /// - Throws: `CancellationError`.
    package nonisolated(nonsending) func sleep(for duration: Duration) async throws {
        let deadline = self.now + duration
        if duration < Self.short {
            // So that a loop of short waits lets other code run.
            await Task.yield()
            if CurrentTask.isCancelled { throw CancellationError() }
            if self.now >= deadline { return }
        }
        let taskWaiter = TaskWaiter<TimerEntry>()
        defer { taskWaiter.free() }
        guard taskWaiter.waiter.parker.begin() else { throw CancellationError() }
        self.add(taskWaiter.waiter, after: duration, at: deadline)
        await taskWaiter.parker.suspend(endsWhenCancelled: true)
        if taskWaiter.waiter.outcome == .done { return }
        self.remove(taskWaiter.waiter)
        throw CancellationError()
    }
}

extension WaiterReference {
    /// Writes an entry into the slot.
    ///
    /// Safe: the slot of a waiter for a time has room for it, and it is of a trivial type.
    fileprivate func makeTimerEntry() -> TimerEntryReference {
        let wait = unsafe TimedWait(
            UnsafeMutableRawPointer(self.address),
            wakesOthersCode: self.parker.resumesOthersCode,
            claim: { address in
                let waiter = unsafe WaiterReference(address.assumingMemoryBound(to: Waiter.self))
                guard waiter.parker.claim() else { return false }
                waiter.outcome = .done
                return true
            },
            wake: { address in
                // Between its claim and its wake a waiter is alive; after that it may not be.
                unsafe WaiterReference(address.assumingMemoryBound(to: Waiter.self)).parker.wake()
            }
        )
        self.fill(with: TimerEntry(wait))
        return self.timerEntry
    }

    /// The entry in the slot.
    ///
    /// Safe: `makeTimerEntry` put it there.
    fileprivate var timerEntry: TimerEntryReference {
        guard let slot = unsafe self.address.pointee.slot else { preconditionFailure("BUG: a waiter without room") }
        return unsafe TimerEntryReference(slot.assumingMemoryBound(to: TimerEntry.self))
    }
}
