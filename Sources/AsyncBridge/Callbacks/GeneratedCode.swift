// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What generated code calls, where it knows no more of a type than its name.

/// Calls `cancel()` of a value.
///
/// - Parameters:
///   - handle: The value.
///   - cancel: Calls it.
@_documentation(visibility: internal)
@_alwaysEmitIntoClient
public func _cancel<Handle>(_ handle: Handle, _ cancel: (Handle) -> Void) { cancel(handle) }

/// Does nothing with a value that has no such method: the compiler says so.
///
/// - Parameters:
///   - handle: The value.
///   - cancel: Compiles for any value.
@_documentation(visibility: internal)
@_disfavoredOverload
@available(
    *,
    deprecated,
    message: """
        cancelling does not stop the work: what the function returns has no 'cancel()' to call here. Write \
        '@Bridged(.cancel { $0.stop() })' with what stops it, or '.cancel(nil)'
        """
)
@_alwaysEmitIntoClient
public func _cancel<Handle>(_ handle: Handle, _ cancel: (_HandleWithoutCancel) -> Void) {}

/// Calls what stops the work.
///
/// - Parameters:
///   - handle: The value.
///   - stop: What stops its work.
@_documentation(visibility: internal)
public func _stop<Handle>(_ handle: Handle, _ stop: (Handle) -> Void) { stop(handle) }

/// What stands for a value without a method `cancel()`.
@_documentation(visibility: internal)
public struct _HandleWithoutCancel {
    /// Is not called.
    public func cancel() {}
}

// MARK: What is called like an error or a result

/// What a twin throws: an error as it is.
///
/// - Parameter error: The error.
/// - Returns: The same.
@_documentation(visibility: internal)
@_alwaysEmitIntoClient
public func _error<Failure: Error>(_ error: Failure) -> Failure { error }

/// What a twin throws: what is only called like an error, in a ``ReportedFailure``.
///
/// - Parameter value: What the API reported.
/// - Returns: An error.
@_documentation(visibility: internal)
@_disfavoredOverload
public func _error<Reported: Sendable>(_ value: Reported) -> any Error { ReportedFailure.error(value) }

/// What a twin throws, of a type that need not be `Sendable`.
///
/// - Parameter value: What the API reported, and releases.
/// - Returns: An error.
@_documentation(visibility: internal)
@unsafe
public func _uncheckedError<Reported>(_ value: Reported) -> any Error {
    // Safe: the caller promises it.
    if let error = value as? any Error { return error }
    return unsafe ReportedFailure(unchecked: value)
}

/// What a handler got as Swift's `Result`.
///
/// - Parameter result: The result.
/// - Returns: The same, with any error.
@_documentation(visibility: internal)
@_alwaysEmitIntoClient
public func _result<Value, Failure: Error>(_ result: Result<Value, Failure>) -> Result<Value, any Error> {
    result.mapError { $0 }
}

/// Says that a type of the user's is called like Swift's.
///
/// - Parameter result: What is called `Result`.
/// - Returns: Nothing.
@_documentation(visibility: internal)
@available(*, unavailable, message: "This 'Result' is not Swift's. Say so, and the twin returns it: @Bridged(.values)")
@_disfavoredOverload
public func _result<Other, Value>(_ result: Other) -> Result<Value, any Error> { unreachable() }

// MARK: Values that leave an actor

/// A value that leaves its actor, although the compiler cannot prove that nothing else uses it.
@_documentation(visibility: internal)
public struct _Leaving<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Safe: who makes one promises it.
    private let value: Value

    /// Wraps it.
    ///
    /// - Parameter value: The value.
    @unsafe
    public init(_ value: consuming Value) { self.value = value }

    /// Gives the value away.
    ///
    /// - Returns: The value.
    public consuming func take() -> Value { self.value }
}

/// A value that may go to another task, although the compiler cannot prove that nothing else uses it.
///
/// - Parameter value: The value.
/// - Returns: The same.
@_documentation(visibility: internal)
@unsafe
@_alwaysEmitIntoClient
public func _sending<Value: ~Copyable>(_ value: consuming Value) -> sending Value {
    // Safe: the caller promises it.
    nonisolated(unsafe) let value = value
    return unsafe value
}
