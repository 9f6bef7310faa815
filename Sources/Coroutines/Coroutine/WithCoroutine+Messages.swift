// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

// Not available; its message says what to write. The compiler takes it only where no other form fits.

/// Says how an async function is awaited in a coroutine.
@_documentation(visibility: internal)
@available(
    *,
    unavailable,
    message: """
        The code of a coroutine is synchronous, and waits with `try Coroutine.await { try await … }`. Code that is \
        async needs no withCoroutine.
        """
)
public nonisolated(nonsending) func withCoroutine<Value>(
    stackSize: StackSize = .standard,
    name: StaticString? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: () async throws -> sending Value
) async throws -> sending Value { unreachable() }
