// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Calls an API that cannot fail, and waits for its answer or for an interruption.
///
/// With a fallback value, the wait can end promptly and can time out, without throwing:
///
/// ```swift
/// let location = await withCallback(ifInterrupted: { _ in nil }, timeout: .seconds(5)) { callback in
///     receiver.locate(callback.valueHandler())
/// }
/// ```
///
/// ## Cancellation
/// In a task that is already cancelled, `start` does not run, unless the mode is `.ignore`. Later, `.prompt`
/// returns at once, `.cooperative` waits for the callback; the actions of ``Callback/onCancel(_:)`` run once in both.
///
/// ## Isolation
/// `start` and `fallback` run synchronously on the caller's actor, and the result arrives there.
///
/// - Parameters:
///   - type: The type of the answer, if the compiler cannot infer it.
///   - fallback: What to return if the task is cancelled, the callback is dropped, or the wait times out.
///   - cancellation: What cancelling the task does.
///   - timeout: When to give up, counted from the moment the wait begins. The cancel actions run.
///   - onUndelivered: Gets a value that arrived too late. Runs in the call that delivered it.
///   - fileID: The caller's file.
///   - line: The caller's line.
///   - start: Starts the work.
/// - Returns: The value that the callback was given, or the fallback.
/// - Complexity: O(1); allocates once if the answer comes at once and twice if it is late.
@_alwaysEmitIntoClient
public nonisolated(nonsending) func withCallback<Value>(
    of type: Value.Type = Value.self,
    ifInterrupted fallback: (BridgeInterruption) -> sending Value,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, Never>) -> Void
) async -> sending Value {
    if cancellation != .ignore, CurrentTask.isCancelled { return fallback(.cancelled) }
    typealias Exchange = CallbackExchange<Value, Never>
    let (answered, answerers, _) = Exchange.begin(fileID, line, onUndelivered, start)
    if let answered { return answered.take().get() }
    let answer = await Exchange.finish(answerers, cancellation, timeout, cancel: {})
    return answer.replacing(fallback)
}

/// Calls a cancellable API that cannot fail, and waits for its answer or for an interruption.
///
/// The form with an `onCancel:` closure, which gets what `start` returned.
///
/// ## Cancellation
/// In a task that is already cancelled, `start` does not run, unless the mode is `.ignore`. Later, `cancel`
/// runs once, outside every lock; then `.prompt` returns at once and `.cooperative` waits for the callback.
///
/// ## Isolation
/// `start`, `cancel` and `fallback` run synchronously on the caller's actor, and the result arrives there.
///
/// - Parameters:
///   - type: The type of the answer, if the compiler cannot infer it.
///   - fallback: What to return if the task is cancelled, the callback is dropped, or the wait times out.
///   - cancellation: What cancelling the task does after `cancel` has run.
///   - timeout: When to give up, counted from the moment the wait begins.
///   - onUndelivered: Gets a value that arrived too late. Runs in the call that delivered it.
///   - fileID: The caller's file.
///   - line: The caller's line.
///   - start: Starts the work and returns a value to stop it with. That value is held until the wait is over. It must
///     not hold the callback: it would keep the callback alive, and a drop could not be detected.
///   - cancel: Stops the work. Does not run once there is an answer.
/// - Returns: The value that the callback was given, or the fallback.
/// - Complexity: O(1); allocates once if the answer comes at once and twice if it is late.
@_alwaysEmitIntoClient
public nonisolated(nonsending) func withCallback<Value, Token>(
    of type: Value.Type = Value.self,
    ifInterrupted fallback: (BridgeInterruption) -> sending Value,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, Never>) -> Token,
    onCancel cancel: (Token) -> Void
) async -> sending Value {
    if cancellation != .ignore, CurrentTask.isCancelled { return fallback(.cancelled) }
    typealias Exchange = CallbackExchange<Value, Never>
    let (answered, answerers, token) = Exchange.begin(fileID, line, onUndelivered, start)
    if let answered { return answered.take().get() }
    let answer = await Exchange.finish(answerers, cancellation, timeout) { cancel(token) }
    return answer.replacing(fallback)
}
