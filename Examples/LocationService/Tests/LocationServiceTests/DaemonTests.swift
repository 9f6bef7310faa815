// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import Foundation
import GPSLocation
import LocationServices
import NIOCore
import Testing

/// Everything together, over a real gpsd, whose receiver the test plays.
@Suite("With a real gpsd", .serialized, .timeLimit(.minutes(10)))
@MainActor
struct DaemonTests {
    private func service(port: Int) -> LocationService<Location> {
        let manager = LocationManager(
            port: port,
            permission: LocationPermission(.authorizedWhenInUse),
            reconnection: .fast
        )
        return LocationService(GPSLocationSource(manager))
    }

    @Test
    func `a request is one answer, although gpsd reports the first epoch three times`() async throws {
        let (port, receiverPort) = (try await RealDaemon.freePort(), try await RealDaemon.freePort())
        let tap = try await Tap(to: port)
        try await RealDaemon.with(port: port, receiver: receiverPort) {
            let service = self.service(port: tap.port)
            var heard: [String] = []
            let loop = Task {
                for try await location in service.locations {
                    heard.append(format(location.timestamp))
                    if heard.count == 5 { return }
                }
            }
            // Connected: from now on it hears all that gpsd says.
            await until { tap.lineCount >= 3 }
            let receiver = try await Receiver(port: receiverPort)
            let requests = (0..<3).map { _ in Task { try await service.requestLocation() } }
            var answers: Set<Location> = []
            for request in requests { answers.insert(try await request.value) }
            #expect(answers.count == 1)
            #expect(answers.first?.coordinate.latitude == 48 + 12.49275 / 60)
            try await loop.value
            try await receiver.stop()
            // Three reports of the first epoch, and more of the next ones perhaps; each epoch once.
            let epochs = tap.epochs
            #expect(epochs.filter { $0 == epochs.first }.count == 3)
            var distinct: [String] = []
            for epoch in epochs where !distinct.contains(epoch) { distinct.append(epoch) }
            #expect(heard == Array(distinct.prefix(5)))
        }
        try await tap.stop()
    }

    @Test
    func `a lost fix interrupts a loop, and does not end it`() async throws {
        let (port, receiverPort) = (try await RealDaemon.freePort(), try await RealDaemon.freePort())
        try await RealDaemon.with(port: port, receiver: receiverPort) {
            let service = self.service(port: port)
            let receiver = try await Receiver(port: receiverPort)
            var codes: [LocationManagerError.Code] = []
            service.onInterruption = { error in
                if let error = error as? LocationManagerError { codes.append(error.code) }
            }
            var locations = service.locations.makeAsyncIterator()
            #expect(try await locations.next() != nil)
            receiver.look(at: .closed)
            await until { codes.contains(.locationUnknown) }
            receiver.look(at: .open)
            // What came before the loss may still be in the buffer; this one is asked for now.
            _ = try await service.requestLocation()
            #expect(try await locations.next() != nil)
            try await receiver.stop()
        }
    }

    /// Compares what a loop gets with what gpsd has said.
    ///
    /// What "lost" and "doubled" mean: a tap between gpsd and the manager writes down each report that gpsd has sent in
    /// full. The loop must get each epoch among them once, in that order. What gpsd was sent while it was dead is no
    /// report; neither is a line that it had not finished.
    @Test
    func `killed and started again 200 times at any moment, no report is lost or doubled`() async throws {
        let (port, receiverPort) = (try await RealDaemon.freePort(), try await RealDaemon.freePort())
        let tap = try await Tap(to: port)
        let receiver = try await Receiver(port: receiverPort, every: .milliseconds(2))
        let service = self.service(port: tap.port)
        var interruptions = 0
        service.onInterruption = { _ in interruptions += 1 }
        var heard: [String] = []
        let loop = Task {
            for try await location in service.locations { heard.append(format(location.timestamp)) }
        }
        var lives = 0
        for _ in 0..<200 {
            let daemon = try RealDaemon(port: port, receiver: receiverPort)
            // From "nothing was said yet" to "in the middle of reports".
            let lines = tap.lineCount + Int.random(in: 0...12)
            await until { tap.lineCount >= lines }
            try await daemon.kill()
            lives += 1
        }
        try await RealDaemon.with(port: port, receiver: receiverPort) {
            // The last life: the loop has gone on.
            let count = tap.epochs.count
            await until { tap.epochs.count > count + 10 }
            let last = tap.epochs[count + 10]
            await until { heard.contains(last) }
            loop.cancel()
            _ = await loop.result
            let epochs = tap.epochs
            var distinct: [String] = []
            var seen: Set<String> = []
            for epoch in epochs where seen.insert(epoch).inserted { distinct.append(epoch) }
            #expect(heard == Array(distinct.prefix(heard.count)))
            #expect(heard.contains(last))
            #expect(lives == 200)
            // The test is worth something: gpsd has repeated itself, and was heard in most of its lives.
            #expect(epochs.count > distinct.count)
            #expect(tap.connectionCount > 100)
            #expect(heard.count > 200)
            #expect(interruptions > 50)
        }
        try await receiver.stop()
        try await tap.stop()
    }

    @Test
    func `requests that are cancelled at any moment leave no connection, and the next one is answered`() async throws {
        try await FakeDaemon.with(answer: [FakeDaemon.watch, report(1), report(2)]) { daemon in
            let service = self.service(port: daemon.port)
            for pause in 0..<200 {
                let request = Task { try await service.requestLocation() }
                let cancel = Task { @concurrent in
                    for _ in 0..<pause { await Task.yield() }
                    request.cancel()
                }
                if case .failure(let error) = await request.result { #expect(error is CancellationError) }
                await cancel.value
            }
            let location = try await service.requestLocation()
            #expect(format(location.timestamp) == time(1))
            await until { daemon.count == 0 }
        }
    }

    @Test
    func `nothing is left: no connection, no task, no wait`() async throws {
        weak var service: LocationService<Location>?
        try await FakeDaemon.with { daemon in
            do {
                let strong = self.service(port: daemon.port)
                service = strong
                let loop = Task { for try await _ in strong.locations {} }
                let request = Task { try await strong.requestLocation() }
                let connection = try await daemon.connection()
                try await connection.send(report(1))
                _ = try await request.value
                loop.cancel()
                _ = await loop.result
                try await connection.ended()
            }
            await until { service == nil && daemon.count == 0 }
        }
    }
}
