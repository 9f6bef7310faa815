// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The untyped `withCallback`, under the name of the bridge built on it, which the list of pending waits shows.
///
/// The first parameter is that name. The others, what it returns and what it throws are those of `withCallback`.
package nonisolated(nonsending) func awaitCallback<Value, Token>(
    _ bridge: StaticString,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString,
    line: UInt,
    _ start: (Callback<Value, any Error>) throws -> Token,
    onCancel cancel: (Token) -> Void = { _ in }
) async throws -> sending Value {
    if cancellation != .ignore, CurrentTask.isCancelled { throw CancellationError() }
    typealias Exchange = CallbackExchange<Value, any Error>
    let (answered, answerers, token) = try Exchange.begin(fileID, line, onUndelivered, start)
    if let answered { return try answered.take().get() }
    let answer = await Exchange.finish(answerers, cancellation, timeout, bridge: bridge) { cancel(token) }
    return try answer.untyped()
}
