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
/// If the API returns a handle to cancel with, use the form that takes an `onCancel:` closure. For an API that calls
/// back many times, use ``CallbackSequence``.
///
/// ## Exactly one answer
/// The first one wins; see ``Callback``. If it comes before `start` returns, the function does not suspend.
///
/// ## Cancellation
/// In a task that is already cancelled, `start` does not run, unless the mode is `.ignore`. Later, `.prompt`
/// throws `CancellationError` at once, `.cooperative` waits for the callback. In both, the actions registered by
/// ``Callback/onCancel(_:)`` run once.
///
/// ## Isolation
/// `start` runs synchronously on the caller's actor, and the result arrives there.
///
/// - Parameters:
///   - type: The type of the answer, if the compiler cannot infer it.
///   - cancellation: What cancelling the task does.
///   - timeout: When to give up, counted from the moment the wait begins. The cancel actions run.
///   - onUndelivered: Gets a value that arrived too late, or with an error that won over it, so that its resources can
///     be released. Runs in the call that delivered the value.
///   - fileID: The caller's file.
///   - line: The caller's line.
///   - start: Starts the work.
/// - Returns: The value that the callback was given.
/// - Throws: The error that the callback was given, as it is; what `start` throws; `CancellationError`; or
///   ``BridgeFault``, if the callback was dropped or the wait timed out. A second answer is not an error.
/// - Complexity: O(1); allocates once if the answer comes at once and twice if it is late.
@_alwaysEmitIntoClient
public nonisolated(nonsending) func withCallback<Value>(
    of type: Value.Type = Value.self,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, any Error>) throws -> Void
) async throws -> sending Value {
    if cancellation != .ignore, CurrentTask.isCancelled { throw CancellationError() }
    typealias Exchange = CallbackExchange<Value, any Error>
    let (answered, answerers, _) = try Exchange.begin(fileID, line, onUndelivered, start)
    if let answered { return try answered.take().get() }
    let answer = await Exchange.finish(answerers, cancellation, timeout, cancel: {})
    return try answer.untyped()
}

/// Calls an API that answers through a callback and returns a handle to cancel with, and waits for the answer.
///
/// Prefer this form if the API can be cancelled:
///
/// ```swift
/// let quote = try await withCallback { callback in
///     client.request(id: id, completion: callback.handler())
/// } onCancel: { request in
///     request.cancel()
/// }
/// ```
///
/// Cancelling the API must be safe at any moment, even while its answer is on its way. For a `URLSessionTask` on Linux
/// it is not: it occasionally ends the process. Use `session.bridge` of `AsyncBridgeFoundation` there.
///
/// ## Cancellation
/// In a task that is already cancelled, `start` does not run, unless the mode is `.ignore`. Later, `cancel`
/// gets the value that `start` returned, once, even on a timeout; then `.prompt` throws at once and `.cooperative`
/// waits for the callback. Cancelling the task only wakes this function, so `cancel` runs outside every lock, the
/// runtime's included, and may wait for a queue.
///
/// ## Isolation
/// `start` and `cancel` run synchronously on the caller's actor, and the result arrives there. The value that `start`
/// returns need not be `Sendable`.
///
/// - Parameters:
///   - type: The type of the answer, if the compiler cannot infer it.
///   - cancellation: What cancelling the task does after `cancel` has run.
///   - timeout: When to give up, counted from the moment the wait begins.
///   - onUndelivered: Gets a value that arrived too late, or with an error that won over it, so that its resources can
///     be released. Runs in the call that delivered the value.
///   - fileID: The caller's file.
///   - line: The caller's line.
///   - start: Starts the work and returns a value to stop it with. That value is held until the wait is over. It must
///     not hold the callback: it would keep the callback alive, and a drop could not be detected.
///   - cancel: Stops the work. Does not run once there is an answer.
/// - Returns: The value that the callback was given.
/// - Throws: The error that the callback was given, as it is; what `start` throws; `CancellationError`; or
///   ``BridgeFault``, if the callback was dropped or the wait timed out. A second answer is not an error.
/// - Complexity: O(1); allocates once if the answer comes at once and twice if it is late.
@_alwaysEmitIntoClient
public nonisolated(nonsending) func withCallback<Value, Token>(
    of type: Value.Type = Value.self,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, any Error>) throws -> Token,
    onCancel cancel: (Token) -> Void
) async throws -> sending Value {
    if cancellation != .ignore, CurrentTask.isCancelled { throw CancellationError() }
    typealias Exchange = CallbackExchange<Value, any Error>
    let (answered, answerers, token) = try Exchange.begin(fileID, line, onUndelivered, start)
    if let answered { return try answered.take().get() }
    let answer = await Exchange.finish(answerers, cancellation, timeout) { cancel(token) }
    return try answer.untyped()
}
