// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import AsyncBridge
public import NIOCore

extension EventLoopFuture where Value: Sendable {
    /// Waits, in async code, until there is a result.
    ///
    /// ```swift
    /// let reply = try await connection.send(request).value()
    /// ```
    ///
    /// NIO's `get()` ignores cancellation: a cancelled task keeps waiting.
    ///
    /// ## Cancellation
    /// Depends on the policy. A waiter that stops leaves a small callback in the future until the future has a result.
    ///
    /// ## Isolation
    /// The caller's actor, before and after. On the future's own event loop, a future that has its result does not
    /// suspend the caller.
    ///
    /// - Parameters:
    ///   - policy: What cancelling the task does.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The value.
    /// - Throws: The future's error; `CancellationError` if the wait was cancelled; `EventLoopError.shutdown` if the
    ///   loop was shut down before, or is shut down first: see ``coFuture(onCancel:)``. On the future's own event loop,
    ///   an existing result is returned in a cancelled task too.
    /// - Complexity: O(1).
    @inlinable
    public nonisolated(nonsending) func value(
        cancellation policy: EventLoopWaitPolicy = .abandon,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        // Not `withCallback`: in a cancelled task, too, an existing result is returned.
        typealias Exchange = CallbackExchange<Value, any Error>
        let (answered, answerers, place) = Exchange.begin(fileID, line, nil, { self.whenComplete($0) })
        if let answered { return try answered.take().get() }
        let answer = await Exchange.finish(answerers, policy.mode, nil) {
            policy.cancel()
        }
        place?.leave()
        return try answer.untyped()
    }

    /// Resumes a callback with the result, or with `EventLoopError.shutdown`.
    ///
    /// - Returns: The wait's place at the loop, to be given up after the wait, if this is the loop and it will tell.
    @inlinable
    func whenComplete(_ callback: Callback<Value, any Error>) -> LoopPlace? {
        let action = { @Sendable () -> Void in callback.resume(throwing: EventLoopError.shutdown) }
        if self.eventLoop.inEventLoop {
            self.whenComplete { if callback.isWaiting { callback.resume(with: $0) } }
            // A future with a result costs nothing more.
            guard callback.isWaiting else { return nil }
            if let place = LoopPlace.at(self.eventLoop, for: LoopEndAction(action)) { return place }
        }
        self.whenComplete(orShutDown: LoopEndAction(action)) { result in
            if callback.isWaiting { callback.resume(with: result) }
        }
        return nil
    }
}
#endif
