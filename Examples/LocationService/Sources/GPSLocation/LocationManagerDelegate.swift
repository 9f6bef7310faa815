// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Told what a location manager finds, on the manager's queue.
public protocol LocationManagerDelegate: AnyObject {
    /// There are new locations: at least one, the newest last.
    ///
    /// - Parameters:
    ///   - manager: The manager.
    ///   - locations: The locations.
    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location])

    /// There is no location. The manager goes on, unless the error is
    /// ``LocationManagerError/Code-swift.struct/denied``.
    ///
    /// - Parameters:
    ///   - manager: The manager.
    ///   - error: A ``LocationManagerError``.
    func locationManager(_ manager: LocationManager, didFailWithError error: any Error)

    /// The user has decided; also called once soon after the manager was made.
    ///
    /// - Parameter manager: The manager.
    func locationManagerDidChangeAuthorization(_ manager: LocationManager)
}
