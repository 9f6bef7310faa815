// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

// Not available; their messages say what to write. The compiler takes them only where no other form fits.

extension CoPromise {
    /// Says how to complete with a value.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "Write promise.success(value); complete(with:) takes a Result")
    public func complete(with value: Value) { unreachable() }

    /// Says that a parameter is constant, where otherwise the handler for an `inout` one would be named.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "A closure's parameter is constant. Copy it: { quote in var quote = quote; … }")
    public func handler<Argument>(_ value: @escaping @Sendable (inout Argument) throws -> Value)
        -> @Sendable (Argument) -> Void
    { unreachable() }
}
