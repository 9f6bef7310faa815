// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

// A wait with a timeout is a selection between the permit and the time. So one claim of the waiter decides: either the
// permit is handed over, or the wait has timed out, and the permit goes to the next in the line.

extension SemaphoreStorage {
    /// The branches of a wait with a timeout, for a selection that prefers the first.
    ///
    /// The second throws `BridgeFault` with the code `timedOut`.
    package func branches<C: Clock>(timeout: C.Duration, clock: C) -> [SelectBranch<Void>] {
        let made = self.made
        return [
            SelectBranch(permitOf: self),
            .after(timeout, clock: clock) { throw BridgeFault(.timedOut, made: made) },
        ]
    }

    package nonisolated(nonsending) func acquire<C: Clock>(timeout: C.Duration, clock: C) async throws {
        if self.tryAcquire() { return }
        try Task.checkCancellation()
        let branches = self.branches(timeout: timeout, clock: clock)
        try await self.acquire(by: branches)
    }

    /// Waits, in a task, for the first branch that happens.
    package nonisolated(nonsending) func acquire(by branches: [SelectBranch<Void>]) async throws {
        var result: Void?
        if try withBranches(branches, &result, { try $0.happensNow(biased: true, $1) }) { return }
        let selection = await waitForBranch(branches, biased: true, as: self.name, at: self.made)
        try withBranches(branches, &result) { try selection.finish($0, $1) }
    }

    /// Answers a branch that waits for a permit.
    func answer(_ operation: SelectOperation, _ waiter: WaiterReference?) -> SelectAnswer {
        guard let waiter else { return .no }
        switch operation {
        case .prepare: return .address(of: self)
        case .lock: self.machine.lock()
        case .unlock: self.machine.unlock()
        case .attempt: return self.attempt()
        case .enlist: self.machine.whileLocked { $0.enterBegun(waiter) }
        case .withdraw:
            if waiter.outcome == .done { return .yes }
            self.machine.withLock { $0.leave(waiter) }
        case .discard: self.release()
        case .begin, .settle, .start, .abandon, .finish: break
        }
        return .no
    }

    /// Takes a permit if there is one; the caller holds the lock.
    private func attempt() -> SelectAnswer {
        switch self.machine.whileLocked({ $0.acquire(orEnlist: nil) }) {
        case .proceed: .yes
        case .refuse: .no
        case .suspend, .cancelled: preconditionFailure("BUG: a waiter was enlisted without a wait")
        }
    }
}

// The closures of a branch capture nothing: see `AnySelectBranch`.

extension SelectBranch<Void> {
    /// Takes a permit.
    fileprivate init(permitOf semaphore: SemaphoreStorage) {
        self.init(
            AnySelectBranch(
                at: semaphore,
                .erasing(PlainHandler<Void> {}),
                slot: Void.self,
                operate: { $1.selectable(as: SemaphoreStorage.self).answer($0, $2) },
                run: { branch, waiter, output in
                    // With a waiter it has the permit already.
                    guard waiter != nil || branch.selectable(as: SemaphoreStorage.self).tryAcquire() else {
                        return false
                    }
                    output.store(())
                    return true
                }
            )
        )
    }
}
