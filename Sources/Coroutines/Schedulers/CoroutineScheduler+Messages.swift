// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

// Not available; its message says what to write. The compiler takes it only where no other form fits.

extension CoroutineScheduler {
    /// Says how an async function is awaited in a coroutine.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            The code of a coroutine is synchronous, and waits with `try Coroutine.await { try await … }`. For code \
            that is async, write Task { … }.
            """
    )
    @discardableResult
    public func startCoroutine(
        in scope: CoScope? = nil,
        name: StaticString? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        task: @escaping @Sendable () async throws -> Void
    ) -> CoroutineHandle { unreachable() }
}
