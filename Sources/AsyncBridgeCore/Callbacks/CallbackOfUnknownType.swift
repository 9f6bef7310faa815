// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The name of a callback in compiler messages, if the type of its answer is not known.
///
/// There is none at run time. See the overloads of `withCallback` that take it.
@_documentation(visibility: internal)
public enum CallbackOfUnknownType<Failure: Error>: Sendable {}

// Everything that a callback can do, so that the compiler reports no other error.
extension CallbackOfUnknownType {
    /// As of a callback.
    @discardableResult
    public func resume<Value>(returning _: Value) -> Bool { switch self {} }

    /// As of a callback.
    @discardableResult
    public func resume(throwing _: Failure) -> Bool { switch self {} }

    /// As of a callback.
    @discardableResult
    public func resume<Value, KnownFailure>(with _: Result<Value, KnownFailure>) -> Bool { switch self {} }

    /// As of a callback.
    @discardableResult
    public func resume() -> Bool { switch self {} }

    /// As of a callback.
    public func handler<each Argument>(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (repeat each Argument) -> Void { switch self {} }

    /// As of a callback.
    public var isWaiting: Bool { switch self {} }

    /// As of a callback.
    public func onCancel(_: @escaping () -> Void) { switch self {} }
}
