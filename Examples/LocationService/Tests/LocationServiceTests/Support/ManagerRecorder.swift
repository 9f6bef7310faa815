// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Foundation
import GPSLocation
import Testing

/// A manager, and a delegate that writes down what it is told.
@MainActor
final class ManagerRecorder: @MainActor LocationManagerDelegate {
    enum Event: Equatable, Sendable {
        case update([String])
        case failure(LocationManagerError.Code)
        case authorization(AuthorizationStatus)
    }

    let manager: LocationManager
    private let events = CoChannel<Event>(buffering: .unbounded)
    private(set) var errors: [LocationManagerError] = []
    private(set) var locations: [Location] = []

    init(
        port: Int,
        permission: LocationPermission = LocationPermission(.authorizedWhenInUse),
        reconnection: LocationManager.Reconnection = .fast
    ) {
        self.manager = LocationManager(port: port, permission: permission, reconnection: reconnection)
        self.manager.delegate = self
    }

    /// Waits for the next event; not for the authorization at the beginning.
    func next() async throws -> Event { try await self.events.receive() }

    /// An event that has come already.
    func poll() -> Event? { self.events.poll() }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        self.locations += locations
        self.events.offer(.update(locations.map { format($0.timestamp) }))
    }

    func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
        guard let error = error as? LocationManagerError else {
            Issue.record(error)
            return
        }
        self.errors.append(error)
        self.events.offer(.failure(error.code))
    }

    func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
        self.events.offer(.authorization(manager.authorizationStatus))
    }
}

extension LocationManager.Reconnection {
    /// For tests.
    static var fast: Self { Self(first: 1, longest: 20) }
}

/// A time as gpsd writes it.
func format(_ date: Date) -> String { date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }

/// Waits for a condition of this actor, until the test's time limit cancels its task.
@MainActor
func until(_ condition: () -> Bool) async {
    while !condition() {
        guard !Task.isCancelled else {
            Issue.record("it never came true")
            return
        }
        await Task.yield()
    }
}

/// Waits until what is in the main queue at this moment has run.
@MainActor
func mainQueue() async {
    let promise = CoPromise<Void>()
    DispatchQueue.main.async { promise.success(()) }
    _ = try? await promise.value
}
