// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// State behind a lock on which tasks can wait.
///
/// `Monitor` is the same for threads.
package final class Watched<State: Sendable>: Sendable {
    struct Waiter {
        let id: UInt64
        let isSatisfied: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    struct Storage {
        var state: State
        var waiters: [Waiter] = []
        var nextID: UInt64 = 0
    }

    private let storage: Mutex<Storage>

    package init(_ state: State) { self.storage = Mutex(Storage(state: state)) }

    /// A copy of the state.
    package var value: State { self.storage.withLock { $0.state } }

    /// Changes the state, under the lock, then wakes the waiters for that change.
    @discardableResult
    package func update<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, satisfied) = self.storage.withLock { storage in
            let result = body(&storage.state)
            if storage.waiters.isEmpty { return (result, [CheckedContinuation<Bool, Never>]()) }
            let satisfied = storage.waiters.filter { $0.isSatisfied(storage.state) }
            storage.waiters.removeAll { $0.isSatisfied(storage.state) }
            return (result, satisfied.map(\.continuation))
        }
        for continuation in satisfied { continuation.resume(returning: true) }
        return result
    }

    /// Waits until the state is as wanted.
    package func wait(until isSatisfied: @escaping @Sendable (State) -> Bool) async throws(CancellationError) {
        let id = self.makeID()
        let came = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.register(Waiter(id: id, isSatisfied: isSatisfied, continuation: continuation)) {
                    // Race: the handler below ran before there was a waiter. The flag was set before it ran.
                    Task.isCancelled
                }
            }
        } onCancel: {
            // Resumes nothing but this very task.
            self.giveUp(id)
        }
        guard came else { throw CancellationError() }
    }

    /// Waits until the state is as wanted, even in a cancelled task, but not longer than `patience`.
    ///
    /// The time is looked after by a thread of this package: the bridge under test may block those of Swift's pool, and
    /// then `Task.sleep` has no end.
    ///
    /// - Returns: Whether it held in time.
    package func wait(patience: Duration, until isSatisfied: @escaping @Sendable (State) -> Bool) async -> Bool {
        if isSatisfied(self.value) { return true }
        let id = self.makeID()
        var timer: TimedAction?
        let came = await withCheckedContinuation { continuation in
            self.register(Waiter(id: id, isSatisfied: isSatisfied, continuation: continuation)) { false }
            // Not before there is a waiter: a timer that came too early would find none to give up.
            timer = TimedAction(after: patience, on: .continuous, runsOthersCode: false) { self.giveUp(id) }
        }
        timer?.cancel()
        return came
    }

    /// Waits until the state is as wanted, even in a cancelled task.
    package func waitUncancelled(until isSatisfied: @escaping @Sendable (State) -> Bool) async {
        let id = self.makeID()
        _ = await withCheckedContinuation { continuation in
            self.register(Waiter(id: id, isSatisfied: isSatisfied, continuation: continuation)) { false }
        }
    }

    private func makeID() -> UInt64 {
        self.storage.withLock { storage in
            storage.nextID += 1
            return storage.nextID
        }
    }

    private func register(_ waiter: Waiter, unless isOver: () -> Bool) {
        let answer: Bool? = self.storage.withLock { storage in
            if waiter.isSatisfied(storage.state) { return true }
            if isOver() { return false }
            storage.waiters.append(waiter)
            return nil
        }
        if let answer { waiter.continuation.resume(returning: answer) }
    }

    private func giveUp(_ id: UInt64) {
        let waiter: Waiter? = self.storage.withLock { storage in
            guard let index = storage.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return storage.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: false)
    }
}
