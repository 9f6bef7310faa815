// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Dispatch

/// Finds out where the machine is, and tells a delegate: shaped like CoreLocation's manager, over gpsd.
///
/// It is connected while somebody wants locations and the user allows it. When the daemon goes away, the delegate is
/// told, and the manager connects again, with pauses that grow.
///
/// Isolation: to be used on its queue, on which it calls its delegate. It is not `Sendable`, so the compiler keeps it
/// in the isolation in which it was made: the main actor for the main queue.
public final class LocationManager {
    /// How long to wait between attempts to connect.
    public struct Reconnection: Sendable {
        let pauses: GPSDConnection.Pauses

        /// Pauses that begin with the first, and double until they are the longest.
        ///
        /// - Parameters:
        ///   - first: In milliseconds, from 1 to a day.
        ///   - longest: In milliseconds, from the first to a day.
        ///   - greeting: For how long a connection may be silent before gpsd's first line, in milliseconds, from 1 to
        ///     a day.
        public init(first: Int = 100, longest: Int = 5000, greeting: Int = 5000) {
            let day = 86_400_000
            let first = min(max(first, 1), day)
            self.pauses = .init(
                first: Int64(first),
                longest: Int64(min(max(longest, first), day)),
                greeting: Int64(min(max(greeting, 1), day))
            )
        }
    }

    /// How far the manager has come: what to look at when there is no location.
    public enum Contact: Sendable {
        /// There is no connection.
        case none
        /// Somebody listens, and has not said that it is gpsd.
        case port
        /// gpsd has greeted, and has said nothing of a receiver.
        case daemon
        /// gpsd has reported what a receiver says.
        case receiver
    }

    /// A reference that crosses from the event loop to the queue.
    ///
    /// Safe: only used on the manager's queue.
    private struct Reference: @unchecked Sendable { weak var manager: LocationManager? }

    /// Told what is found; not kept alive.
    public weak var delegate: (any LocationManagerDelegate)?

    /// What the user allows, as the delegate knows it.
    public private(set) var authorizationStatus: AuthorizationStatus

    /// How far it has come, or had come when it was stopped.
    public private(set) var contact = Contact.none

    private let host: String
    private let port: Int
    private let permission: LocationPermission
    private let queue: DispatchQueue
    private let reconnection: Reconnection
    private var observer = 0

    private var isUpdating = false
    private var isRequested = false
    private var connection: GPSDConnection?
    private var connectionCount = 0
    private var tracker = FixTracker()

    /// Makes a manager, which connects when it is asked to.
    ///
    /// - Parameters:
    ///   - host: The daemon's name or address.
    ///   - port: The daemon's port.
    ///   - permission: What the user allows.
    ///   - queue: Where the manager is used, and the delegate is called.
    ///   - reconnection: How long to wait between attempts to connect.
    public init(
        host: String = "127.0.0.1",
        port: Int = 2947,
        permission: LocationPermission,
        queue: DispatchQueue = .main,
        reconnection: Reconnection = Reconnection()
    ) {
        (self.host, self.port, self.permission, self.queue) = (host, port, permission, queue)
        self.reconnection = reconnection
        self.authorizationStatus = permission.status
        let reference = Reference(manager: self)
        let notice = { @Sendable in queue.async { reference.manager?.noticePermission() } }
        self.observer = permission.add(notice)
        notice()
    }

    deinit {
        self.permission.remove(self.observer)
        self.connection?.stop()
    }

    /// Asks the user, if that was not done before; the delegate is told the answer.
    public func requestWhenInUseAuthorization() { self.permission.request() }

    /// Wants one location, or one error; errors of the kind `locationUnknown` are told and waited out.
    ///
    /// Cancellation: by ``stopUpdatingLocation()``.
    public func requestLocation() {
        self.isRequested = true
        self.settle()
    }

    /// Wants every location from now on.
    public func startUpdatingLocation() {
        self.isUpdating = true
        self.settle()
    }

    /// Wants no more.
    ///
    /// After it has returned, the delegate is told of no location.
    public func stopUpdatingLocation() {
        (self.isUpdating, self.isRequested) = (false, false)
        self.settle()
    }

    /// Connects or disconnects: the one place which decides that.
    private func settle() {
        let isWanted = self.isUpdating || self.isRequested
        switch (isWanted, self.authorizationStatus) {
        case (true, .authorizedAlways), (true, .authorizedWhenInUse):
            if self.connection == nil { self.connect() }
        // The user has not decided yet: it begins when that is done.
        case (true, .notDetermined), (false, _):
            self.disconnect()
        case (true, .denied), (true, .restricted):
            self.disconnect()
            (self.isUpdating, self.isRequested) = (false, false)
            // Later, as all calls of the delegate.
            let reference = Reference(manager: self)
            self.queue.async { reference.manager?.fail(LocationManagerError(.denied, "The user does not allow it.")) }
        }
    }

    private func connect() {
        self.connectionCount += 1
        self.tracker = FixTracker()
        self.contact = .none
        let (number, queue, reference) = (self.connectionCount, self.queue, Reference(manager: self))
        self.connection = GPSDConnection(host: self.host, port: self.port, pauses: self.reconnection.pauses) { event in
            queue.async { reference.manager?.take(event, of: number) }
        }
    }

    private func disconnect() {
        self.connection?.stop()
        self.connection = nil
    }

    /// The permission may have changed.
    ///
    /// Why not take the new status along: notices of several threads may overtake each other. The last to run sees the
    /// newest status.
    private func noticePermission() {
        self.authorizationStatus = self.permission.status
        self.delegate?.locationManagerDidChangeAuthorization(self)
        self.settle()
    }

    private func take(_ event: GPSDConnection.Event, of number: Int) {
        // Events of a connection that was stopped may still be in the queue.
        guard self.connection != nil, number == self.connectionCount else { return }
        switch event {
        case .problem(let error):
            self.tracker.disconnect()
            self.contact = .none
            self.isRequested = false
            self.fail(error)
            self.settle()
        case .contact(let contact):
            self.contact = contact
        case .position(let position):
            self.contact = .receiver
            self.tell(self.tracker.take(position))
        case .gone(let device):
            self.tell(self.tracker.lose(device))
        }
    }

    private func tell(_ outcome: FixTracker.Outcome) {
        switch outcome {
        case .nothing: break
        case .lost: self.fail(LocationManagerError(.locationUnknown, "No receiver has a fix at this moment."))
        case .deliver(let location):
            self.isRequested = false
            self.delegate?.locationManager(self, didUpdateLocations: [location])
            self.settle()
        }
    }

    private func fail(_ error: LocationManagerError) { self.delegate?.locationManager(self, didFailWithError: error) }
}
