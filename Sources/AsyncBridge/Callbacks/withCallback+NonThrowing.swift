// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Calls an API that cannot fail, and waits for its answer.
///
/// Something must be returned if the last reference to the callback is released unused: the caller supplies it, or
/// passes `nil` and accepts a trap whose message names the call site.
///
/// ```swift
/// let image = await withCallback(ifDropped: { nil }) { callback in
///     picker.present(callback.valueHandler())
/// }
/// ```
///
/// ## Cancellation
/// `start` runs in a cancelled task too, and the function always waits for the callback: it has nothing else to return.
/// The actions of ``Callback/onCancel(_:)`` run once. To return at once, use the form with `ifInterrupted:`.
///
/// ## Isolation
/// `start` and `fallback` run synchronously on the caller's actor, and the result arrives there.
///
/// - Parameters:
///   - type: The type of the answer, if the compiler cannot infer it.
///   - fallback: What to return if the callback is dropped; `nil` traps.
///   - onUndelivered: Gets the value of a second answer. Runs in the call that delivered it.
///   - fileID: The caller's file.
///   - line: The caller's line.
///   - start: Starts the work.
/// - Returns: The value that the callback was given, or the fallback.
/// - Complexity: O(1); allocates once if the answer comes at once and twice if it is late.
@_alwaysEmitIntoClient
public nonisolated(nonsending) func withCallback<Value>(
    of type: Value.Type = Value.self,
    ifDropped fallback: (() -> sending Value)?,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, Never>) -> Void
) async -> sending Value {
    switch CallbackExchange<Value, Never>.begin(fileID, line, onUndelivered, start) {
    case .answered(let result):
        return result.take().get()
    case .late(let answerers, _):
        let answer = await CallbackExchange<Value, Never>.finish(answerers, .cooperative, nil, cancel: {})
        return answer.replacing { interruption in
            guard let fallback else { fatalError("withCallback: \(interruption.error)") }
            return fallback()
        }
    }
}

/// Calls a cancellable API that cannot fail, and waits for its answer.
///
/// The form with an `onCancel:` closure, which gets what `start` returned.
///
/// ## Cancellation
/// `start` runs in a cancelled task too. When the task is cancelled, `cancel` runs once, outside every lock, and the
/// function goes on waiting for the callback.
///
/// ## Isolation
/// `start`, `cancel` and `fallback` run synchronously on the caller's actor, and the result arrives there.
///
/// - Parameters:
///   - type: The type of the answer, if the compiler cannot infer it.
///   - fallback: What to return if the callback is dropped; `nil` traps.
///   - onUndelivered: Gets the value of a second answer. Runs in the call that delivered it.
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
    ifDropped fallback: (() -> sending Value)?,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, Never>) -> Token,
    onCancel cancel: (Token) -> Void
) async -> sending Value {
    switch CallbackExchange<Value, Never>.begin(fileID, line, onUndelivered, start) {
    case .answered(let result):
        return result.take().get()
    case .late(let answerers, let token):
        let answer = await CallbackExchange<Value, Never>.finish(answerers, .cooperative, nil) { cancel(token) }
        return answer.replacing { interruption in
            guard let fallback else { fatalError("withCallback: \(interruption.error)") }
            return fallback()
        }
    }
}

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
/// In a task that is already cancelled, `start` does not run, unless `startsWhenCancelled` is `true`. Later, `.prompt`
/// returns at once, `.cooperative` waits for the callback; the actions of ``Callback/onCancel(_:)`` run once in both.
///
/// ## Isolation
/// `start` and `fallback` run synchronously on the caller's actor, and the result arrives there.
///
/// - Parameters:
///   - type: The type of the answer, if the compiler cannot infer it.
///   - fallback: What to return if the task is cancelled, the callback is dropped, or the wait times out.
///   - cancellation: What cancelling the task does.
///   - startsWhenCancelled: Whether to start the work even in a cancelled task, and then cancel it at once.
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
    ifInterrupted fallback: (Interruption) -> sending Value,
    cancellation: CancellationMode = .prompt,
    startsWhenCancelled: Bool = false,
    timeout: Timeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, Never>) -> Void
) async -> sending Value {
    if !startsWhenCancelled, CurrentTask.isCancelled { return fallback(.cancelled) }
    switch CallbackExchange<Value, Never>.begin(fileID, line, onUndelivered, start) {
    case .answered(let result):
        return result.take().get()
    case .late(let answerers, _):
        let answer = await CallbackExchange<Value, Never>.finish(answerers, cancellation, timeout, cancel: {})
        return answer.replacing(fallback)
    }
}

/// Calls a cancellable API that cannot fail, and waits for its answer or for an interruption.
///
/// The form with an `onCancel:` closure, which gets what `start` returned.
///
/// ## Cancellation
/// In a task that is already cancelled, `start` does not run, unless `startsWhenCancelled` is `true`. Later, `cancel`
/// runs once, outside every lock; then `.prompt` returns at once and `.cooperative` waits for the callback.
///
/// ## Isolation
/// `start`, `cancel` and `fallback` run synchronously on the caller's actor, and the result arrives there.
///
/// - Parameters:
///   - type: The type of the answer, if the compiler cannot infer it.
///   - fallback: What to return if the task is cancelled, the callback is dropped, or the wait times out.
///   - cancellation: What cancelling the task does after `cancel` has run.
///   - startsWhenCancelled: Whether to start the work even in a cancelled task, and then cancel it at once.
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
    ifInterrupted fallback: (Interruption) -> sending Value,
    cancellation: CancellationMode = .prompt,
    startsWhenCancelled: Bool = false,
    timeout: Timeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, Never>) -> Token,
    onCancel cancel: (Token) -> Void
) async -> sending Value {
    if !startsWhenCancelled, CurrentTask.isCancelled { return fallback(.cancelled) }
    switch CallbackExchange<Value, Never>.begin(fileID, line, onUndelivered, start) {
    case .answered(let result):
        return result.take().get()
    case .late(let answerers, let token):
        let answer = await CallbackExchange<Value, Never>.finish(answerers, cancellation, timeout) { cancel(token) }
        return answer.replacing(fallback)
    }
}
