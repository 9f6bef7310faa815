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
    switch try CallbackExchange<Value, any Error>.begin(fileID, line, nil, start) {
    case .answered(let result):
        return try result.take().get()
    case .late(let answerers, _):
        let answer = await CallbackExchange<Value, any Error>.finish(
            answerers,
            .prompt,
            timeout,
            bridge: bridge,
            cancel: cancel
        )
        return try answer.untyped()
    }
}
