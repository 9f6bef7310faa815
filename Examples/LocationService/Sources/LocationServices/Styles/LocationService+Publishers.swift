// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import AsyncBridgeCombine
public import OpenCombineShim

extension LocationService {
    /// Every location from now on, on the main actor; each subscriber has a loop of its own over ``locations``.
    ///
    /// Cancelling the subscription leaves that loop.
    public nonisolated var locationPublisher: AnyPublisher<Location, any Error> {
        self.locations.publisher(on: MainActor.shared).eraseToAnyPublisher()
    }

    /// Requests a location for each subscriber, as ``requestLocation(timeout:)`` does.
    ///
    /// - Parameter timeout: When to give up.
    /// - Returns: The publisher, which has requested nothing yet.
    public nonisolated func requestLocationPublisher(timeout: BridgeTimeout? = nil) -> AnyPublisher<Location, any Error>
    {
        TaskPublisher { try await self.requestLocation(timeout: timeout) }.eraseToAnyPublisher()
    }
}
