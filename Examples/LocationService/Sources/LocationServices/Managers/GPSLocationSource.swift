// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if canImport(GPSLocation)
public import GPSLocation

/// Makes a `LocationManager` fit.
@MainActor
public final class GPSLocationSource: LocationSource, @MainActor LocationManagerDelegate {
    /// The locations of the manager.
    public typealias Location = GPSLocation.Location

    /// Gets all that the manager tells its delegate.
    public var onEvent: ((LocationEvent<Location>) -> Void)?

    private let manager: LocationManager

    /// Becomes the delegate of a manager.
    ///
    /// - Parameter manager: One that was made on the main actor.
    public init(_ manager: LocationManager) {
        self.manager = manager
        manager.delegate = self
    }

    /// What the user allows.
    public var authorization: LocationAuthorization {
        switch self.manager.authorizationStatus {
        case .notDetermined: .notDetermined
        case .denied, .restricted: .denied
        default: .authorized
        }
    }

    /// Asks the user.
    public func requestWhenInUseAuthorization() { self.manager.requestWhenInUseAuthorization() }

    /// Starts to find locations.
    public func startUpdatingLocation() { self.manager.startUpdatingLocation() }

    /// Ends that.
    public func stopUpdatingLocation() { self.manager.stopUpdatingLocation() }

    /// The delegate's method.
    public func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        self.onEvent?(.update(locations))
    }

    /// The delegate's method.
    public func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
        let isUnknown = (error as? LocationManagerError)?.code == .locationUnknown
        self.onEvent?(isUnknown ? .unknown(error) : .failure(error))
    }

    /// The delegate's method.
    public func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
        self.onEvent?(.authorizationChange)
    }
}
#endif
