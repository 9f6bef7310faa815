// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@MainActor
@Suite("Seed 001: the location service", .timeLimit(.minutes(10)))
struct LocationServiceTests {
    private let home = Location(latitude: 1, longitude: 2)
    private let work = Location(latitude: 3, longitude: 4)

    private func request(_ service: LocationService) -> Task<Location, any Error> {
        Task { try await service.requestLocation() }
    }

    @Test(arguments: [
        LocationManager.AuthorizationStatus.authorizedWhenInUse, .authorizedAlways,
    ]
    )
    func `an authorized user's location is returned`(_ status: LocationManager.AuthorizationStatus) async throws {
        let manager = LocationManager(status)
        let location = self.request(LocationService(manager: manager))
        await manager.asked.reaches(1)
        manager.find([self.home, self.work])
        #expect(try await location.value == self.home)
        #expect(manager.requests == ["start"])
    }

    @Test func `permission is asked for and granted`() async throws {
        let manager = LocationManager(.notDetermined)
        let service = LocationService(manager: manager)
        let location = self.request(service)
        await manager.asked.reaches(1)
        #expect(manager.requests == ["authorization"])
        // CoreLocation tells the state once when it gets its delegate.
        manager.decide(.notDetermined)
        manager.decide(.authorizedWhenInUse)
        #expect(manager.requests == ["authorization", "start"])
        manager.find([self.home])
        #expect(try await location.value == self.home)
    }

    @Test func `permission is asked for and denied`() async {
        let manager = LocationManager(.notDetermined)
        let service = LocationService(manager: manager)
        let location = self.request(service)
        await manager.asked.reaches(1)
        manager.decide(.denied)
        await #expect(throws: LocationError.denied) { try await location.value }
        #expect(manager.requests == ["authorization"])
    }

    @Test func `a denied permission is an error at once`() async {
        let manager = LocationManager(.denied)
        let service = LocationService(manager: manager)
        await #expect(throws: LocationError.denied) { try await service.requestLocation() }
        // And again: nothing is left over.
        await #expect(throws: LocationError.denied) { try await service.requestLocation() }
        #expect(manager.requests == [])
    }

    @Test func `a failure is thrown`() async throws {
        let manager = LocationManager(.authorizedAlways)
        let service = LocationService(manager: manager)
        let failing = self.request(service)
        await manager.asked.reaches(1)
        manager.fail(LocationError.noSignal)
        await #expect(throws: LocationError.noSignal) { try await failing.value }

        let location = self.request(service)
        await manager.asked.reaches(2)
        manager.find([self.home])
        #expect(try await location.value == self.home)
    }

    /// Where a continuation that was not cleared ends the process.
    @Test func `several updates after one request are harmless`() async throws {
        let place = Place()
        let manager = LocationManager(.authorizedAlways)
        let service = LocationService(manager: manager, place: place)
        let location = self.request(service)
        await manager.asked.reaches(1)
        manager.find([])
        for update in [self.home, self.work, self.home] { manager.find([update]) }
        manager.fail(LocationError.noSignal)
        #expect(try await location.value == self.home)
        #expect(place.reports.isEmpty)

        // A stale update is not the next request's answer.
        let next = self.request(service)
        await manager.asked.reaches(2)
        manager.find([self.work])
        #expect(try await next.value == self.work)
    }

    @Test func `two requests share one update`() async throws {
        let manager = LocationManager(.authorizedAlways)
        let service = LocationService(manager: manager)
        let first = self.request(service)
        await manager.asked.reaches(1)
        let hasBegun = Tally()
        let second = Task {
            hasBegun.add()
            return try await service.requestLocation()
        }
        await hasBegun.reaches(1)
        manager.find([self.home])
        #expect(try await [first.value, second.value] == [self.home, self.home])
        #expect(manager.requests == ["start"])
    }

    @Test func `cancelling stops the updates`() async {
        let manager = LocationManager(.authorizedAlways)
        let service = LocationService(manager: manager)
        let location = self.request(service)
        await manager.asked.reaches(1)
        location.cancel()
        await #expect(throws: CancellationError.self) { try await location.value }
        #expect(manager.requests == ["start", "stop"])
        #expect(!manager.isUpdating)
    }

    // MARK: The service goes away

    @Test func `a request keeps the service alive`() async throws {
        let manager = LocationManager(.authorizedAlways)
        var service: LocationService? = LocationService(manager: manager)
        weak let weakService = service
        let location = Task { [service] in try await service?.requestLocation() }
        service = nil
        await manager.asked.reaches(1)
        #expect(weakService != nil)
        manager.find([self.home])
        #expect(try await location.value == self.home)
        #expect(weakService == nil)
        manager.find([self.work])
    }

    /// The seed's `guard let self`: a caller that does not keep the service alive is told that it is gone.
    @Test func `a caller of a service that is gone hears of it`() async throws {
        let place = Place()
        var service: LocationService? = LocationService(manager: LocationManager(.authorizedAlways), place: place)
        let waiter = try #require(service?.waiter)
        let begun = Tally()
        let location = Task { try await waiter.wait { begun.add() } }
        await begun.reaches(1)
        service = nil
        await #expect(throws: BridgeFault(.slotClosed, made: place.site)) { try await location.value }
        #expect(place.reports.map(\.kind) == [.slotDropped])
        await #expect(throws: BridgeFault(.slotClosed, made: place.site)) { try await waiter.wait {} }
    }
}
