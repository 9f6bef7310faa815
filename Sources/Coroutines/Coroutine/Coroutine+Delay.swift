// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension Coroutine {
    /// Waits for a duration.
    ///
    /// ## Cancellation
    /// Ends the delay at once.
    ///
    /// ## Isolation
    /// The same task and actor afterwards, or the same scheduler; perhaps another thread.
    ///
    /// - Parameters:
    ///   - duration: How long, in the clock's own type of duration: `.seconds(1)` for Swift's clocks. Zero or a
    ///     negative duration is not an error. More than a hundred years counts as a hundred years.
    ///   - clock: The clock that measures it.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: `CancellationError`; ``CoroutineError/outsideCoroutine``.
    /// - Complexity: O(log *n*) in the number of timed waits on the same clock. `ContinuousClock` and `SuspendingClock`
    ///   have shared timers, which need no thread of Swift's pool, nor of Dispatch's; for another clock each delay
    ///   starts a task that sleeps.
    @available(*, noasync, message: "Write `try await Task.sleep(for:)` in async code")
    public static func delay<C: Clock>(
        _ duration: C.Duration,
        clock: C = .continuous,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        let site = CallSite(fileID: fileID, line: line)
        let coroutine = try RunningCoroutine.toSuspend(for: .delay, at: site)
        coroutine.note(.delay, at: site)
        let duration = BridgeTimeout.limited(duration)
        if let timers = Timers.of(clock), let duration = duration as? Duration {
            return try coroutine.wait(for: duration, on: timers)
        }
        try coroutine.perform { try await Task.sleep(for: duration, clock: clock) }
    }
}

extension RunningCoroutine {
    /// Waits, in its task if it has one.
    fileprivate func wait(for duration: Duration, on timers: Timers) throws {
        guard let parker = self.parker else {
            return try self.perform { try await timers.sleep(for: duration) }
        }
        let isDone = unsafe withUnsafeTemporaryAllocation(of: TimerEntry.self, capacity: 1) { room in
            // Safe: both lie in this frame, which the coroutine does not leave while it waits.
            var waiter = unsafe Waiter(parker, slot: room.baseAddress)
            return unsafe withUnsafeMutablePointer(to: &waiter) { address in
                let waiter = unsafe WaiterReference(address)
                guard parker.begin() else { return false }
                timers.add(waiter, after: duration)
                self.park()
                if waiter.outcome == .done { return true }
                timers.remove(waiter)
                return false
            }
        }
        guard isDone else { throw CancellationError() }
        try self.checkUnwinding()
    }
}
