// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

enum LocationError: Error {
    case denied
    case noSignal
}

/// The seed's service with a slot in the place of its continuation.
@MainActor
final class LocationService {
    private let manager: LocationManager
    private let location: ReplySlot<Location>

    init(manager: LocationManager, overlap: ReplyOverlap = .share, place: Place = Place()) {
        self.manager = manager
        self.location = ReplySlot(overlap: overlap, fileID: Place.fileID, line: place.line)
    }

    /// For callers that do not keep the service alive.
    var waiter: ReplySlot<Location>.Waiter { self.location.waiter }

    func requestLocation() async throws -> Location {
        try await self.location.wait(keepingAlive: self) {
            self.manager.delegate = self
            switch self.manager.authorizationStatus {
            case .authorizedAlways, .authorizedWhenInUse: self.manager.startUpdatingLocation()
            case .notDetermined: self.manager.requestWhenInUseAuthorization()
            case .denied: throw LocationError.denied
            }
        } onCancel: {
            self.manager.stopUpdatingLocation()
        }
    }
}

extension LocationService: LocationManagerDelegate {
    func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
        switch manager.authorizationStatus {
        case .notDetermined: break
        case .authorizedAlways, .authorizedWhenInUse: manager.startUpdatingLocation()
        case .denied: self.location.resume(throwing: LocationError.denied)
        }
    }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        guard let location = locations.first else { return }
        self.location.resume(returning: location)
    }

    func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
        self.location.resume(throwing: error)
    }
}
