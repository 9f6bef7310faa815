// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Calls an API whose callback has an error of a known type, and waits for the answer.
///
/// Typed throws cannot express `CancellationError`, so the error is wrapped:
///
/// ```swift
/// do {
///     names = try await withCallback(throwing: LoaderError.self) { callback in
///         loader.load(completion: callback.handler())
///     }
/// } catch {
///     switch error {
///     case .failure(let error): show(error.explanation)
///     case .interruption: break  // Cancelled, dropped or timed out: there is nothing to show.
///     }
/// }
/// ```
///
/// Everything else is as in the untyped form.
///
/// ## Cancellation
/// In a task that is already cancelled, `start` does not run, unless the mode is `.ignore`. Later, `.prompt`
/// throws at once, `.cooperative` waits for the callback; the actions of ``Callback/onCancel(_:)`` run once in both.
///
/// ## Isolation
/// `start` runs synchronously on the caller's actor, and the result arrives there.
///
/// - Parameters:
///   - type: The type of the answer, if the compiler cannot infer it.
///   - failure: The type of the API's errors.
///   - cancellation: What cancelling the task does.
///   - timeout: When to give up, counted from the moment the wait begins. The cancel actions run.
///   - onUndelivered: Gets a value that arrived too late. Runs in the call that delivered it.
///   - fileID: The caller's file.
///   - line: The caller's line.
///   - start: Starts the work.
/// - Returns: The value that the callback was given.
/// - Throws: ``BridgeError/failure(_:)-swift.enum.case`` with the error that the callback was given, or
///   ``BridgeError/interruption(_:)``. A second answer is not an error.
/// - Complexity: O(1); allocates once if the answer comes at once and twice if it is late.
@_alwaysEmitIntoClient
public nonisolated(nonsending) func withCallback<Value, Failure: Error>(
    of type: Value.Type = Value.self,
    throwing failure: Failure.Type,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, Failure>) -> Void
) async throws(BridgeError<Failure>) -> sending Value {
    if cancellation != .ignore, CurrentTask.isCancelled { throw .interruption(.cancelled) }
    typealias Exchange = CallbackExchange<Value, Failure>
    let (answered, answerers, _) = Exchange.begin(fileID, line, onUndelivered, start)
    if let answered { return try answered.wrapped() }
    let answer = await Exchange.finish(answerers, cancellation, timeout, cancel: {})
    return try answer.wrapped()
}

/// Calls a cancellable API whose callback has an error of a known type, and waits for the answer.
///
/// The typed form with an `onCancel:` closure, which gets what `start` returned.
///
/// ## Cancellation
/// In a task that is already cancelled, `start` does not run, unless the mode is `.ignore`. Later, `cancel`
/// runs once, outside every lock; then `.prompt` throws at once and `.cooperative` waits for the callback.
///
/// ## Isolation
/// `start` and `cancel` run synchronously on the caller's actor, and the result arrives there.
///
/// - Parameters:
///   - type: The type of the answer, if the compiler cannot infer it.
///   - failure: The type of the API's errors.
///   - cancellation: What cancelling the task does after `cancel` has run.
///   - timeout: When to give up, counted from the moment the wait begins.
///   - onUndelivered: Gets a value that arrived too late. Runs in the call that delivered it.
///   - fileID: The caller's file.
///   - line: The caller's line.
///   - start: Starts the work and returns a value to stop it with. That value is held until the wait is over. It must
///     not hold the callback: it would keep the callback alive, and a drop could not be detected.
///   - cancel: Stops the work. Does not run once there is an answer.
/// - Returns: The value that the callback was given.
/// - Throws: ``BridgeError/failure(_:)-swift.enum.case`` with the error that the callback was given, or
///   ``BridgeError/interruption(_:)``. A second answer is not an error.
/// - Complexity: O(1); allocates once if the answer comes at once and twice if it is late.
@_alwaysEmitIntoClient
public nonisolated(nonsending) func withCallback<Value, Failure: Error, Token>(
    of type: Value.Type = Value.self,
    throwing failure: Failure.Type,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, Failure>) -> Token,
    onCancel cancel: (Token) -> Void
) async throws(BridgeError<Failure>) -> sending Value {
    if cancellation != .ignore, CurrentTask.isCancelled { throw .interruption(.cancelled) }
    typealias Exchange = CallbackExchange<Value, Failure>
    let (answered, answerers, token) = Exchange.begin(fileID, line, onUndelivered, start)
    if let answered { return try answered.wrapped() }
    let answer = await Exchange.finish(answerers, cancellation, timeout) { cancel(token) }
    return try answer.wrapped()
}
