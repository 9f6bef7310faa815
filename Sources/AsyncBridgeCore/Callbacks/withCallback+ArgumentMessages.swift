// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Forms that are not available, and whose message says which is, for arguments that do not fit; see
// `withCallback+Messages.swift`.

/// Says that the handle to cancel with may be missing.
@_documentation(visibility: internal)
@available(
    *,
    unavailable,
    message: """
        What the first closure returns is optional, so that `onCancel:` gets nil if there is nothing to cancel: \
        onCancel: { request in request?.cancel() }
        """
)
public nonisolated(nonsending) func withCallback<Value, Token>(
    of type: Value.Type = Value.self,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, any Error>) throws -> Token?,
    onCancel cancel: (Token) -> Void
) async throws -> Value { unreachable() }

/// Says how to write a duration as a timeout.
@_documentation(visibility: internal)
@available(*, unavailable, message: "A timeout is made from a duration: timeout: .after(limit)")
public nonisolated(nonsending) func withCallback<Value>(
    of type: Value.Type = Value.self,
    cancellation: CancellationMode = .prompt,
    timeout: Duration?,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, any Error>) throws -> Void
) async throws -> Value { unreachable() }

/// Says how to write a duration as a timeout.
@_documentation(visibility: internal)
@available(*, unavailable, message: "A timeout is made from a duration: timeout: .after(limit)")
public nonisolated(nonsending) func withCallback<Value, Token>(
    of type: Value.Type = Value.self,
    cancellation: CancellationMode = .prompt,
    timeout: Duration?,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, any Error>) throws -> Token,
    onCancel cancel: (Token) -> Void
) async throws -> Value { unreachable() }
