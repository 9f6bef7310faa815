// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridgeFutures
import Coroutines

extension CoFuture {
    /// Waits, in a coroutine, until there is a result.
    ///
    /// For code written for SwiftCoroutine that passes the method as a closure: `Result(catching: future.await)`.
    ///
    /// - Returns: The value.
    /// - Throws: As ``await(cancellation:fileID:line:)``.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use `try await future.value` in async code")
    @_disfavoredOverload
    public final func await() throws -> Value { try self.await(cancellation: .abandon) }
}
