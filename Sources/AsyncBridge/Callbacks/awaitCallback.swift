// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The untyped `withCallback`, under the name of the bridge built on it.
nonisolated(nonsending) func awaitCallback<Value>(
    _ bridge: StaticString,
    timeout: BridgeTimeout?,
    fileID: StaticString,
    line: UInt,
    _ start: (Callback<Value, any Error>) throws -> Void,
    onCancel cancel: () -> Void = {}
) async throws -> sending Value {
    if CurrentTask.isCancelled { throw CancellationError() }
    typealias Exchange = CallbackExchange<Value, any Error>
    let (answered, answerers, _) = try Exchange.begin(fileID, line, nil, start)
    if let answered { return try answered.take().get() }
    let answer = await Exchange.finish(
        answerers,
        .prompt,
        timeout,
        bridge: bridge,
        cancel: cancel
    )
    return try answer.untyped()
}
