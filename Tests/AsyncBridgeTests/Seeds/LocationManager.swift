// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

struct Location: Equatable, Sendable {
    var latitude: Double
    var longitude: Double
}

@MainActor
protocol LocationManagerDelegate: AnyObject {
    func locationManagerDidChangeAuthorization(_ manager: LocationManager)

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location])

    func locationManager(_ manager: LocationManager, didFailWithError error: any Error)
}

/// A stand-in for CoreLocation's manager: holds its delegate weakly and calls it on the main actor.
@MainActor
final class LocationManager {
    enum AuthorizationStatus {
        case notDetermined
        case denied
        case authorizedWhenInUse
        case authorizedAlways
    }

    weak var delegate: (any LocationManagerDelegate)?
    private(set) var authorizationStatus: AuthorizationStatus
    private(set) var isUpdating = false

    /// What the manager was asked for, in order.
    private(set) var requests: [String] = []
    /// Counts these requests.
    let asked = Tally()

    init(_ authorizationStatus: AuthorizationStatus) { self.authorizationStatus = authorizationStatus }

    func requestWhenInUseAuthorization() { self.note("authorization") }

    func startUpdatingLocation() {
        self.isUpdating = true
        self.note("start")
    }

    func stopUpdatingLocation() {
        self.isUpdating = false
        self.note("stop")
    }

    private func note(_ request: String) {
        self.requests.append(request)
        self.asked.add()
    }

    // MARK: What the system does

    func decide(_ status: AuthorizationStatus) {
        self.authorizationStatus = status
        self.delegate?.locationManagerDidChangeAuthorization(self)
    }

    func find(_ locations: [Location]) { self.delegate?.locationManager(self, didUpdateLocations: locations) }

    func fail(_ error: any Error) { self.delegate?.locationManager(self, didFailWithError: error) }
}
