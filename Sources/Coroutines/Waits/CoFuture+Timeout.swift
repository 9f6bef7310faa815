// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Dispatch

extension CoFuture {
    /// Waits, in a coroutine, until there is a result or the wait times out.
    ///
    /// ## Cancellation
    /// Ends the wait at once, and leaves the future alone.
    ///
    /// ## Isolation
    /// The coroutine continues where it was: in its task, on its actor, or on its scheduler.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait, in the clock's own type of duration.
    ///   - clock: The clock that measures it.
    /// - Returns: The value.
    /// - Throws: ``CoFutureError/timeout`` (the work continues); the future's error; `CancellationError` if the future
    ///   or the coroutine was cancelled; ``CoroutineError/outsideCoroutine``, unless there is a result.
    /// - Complexity: O(log *n*) in the number of waits with a timeout; see ``SelectBranch/after(_:clock:then:)``.
    @available(*, noasync, message: "Use `select(.value(of:), .after(_:))` in async code")
    @inlinable
    public final func await<C: Clock>(timeout: C.Duration, clock: C = .continuous) throws -> Value {
        if let result = self.result { return try result.get() }
        return try select(
            .value(of: self) { $0 },
            .after(timeout, clock: clock) { throw CoFutureError.timeout },
            biased: true
        )
    }

    /// Waits, in a coroutine, until there is a result or the wait times out.
    ///
    /// For Dispatch's intervals; see ``await(timeout:clock:)``.
    ///
    /// - Parameter timeout: How long to wait; `.never` waits forever.
    /// - Returns: The value.
    /// - Throws: As the form with a clock.
    @available(*, noasync, message: "Use `select(.value(of:), .after(_:))` in async code")
    @_disfavoredOverload
    public final func await(timeout: DispatchTimeInterval) throws -> Value {
        guard let duration = Duration(timeout) else { return try self.await() }
        return try self.await(timeout: duration, clock: .continuous)
    }
}

extension Duration {
    /// - Returns: Nothing for `.never`.
    init?(_ interval: DispatchTimeInterval) {
        switch interval {
        case .seconds(let count): self = .seconds(count)
        case .milliseconds(let count): self = .milliseconds(count)
        case .microseconds(let count): self = .microseconds(count)
        case .nanoseconds(let count): self = .nanoseconds(count)
        case .never: return nil
        @unknown default: return nil
        }
    }
}
