// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if canImport(CoreLocation) && !os(tvOS)
public import CoreLocation
public import Foundation

/// Makes a `CLLocationManager` fit.
@MainActor
public final class CoreLocationSource: NSObject, LocationSource, @MainActor CLLocationManagerDelegate {
    /// The locations of the manager.
    public typealias Location = CLLocation

    /// Gets all that the manager tells its delegate.
    public var onEvent: ((LocationEvent<Location>) -> Void)?

    private let manager: CLLocationManager

    /// Becomes the delegate of a manager.
    ///
    /// - Parameter manager: One that was made on the main actor.
    public init(_ manager: CLLocationManager) {
        self.manager = manager
        super.init()
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
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [Location]) {
        self.onEvent?(.update(locations))
    }

    /// The delegate's method.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        let isUnknown = (error as? CLError)?.code == .locationUnknown
        self.onEvent?(isUnknown ? .unknown(error) : .failure(error))
    }

    /// The delegate's method.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        self.onEvent?(.authorizationChange)
    }
}
#endif
