// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoFuture {
    // Disfavored, as `value(cancellation:fileID:line:)`.

    /// Waits, in async code, until there is a result or the wait times out.
    ///
    /// ## Cancellation
    /// Ends the wait at once, and leaves the future alone: ``WaitPolicy/abandon``.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait, in the clock's own type of duration.
    ///   - clock: The clock that measures it.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The value.
    /// - Throws: ``CoFutureError/timeout`` (the work continues); the future's error; `CancellationError` if the future
    ///   or the task was cancelled. An existing result is returned in a cancelled task too.
    /// - Complexity: O(log *n*) in the number of waits with a timeout.
    @inlinable
    @_disfavoredOverload
    public final nonisolated(nonsending) func value<C: Clock>(
        timeout: C.Duration,
        clock: C = .continuous,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        if let result = self.result { return try result.get() }
        return try await select(
            .value(of: self) { $0 },
            .after(timeout, clock: clock) { throw CoFutureError.timeout },
            biased: true,
            fileID: fileID,
            line: line
        )
    }
}
