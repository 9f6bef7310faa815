// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a callback is called in messages of the compiler, where the type of its answer is not known.
///
/// There is none at run time. See the overloads of `withCallback` that take it.
@_documentation(visibility: internal)
public enum CallbackOfUnknownType<Failure: Error>: Sendable {}

// Whatever a callback can do, so that the compiler finds no other fault.
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
