// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// What the user allows, named as in CoreLocation.
public enum AuthorizationStatus: String, Sendable {
    /// The user was not asked yet.
    case notDetermined
    /// The user may not decide.
    case restricted
    /// The user has said no.
    case denied
    /// The user has said yes, for always.
    case authorizedAlways
    /// The user has said yes, for while the program is in use.
    case authorizedWhenInUse
}

/// The user's permission, which managers look at: what the privacy settings are on Apple's systems.
///
/// gpsd asks nobody. So the program decides what it asks, and where it keeps the answer.
///
/// Isolation: may be used on any thread.
public final class LocationPermission: Sendable {
    private struct State {
        var status: AuthorizationStatus
        var isAsking = false
        var observers: [Int: @Sendable () -> Void] = [:]
        var observerCount = 0
    }

    private let state: Mutex<State>
    private let ask: @Sendable (_ answer: @escaping @Sendable (AuthorizationStatus) -> Void) -> Void

    /// Makes a permission.
    ///
    /// - Parameters:
    ///   - status: What is known already.
    ///   - ask: Asks the user, and calls back on any thread; called when a manager requests it and nothing is known,
    ///     not twice at the same time. If it answers ``AuthorizationStatus/notDetermined``, it may be called again.
    public init(
        _ status: AuthorizationStatus,
        ask: @escaping @Sendable (_ answer: @escaping @Sendable (AuthorizationStatus) -> Void) -> Void = { $0(.denied) }
    ) {
        self.state = Mutex(State(status: status))
        self.ask = ask
    }

    /// What the user allows; setting it tells the managers.
    public var status: AuthorizationStatus {
        get { self.state.withLock { $0.status } }
        set { self.settle(newValue) }
    }

    /// Asks the user, unless that is done or being done.
    func request() {
        let mustAsk = self.state.withLock { state in
            guard state.status == .notDetermined, !state.isAsking else { return false }
            state.isAsking = true
            return true
        }
        if mustAsk { self.ask { self.settle($0) } }
    }

    private func settle(_ status: AuthorizationStatus) {
        let observers = self.state.withLock { state in
            state.status = status
            state.isAsking = false
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Adds a closure that is told of changes, on the thread that makes them.
    ///
    /// - Returns: What ``remove(_:)`` takes.
    func add(_ observer: @escaping @Sendable () -> Void) -> Int {
        self.state.withLock { state in
            state.observerCount += 1
            state.observers[state.observerCount] = observer
            return state.observerCount
        }
    }

    func remove(_ observer: Int) {
        // Released outside the lock.
        _ = self.state.withLock { $0.observers.removeValue(forKey: observer) }
    }
}
