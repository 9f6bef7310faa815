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

/// A value that leaves its actor, although the compiler cannot prove that nothing else uses it.
@_documentation(visibility: internal)
public struct _Leaving<Value>: @unchecked Sendable {
    // Safe: who makes one promises it.

    /// The value.
    public let value: Value

    /// Wraps it.
    ///
    /// - Parameter value: The value.
    @unsafe
    public init(_ value: Value) { self.value = value }
}

/// A value that may go to another task, although the compiler cannot prove that nothing else uses it.
///
/// - Parameter value: The value.
/// - Returns: The same.
@_documentation(visibility: internal)
@unsafe
@_alwaysEmitIntoClient
public func _sending<Value>(_ value: Value) -> sending Value {
    // Safe: the caller promises it.
    nonisolated(unsafe) let value = value
    return unsafe value
}
