// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import AsyncBridgeFutures
import Coroutines

extension LocationService {
    /// Waits for the next location, in a coroutine, and blocks no thread.
    ///
    /// - Parameter timeout: When to give up.
    /// - Returns: The location.
    /// - Throws: What ``requestLocation(timeout:)`` throws; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await requestLocation()` in async code")
    public nonisolated func awaitLocation(timeout: BridgeTimeout? = nil) throws -> Location {
        try Coroutine.await { try await self.requestLocation(timeout: timeout) }
    }

    /// Loops over ``locations``, in a coroutine.
    ///
    /// - Parameter body: Called with each location; it may wait. The loop is left when it throws.
    /// - Throws: What ``locations`` and the body throw; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `for try await` in async code")
    public nonisolated func forEachLocation(_ body: (Location) throws -> Void) throws {
        try Coroutine.forEach(self.locations, body)
    }

    /// The next location, as a future for any style.
    ///
    /// - Parameter timeout: When to give up.
    /// - Returns: The future; cancelling it cancels the request.
    public nonisolated func locationFuture(timeout: BridgeTimeout? = nil) -> CoFuture<Location> {
        CoFuture { try await self.requestLocation(timeout: timeout) }
    }
}
