// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a location service needs of a manager with a delegate.
@MainActor
public protocol LocationSource<Location>: AnyObject {
    /// A place and its time.
    associatedtype Location: Sendable

    /// Gets all that the manager tells its delegate.
    var onEvent: ((LocationEvent<Location>) -> Void)? { get set }

    /// What the user allows.
    var authorization: LocationAuthorization { get }

    /// Asks the user; the answer is an event.
    func requestWhenInUseAuthorization()

    /// Starts to find locations.
    func startUpdatingLocation()

    /// Ends that. Locations may still be on their way.
    func stopUpdatingLocation()
}

/// What the user allows.
public enum LocationAuthorization: Sendable {
    /// Not asked yet.
    case notDetermined
    /// The user, or somebody for the user, has said no.
    case denied
    /// The user has said yes.
    case authorized
}

/// What a manager tells its delegate.
public enum LocationEvent<Location: Sendable>: Sendable {
    /// There are new locations.
    case update([Location])
    /// There is no location at this moment, and one may come.
    case unknown(any Error)
    /// There is no location.
    case failure(any Error)
    /// The user has decided.
    case authorizationChange
}

/// Why there is no location.
public enum LocationError: Error {
    /// The user does not allow it.
    case denied
}
