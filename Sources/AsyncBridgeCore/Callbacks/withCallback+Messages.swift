// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Forms that the compiler chooses only if no other fits, and whose message names the right one. The compiler (6.3)
// tries them only when it diagnoses an error; correct code pays nothing for them.
//
// Without them, once `withCallback` has two forms, the compiler says "failed to produce diagnostic for expression", or
// misleads. `Scripts/check-messages` compiles typical mistakes and compares the words.

// MARK: The type of the answer is not known

/// Says that `of:` is missing.
@_documentation(visibility: internal)
@available(
    *,
    unavailable,
    message: """
        The type of the answer is not known here. Write it, withCallback(of: Quote.self) { … }, or give the API a \
        handler: callback.handler(), callback.handler { … }
        """
)
public nonisolated(nonsending) func withCallback(
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (CallbackOfUnknownType<any Error>) throws -> Void
) async throws -> UnknownType { unreachable() }

/// Says that `of:` is missing.
@_documentation(visibility: internal)
@available(
    *,
    unavailable,
    message: """
        The type of the answer is not known here. Write it, withCallback(of: Quote.self) { … }, or give the API a \
        handler: callback.handler(), callback.handler { … }
        """
)
public nonisolated(nonsending) func withCallback(
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (CallbackOfUnknownType<any Error>) throws -> Any,
    onCancel cancel: (UnknownType) -> Void
) async throws -> UnknownType { unreachable() }

/// Says that `of:` is missing.
@_documentation(visibility: internal)
@available(
    *,
    unavailable,
    message: """
        The type of the answer is not known here. Write it, withCallback(of: Quote.self) { … }, or give the API a \
        handler: callback.handler(), callback.handler { … }
        """
)
public nonisolated(nonsending) func withCallback<Failure: Error>(
    throwing failure: Failure.Type,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (CallbackOfUnknownType<Failure>) -> Void
) async throws(BridgeError<Failure>) -> UnknownType { unreachable() }

/// Says that `of:` is missing.
@_documentation(visibility: internal)
@available(
    *,
    unavailable,
    message: """
        The type of the answer is not known here. Write it, withCallback(of: Quote.self) { … }, or give the API a \
        handler: callback.handler(), callback.handler { … }
        """
)
public nonisolated(nonsending) func withCallback<Failure: Error>(
    throwing failure: Failure.Type,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (CallbackOfUnknownType<Failure>) -> Any,
    onCancel cancel: (UnknownType) -> Void
) async throws(BridgeError<Failure>) -> UnknownType { unreachable() }

/// Says that `of:` is missing.
@_documentation(visibility: internal)
@available(
    *,
    unavailable,
    message: """
        The type of the answer is not known here. Write it, withCallback(of: Quote.self) { … }, or give the API a \
        handler: callback.handler(), callback.handler { … }
        """
)
public nonisolated(nonsending) func withCallback(
    ifInterrupted fallback: (BridgeInterruption) -> UnknownType?,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (CallbackOfUnknownType<Never>) -> Void
) async -> UnknownType { unreachable() }

/// Says that `of:` is missing.
@_documentation(visibility: internal)
@available(
    *,
    unavailable,
    message: """
        The type of the answer is not known here. Write it, withCallback(of: Quote.self) { … }, or give the API a \
        handler: callback.handler(), callback.handler { … }
        """
)
public nonisolated(nonsending) func withCallback(
    ifInterrupted fallback: (BridgeInterruption) -> UnknownType?,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (CallbackOfUnknownType<Never>) -> Any,
    onCancel cancel: (UnknownType) -> Void
) async -> UnknownType { unreachable() }

// MARK: What the closure does

/// Says that the closure must not be async.
@_documentation(visibility: internal)
@available(
    *,
    unavailable,
    message: """
        withCallback is for functions that call back, and its closure is not async. Where there is an async function, \
        write `try await` without withCallback.
        """
)
public nonisolated(nonsending) func withCallback<Value>(
    of type: Value.Type = Value.self,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, any Error>) async throws -> Void
) async throws -> Value { unreachable() }

/// Says that `onCancel:` is missing.
@_documentation(visibility: internal)
@available(
    *,
    unavailable,
    message: """
        What the closure returns is for onCancel: write `} onCancel: { $0.cancel() }` after it, or do not return it.
        """
)
public nonisolated(nonsending) func withCallback<Value, Token>(
    of type: Value.Type = Value.self,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, any Error>) throws -> Token
) async throws -> Value { unreachable() }

/// Says that `start` returns nothing for `onCancel:`.
@_documentation(visibility: internal)
@available(
    *,
    unavailable,
    message: """
        There is a mistake in the closure of `onCancel:`, or in the one before it. Write the type of what `onCancel:` \
        gets to see which: onCancel: { (request: Request) in request.cancel() }
        """
)
public nonisolated(nonsending) func withCallback<Value>(
    of type: Value.Type = Value.self,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, any Error>) throws -> Any,
    onCancel cancel: (UnknownType) -> Void
) async throws -> Value { unreachable() }

/// Says that the closure must not throw.
@_documentation(visibility: internal)
@available(
    *,
    unavailable,
    message: """
        In the forms with `throwing:` the closure does not throw: answer with callback.resume(throwing:), or leave out \
        `throwing:`.
        """
)
public nonisolated(nonsending) func withCallback<Value, Failure: Error>(
    of type: Value.Type = Value.self,
    throwing failure: Failure.Type,
    cancellation: CancellationMode = .prompt,
    timeout: BridgeTimeout? = nil,
    onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Value, Failure>) throws -> Void
) async throws(BridgeError<Failure>) -> Value { unreachable() }
