// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What a future does for the branches of a selection.

extension AnyCoFuture {
    /// Answers a branch that waits for the result.
    ///
    /// The waiter's slot holds the address of the ``FutureWaiters``, which live as long as the future, or 0 if there is
    /// a result.
    @usableFromInline
    final func answer(_ operation: SelectOperation, _ waiter: WaiterReference?) -> SelectAnswer {
        guard let waiter else { return .no }
        switch operation {
        case .prepare:
            let waiters = self.waiters()
            unsafe waiter.fill(with: waiters.map { unsafe Unmanaged.passUnretained($0) })
            return waiters.map { .address(of: $0) } ?? .no
        case .lock: waiter.futureWaiters?.state.lock()
        case .unlock: waiter.futureWaiters?.state.unlock()
        case .attempt:
            guard let waiters = waiter.futureWaiters else { return .yes }
            return waiters.state.whileLocked { $0.isOver } ? .yes : .no
        case .enlist: waiter.futureWaiters?.state.whileLocked { $0.enterBegun(waiter) }
        case .withdraw:
            if waiter.outcome == .done { return .yes }
            waiter.futureWaiters?.withdraw(waiter)
        case .begin, .settle, .start, .discard, .abandon, .finish: break
        }
        return .no
    }
}

extension WaiterReference {
    /// The place where a selection waits for a future.
    ///
    /// Safe: filled in by `answer`, above.
    fileprivate var futureWaiters: FutureWaiters? {
        guard let slot = unsafe self.address.pointee.slot else { preconditionFailure("BUG: a waiter without room") }
        return unsafe slot.load(as: Unmanaged<FutureWaiters>?.self)?.takeUnretainedValue()
    }
}
