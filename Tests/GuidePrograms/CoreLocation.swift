// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "I use Core Location".

// snippet.SERVICE
import AsyncBridge
import CoreLocation

@MainActor
final class LocationService: NSObject, @MainActor CLLocationManagerDelegate {
    private let manager: CLLocationManager
    private let permission = ReplySlot<CLAuthorizationStatus>(overlap: .share)
    private let fix = ReplySlot<CLLocation>(overlap: .share)

    init(manager: CLLocationManager) {
        self.manager = manager
        super.init()
        manager.delegate = self
    }

    func currentLocation() async throws -> CLLocation {
        if self.manager.authorizationStatus == .notDetermined {
            _ = try await self.permission.wait(keepingAlive: self) { self.manager.requestWhenInUseAuthorization() }
        }
        return try await self.fix.wait(keepingAlive: self, timeout: .seconds(30)) {
            self.manager.requestLocation()
        } onCancel: {
            self.manager.stopUpdatingLocation()
        }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        // Called as soon as there is a delegate, too.
        guard manager.authorizationStatus != .notDetermined else { return }
        self.permission.resume(returning: manager.authorizationStatus)
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        guard let location = locations.last else { return }
        self.fix.resume(returning: location)
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        self.fix.resume(throwing: error)
    }
}
// snippet.end

// snippet.FEED
@MainActor
final class LocationFeed: NSObject, @MainActor CLLocationManagerDelegate {
    let locations: CallbackSequence<CLLocation, any Error>
    private let sink: CallbackSequence<CLLocation, any Error>.Sink
    private let manager: CLLocationManager

    init(manager: CLLocationManager) {
        self.manager = manager
        (self.locations, self.sink) = CallbackSequence.makeSequence(buffering: .bounded(1, whenFull: .dropOldest))
        super.init()
        // The teardown runs where the end is noticed; the manager is the main actor's.
        self.sink.onTermination { [weak self] _ in Task { @MainActor in self?.manager.stopUpdatingLocation() } }
        manager.delegate = self
        manager.startUpdatingLocation()
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations { self.sink.yield(location) }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) { self.sink.fail(error) }
}
// snippet.end

@MainActor
func watch(_ feed: LocationFeed) async throws {
    var number = 0
    // snippet.LOOP
    for try await location in feed.locations {
        show(location)
        number += 1
        if number == 3 { break }
    }
    // snippet.end
}

let service = LocationService(manager: CLLocationManager())
async let here = service.currentLocation()
async let alsoHere = service.currentLocation()
show(try await here)
show(try await alsoHere)
let feed = LocationFeed(manager: CLLocationManager())
try await watch(feed)
// So that what the teardown has started is seen.
for _ in 1...10 { await Task.yield() }

@MainActor
func show(_ location: CLLocation) { print("\(location.coordinate.latitude), \(location.coordinate.longitude)") }
