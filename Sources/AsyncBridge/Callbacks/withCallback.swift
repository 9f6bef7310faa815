// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Calls an API that answers through a callback, and waits for the answer.
///
/// ```swift
/// let quote = try await withCallback { callback in
///     client.fetchQuote(id: id, completion: callback.handler())
/// }
/// ```
///
/// Where the API returns something to cancel with, use the form that takes an `onCancel:` closure. For an API that
/// calls back many times, use ``CallbackSequence``.
///
/// ## Exactly one answer
/// The first one wins; see ``Callback``. If it comes before `start` returns, the function does not suspend.
///
/// ## Cancellation
/// In a task that is cancelled already, `start` does not run, unless `startsWhenCancelled` says so. Later, `.prompt`
/// throws `CancellationError` at once, `.cooperative` waits for the callback. In both, the actions registered by
/// ``Callback/onCancel(_:)`` run once.
///
/// ## Isolation
/// `start` runs synchronously on the caller's actor, and the result arrives there.
///
/// - Parameters:
///   - type: The type of the answer, where nothing else tells it.
///   - cancellation: What cancelling the task does.
///   - startsWhenCancelled: Whether the work is started, and at once told to stop, in a task already cancelled.
///   - timeout: When to give up, counted from the moment at which the wait begins. The cancel actions run.
///   - onUndelivered: Gets a value that came when nobody waited any more, so that what it owns can be released. Runs
///     in the call that delivered the value.
///   - fileID: The caller's file, for errors and reports.
///   - line: The caller's line, for errors and reports.
///   - start: Starts the work.
/// - Returns: The value that the callback was given.
/// - Throws: The error that the callback was given, as it is; what `start` throws; `CancellationError`; or
///   ``BridgeFault``, if the callback was dropped or the time was up. A second answer is not an error.
/// - Complexity: O(1); allocates once if the answer comes at once and twice if it is late.
@inlinable
public nonisolated(nonsending) func withCallback<Value>(
    of type: Value.Type = Value.self,
    cancellation: CancellationMode = .prompt,
    startsWhenCancelled: Bool = false,
    timeout: Timeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, any Error>) throws -> Void
) async throws -> sending Value {
    if !startsWhenCancelled, CurrentTask.isCancelled { throw CancellationError() }
    let begun = try CallbackExchange<Value, any Error>.begin(
        fileID: fileID,
        line: line,
        onUndelivered: onUndelivered,
        start: start
    )
    switch begun {
    case .answered(let result):
        return try result.take().get()
    case .late(let answerers, _):
        switch await CallbackExchange<Value, any Error>.finish(answerers, cancellation, timeout: timeout, cancel: {}) {
        case .answer(let result): return try result.get()
        case .interruption(let interruption): throw interruption.error
        }
    }
}
