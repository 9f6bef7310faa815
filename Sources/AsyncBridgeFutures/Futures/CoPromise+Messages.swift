// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

// Not available; its message says what to write. The compiler takes it only where no other form fits.

extension CoPromise {
    /// Says how to complete with a value.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "Write promise.success(value); complete(with:) takes a Result")
    public func complete(with value: Value) { unreachable() }
}
