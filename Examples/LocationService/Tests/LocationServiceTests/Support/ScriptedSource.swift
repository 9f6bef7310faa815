// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import LocationServices

/// A manager that does what the test says, and whose locations are numbers.
@MainActor
final class ScriptedSource: LocationSource {
    typealias Location = Int

    var onEvent: ((LocationEvent<Int>) -> Void)?
    private(set) var authorization: LocationAuthorization
    private(set) var requests = 0
    private(set) var starts = 0
    private(set) var stops = 0

    var isRunning: Bool { self.starts > self.stops }

    init(_ authorization: LocationAuthorization = .authorized) { self.authorization = authorization }

    func requestWhenInUseAuthorization() { self.requests += 1 }
    func startUpdatingLocation() { self.starts += 1 }
    func stopUpdatingLocation() { self.stops += 1 }

    func send(_ event: LocationEvent<Int>) { self.onEvent?(event) }

    func decide(_ authorization: LocationAuthorization) {
        self.authorization = authorization
        self.send(.authorizationChange)
    }
}
