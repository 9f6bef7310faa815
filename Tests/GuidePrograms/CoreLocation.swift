// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Core Location".

// snippet.SERVICE
import AsyncBridge
import CoreLocation

@MainActor
final class LocationService: NSObject, @MainActor CLLocationManagerDelegate {
    private let manager: CLLocationManager
    private let permission = ReplySlot<CLAuthorizationStatus>(overlap: .share)
    private let fix = ReplySlot<CLLocation>(overlap: .share)

    init(manager: CLLocationManager = CLLocationManager()) {
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

    init(accuracy: CLLocationAccuracy = kCLLocationAccuracyBest) {
        (self.locations, self.sink) = CallbackSequence.makeSequence(buffering: .newest(capacity: 1))
        super.init()
        // A manager for each feed, and not `self`: who leaves the loop may have released the feed when this runs.
        // Safe: used on the main actor only.
        nonisolated(unsafe) let manager = CLLocationManager()
        self.sink.onTermination { _ in Task { @MainActor in manager.stopUpdatingLocation() } }
        manager.desiredAccuracy = accuracy
        manager.delegate = self
        manager.requestWhenInUseAuthorization()  // Does nothing if the user has answered.
        manager.startUpdatingLocation()
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations { self.sink.yield(location) }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        // There is no location yet: the manager goes on.
        if (error as? CLError)?.code == .locationUnknown { return }
        self.sink.fail(error)
    }
}
// snippet.end

@MainActor
func watch() async throws {
    var number = 0
    // snippet.LOOP
    let feed = LocationFeed()
    for try await location in feed.locations {
        show(location)
        number += 1
        if number == 3 { break }
    }
    // snippet.end
}

/// What the teardown has started runs meanwhile.
@MainActor
func settle() async { for _ in 1...20 { await Task.yield() } }

@MainActor
func report() { print("running: \(CLLocationManager.updating)") }

print("a loop asks for permission:")
try await watch()
print("and another follows at once:")
try await watch()
await settle()
report()

print("two callers:")
let service = LocationService()
async let here = service.currentLocation()
async let alsoHere = service.currentLocation()
show(try await here)
show(try await alsoHere)

print("cancelled:")
CLLocationManager.isHearing = false
let indoors = LocationService()
let callers = [Task { try await indoors.currentLocation() }, Task { try await indoors.currentLocation() }]
while CLLocationManager.updating == 0 { await Task.yield() }
await settle()
for caller in callers {
    caller.cancel()
    do { show(try await caller.value) } catch { print(error) }
    report()
}
let watcher = Task { try await watch() }
while CLLocationManager.updating == 0 { await Task.yield() }
watcher.cancel()
do { try await watcher.value } catch { print(error) }
await settle()
report()

@MainActor
func show(_ location: CLLocation) { print("\(location.coordinate.latitude), \(location.coordinate.longitude)") }
