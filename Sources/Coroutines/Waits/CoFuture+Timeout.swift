// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

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
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The value.
    /// - Throws: ``CoFutureError/timeout`` (the work continues); the future's error; `CancellationError` if the future
    ///   or the coroutine was cancelled; ``CoroutineError/outsideCoroutine``, unless there is a result.
    /// - Complexity: O(log *n*) in the number of waits with a timeout; see ``SelectBranch/after(_:clock:then:)``.
    @available(*, noasync, message: "Write `try await future.value(timeout:)` in async code")
    @inlinable
    public final func await<C: Clock>(
        timeout: C.Duration,
        clock: C = .continuous,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Value {
        if let result = self.result { return try result.get() }
        return try select(
            .value(of: self) { $0 },
            .after(timeout, clock: clock) { throw CoFutureError.timeout },
            biased: true,
            fileID: fileID,
            line: line
        )
    }
}
