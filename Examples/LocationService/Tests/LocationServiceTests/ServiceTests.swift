// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Foundation
import LocationServices
import OpenCombineShim
import Testing

/// The seed's logic, and what the seed lacks, over a manager that does what the test says.
@Suite("The service", .timeLimit(.minutes(10)))
@MainActor
struct ServiceTests {
    private struct Trouble: Error {}

    private let source = ScriptedSource()

    @Test
    func `a request starts the manager, gets the newest location, and stops the manager`() async throws {
        let service = LocationService(self.source)
        let request = Task { try await service.requestLocation() }
        await until { self.source.isRunning }
        self.source.send(.update([1, 2]))
        #expect(try await request.value == 2)
        #expect((self.source.starts, self.source.stops, self.source.requests) == (1, 1, 0))
    }

    @Test
    func `callers at the same time share one request`() async throws {
        let service = LocationService(self.source)
        let requests = Heard()
        let tasks = (0..<10).map { _ in
            Task {
                requests.add(1)
                return try await service.requestLocation()
            }
        }
        await until { requests.values.count == 10 }
        await mainQueue()
        self.source.send(.update([7]))
        for task in tasks { #expect(try await task.value == 7) }
        #expect((self.source.starts, self.source.stops) == (1, 1))
    }

    @Test
    func `who was not asked yet is asked, and then it is requested`() async throws {
        let source = ScriptedSource(.notDetermined)
        let service = LocationService(source)
        let request = Task { try await service.requestLocation() }
        await until { source.requests == 1 }
        #expect(source.starts == 0)
        // Managers tell it once at the beginning, when nothing has been decided.
        source.send(.authorizationChange)
        #expect(source.starts == 0)
        source.decide(.authorized)
        #expect(source.starts == 1)
        source.send(.update([3]))
        #expect(try await request.value == 3)
    }

    @Test
    func `who says no is the end of a request, and of a later one`() async throws {
        let source = ScriptedSource(.notDetermined)
        let service = LocationService(source)
        let request = Task { try await service.requestLocation() }
        await until { source.requests == 1 }
        source.decide(.denied)
        await #expect(throws: LocationError.denied) { try await request.value }
        await #expect(throws: LocationError.denied) { try await service.requestLocation() }
        await #expect(throws: LocationError.denied) { for try await _ in service.locations {} }
        #expect((source.starts, source.requests) == (0, 1))
        source.decide(.authorized)
        let later = Task { try await service.requestLocation() }
        await until { source.isRunning }
        source.send(.update([4]))
        #expect(try await later.value == 4)
    }

    @Test
    func `a permission that is taken back ends loops and requests, and stops the manager`() async throws {
        let service = LocationService(self.source)
        service.onInterruption = { error in Issue.record("an interruption: \(error)") }
        let (loop, heard) = self.listen(to: service)
        await until { self.source.isRunning }
        let request = Task { try await service.requestLocation() }
        await mainQueue()
        self.source.send(.update([1]))
        await until { heard.values == [1] }
        _ = try await request.value
        let second = Task { try await service.requestLocation() }
        await mainQueue()
        self.source.decide(.denied)
        self.source.send(.failure(Trouble()))
        await #expect(throws: LocationError.denied) { try await loop.value }
        await #expect(throws: LocationError.denied) { try await second.value }
        #expect((self.source.starts, self.source.stops) == (1, 1))
    }

    @Test
    func `an error for a moment is waited out; another ends the requests, and no loop`() async throws {
        let service = LocationService(self.source)
        var interruptions = 0
        service.onInterruption = { _ in interruptions += 1 }
        let (loop, heard) = self.listen(to: service)
        let first = Task { try await service.requestLocation() }
        let second = Task { try await service.requestLocation() }
        await until { self.source.isRunning }
        // Both wait, and the loop has begun.
        await mainQueue()
        self.source.send(.unknown(Trouble()))
        #expect(interruptions == 1)
        self.source.send(.failure(Trouble()))
        await #expect(throws: Trouble.self) { try await first.value }
        await #expect(throws: Trouble.self) { try await second.value }
        #expect(interruptions == 2)
        #expect(self.source.stops == 0)
        self.source.send(.update([5]))
        await until { heard.values == [5] }
        loop.cancel()
        _ = await loop.result
        await until { self.source.stops == 1 }
    }

    // MARK: Cancellation

    @Test
    func `in a cancelled task nothing is started`() async throws {
        let service = LocationService(self.source)
        let request = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await service.requestLocation()
        }
        await #expect(throws: CancellationError.self) { try await request.value }
        #expect(self.source.starts == 0)
    }

    @Test
    func `when a caller is cancelled, the others go on; when the last is, the manager stops`() async throws {
        let service = LocationService(self.source)
        let entered = Heard()
        let tasks = (0..<3).map { _ in
            Task {
                entered.add(1)
                return try await service.requestLocation()
            }
        }
        await until { entered.values.count == 3 && self.source.isRunning }
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        #expect(self.source.stops == 0)
        tasks[2].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[2].value }
        #expect(self.source.stops == 0)
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        #expect(self.source.stops == 1)
        // A location that was on its way is for nobody.
        self.source.send(.update([1]))
        let next = Task { try await service.requestLocation() }
        await until { self.source.starts == 2 }
        self.source.send(.update([2]))
        #expect(try await next.value == 2)
    }

    @Test(
        arguments: 0..<20
    )
    func `cancelled at any moment, a request has ended, and the manager stops as often as it starts`(round: Int)
        async throws
    {
        let service = LocationService(self.source)
        for pause in 0..<25 {
            let request = Task { try await service.requestLocation() }
            let answer = Task {
                for _ in 0..<round { await Task.yield() }
                self.source.send(.update([pause]))
            }
            // In another thread, which meets the request where it will.
            let cancel = Task { @concurrent in
                for _ in 0..<pause { await Task.yield() }
                request.cancel()
            }
            let result = await request.result
            await answer.value
            await cancel.value
            switch result {
            case .success(let location): #expect(location == pause)
            case .failure(let error): #expect(error is CancellationError)
            }
            #expect(self.source.starts == self.source.stops)
        }
        #expect(self.source.starts > 0)
    }

    @Test
    func `cancelled while the user is asked, it does not start when the user allows it`() async throws {
        let source = ScriptedSource(.notDetermined)
        let service = LocationService(source)
        let request = Task { try await service.requestLocation() }
        await until { source.requests == 1 }
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        source.decide(.authorized)
        #expect(source.starts == 0)
    }

    @Test
    func `a request times out, by any clock, and the manager stops`() async throws {
        let service = LocationService(self.source)
        let clock = TestClock()
        let request = Task { try await service.requestLocation(timeout: .after(.seconds(30), on: clock)) }
        try await clock.sleepers(atLeast: 1)
        #expect(self.source.isRunning)
        clock.advance(by: .seconds(30))
        await #expect {
            try await request.value
        } throws: { error in
            (error as? BridgeFault)?.code == .timedOut
        }
        #expect(self.source.stops == 1)
    }

    // MARK: Loops

    @Test
    func `each loop gets every location; the manager runs until the last is left`() async throws {
        let service = LocationService(self.source)
        let (first, firstHeard) = self.listen(to: service)
        let (second, secondHeard) = self.listen(to: service)
        await until { firstHeard.hasBegun && secondHeard.hasBegun }
        await mainQueue()
        for number in 0..<100 { self.source.send(.update([2 * number, 2 * number + 1])) }
        await until { firstHeard.values.count == 200 && secondHeard.values.count == 200 }
        #expect(firstHeard.values == Array(0..<200))
        #expect(secondHeard.values == Array(0..<200))
        first.cancel()
        _ = await first.result
        await mainQueue()
        #expect(self.source.stops == 0)
        second.cancel()
        _ = await second.result
        await mainQueue()
        #expect((self.source.starts, self.source.stops) == (1, 1))
    }

    @Test
    func `loops that begin and end at any moment leave nothing running`() async throws {
        let service = LocationService(self.source)
        await withTaskGroup { group in
            for pause in 0..<200 {
                group.addTask { @concurrent in
                    let loop = Task {
                        for try await _ in service.locations { return }
                    }
                    for _ in 0..<(pause % 20) { await Task.yield() }
                    loop.cancel()
                    _ = await loop.result
                }
                self.source.send(.update([pause]))
            }
        }
        await mainQueue()
        #expect(self.source.starts == self.source.stops)
        #expect(self.source.starts > 0)
    }

    @Test
    func `a slow consumer holds nobody up: the newest 256 wait for it, or as many as it chooses`() async throws {
        let service = LocationService(self.source)
        var slow = service.locations.makeAsyncIterator()
        var newest = service.locations(buffering: .newest(capacity: 1)).makeAsyncIterator()
        await mainQueue()
        for number in 0..<1000 { self.source.send(.update([number])) }
        var heard: [Int] = []
        for _ in 0..<256 { if let number = try await slow.next() { heard.append(number) } }
        #expect(heard == Array(744..<1000))
        #expect(try await newest.next() == 999)
    }

    // MARK: Styles

    @Test
    func `subscribers get locations on the main actor, and stop the manager when they cancel`() async throws {
        let service = LocationService(self.source)
        var heard: [Int] = []
        let cancellable = service.locationPublisher.sink { _ in
        } receiveValue: { number in
            MainActor.assumeIsolated { heard.append(number) }
        }
        await until { self.source.isRunning }
        for number in 0..<10 { self.source.send(.update([number])) }
        await until { heard.count == 10 }
        #expect(heard == Array(0..<10))
        cancellable.cancel()
        await until { self.source.stops == 1 }
    }

    @Test
    func `a publisher requests a location for each subscriber; a refusal is its failure`() async throws {
        let service = LocationService(self.source)
        let value = Task { try await service.requestLocationPublisher().firstValue() }
        await until { self.source.isRunning }
        self.source.send(.update([9]))
        #expect(try await value.value == 9)
        self.source.decide(.denied)
        await #expect(throws: LocationError.denied) { try await service.locationPublisher.firstValue() }
        await #expect(throws: LocationError.denied) { try await service.requestLocationPublisher().firstValue() }
    }

    @Test
    func `coroutines wait in synchronous code, and are cancelled`() async throws {
        let service = LocationService(self.source)
        let heard = Heard()
        let request = Task { @concurrent in
            try await withCoroutine { () -> Int in
                let first = try service.awaitLocation()
                try service.forEachLocation { number in
                    heard.add(number)
                    if number == 3 { throw Trouble() }
                }
                return first
            }
        }
        await until { self.source.isRunning }
        self.source.send(.update([1]))
        await until { self.source.starts == 2 }
        for number in 2...3 { self.source.send(.update([number])) }
        await #expect(throws: Trouble.self) { try await request.value }
        #expect(heard.values == [2, 3])
        await until { self.source.stops == 2 }
        let cancelled = Task { @concurrent in try await withCoroutine { try service.awaitLocation() } }
        await until { self.source.starts == 3 }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        await until { self.source.stops == 3 }
    }

    @Test
    func `a future is for any style, and its end ends the request`() async throws {
        let service = LocationService(self.source)
        let future = service.locationFuture()
        await until { self.source.isRunning }
        self.source.send(.update([6]))
        #expect(try await future.value == 6)
        let cancelled = service.locationFuture()
        await until { self.source.starts == 2 }
        cancelled.cancel()
        await until { self.source.stops == 2 }
    }

    @Test
    func `a service that nobody uses is released, and its late manager harms nobody`() async throws {
        weak var service: LocationService<Int>?
        do {
            let strong = LocationService(self.source)
            service = strong
            let request = Task { try await strong.requestLocation() }
            await until { self.source.isRunning }
            request.cancel()
            _ = await request.result
            let (loop, heard) = self.listen(to: strong)
            await until { heard.hasBegun }
            loop.cancel()
            _ = await loop.result
        }
        await until { service == nil }
        self.source.send(.update([1]))
        #expect(self.source.starts == self.source.stops)
    }

    /// Listens in a task of the pool.
    private func listen(to service: LocationService<Int>) -> (Task<Void, any Error>, Heard) {
        let heard = Heard()
        let loop = Task { @concurrent in
            var locations = service.locations.makeAsyncIterator()
            heard.begin()
            while let location = try await locations.next() { heard.add(location) }
        }
        return (loop, heard)
    }
}
