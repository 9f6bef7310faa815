// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Foundation
import GPSLocation
import NIOCore
import Testing

/// The manager and its delegate, against a daemon that says what the test wants.
@Suite("The manager", .timeLimit(.minutes(10)))
@MainActor
struct ManagerTests {
    @Test
    func `three reports of an epoch are one location, and one request is one answer`() async throws {
        try await FakeDaemon.with { daemon in
            let recorder = ManagerRecorder(port: daemon.port)
            #expect(try await recorder.next() == .authorization(.authorizedWhenInUse))
            recorder.manager.requestLocation()
            let connection = try await daemon.connection()
            try await connection.send(report(1, mode: 2), report(1), report(1), report(2))
            #expect(try await recorder.next() == .update([time(1)]))
            try await connection.ended()
            await mainQueue()
            #expect(recorder.poll() == nil)
            recorder.manager.startUpdatingLocation()
            let second = try await daemon.connection()
            try await second.send(report(3, mode: 2), report(3), report(3), report(4), report(4))
            #expect(try await recorder.next() == .update([time(3)]))
            #expect(try await recorder.next() == .update([time(4)]))
            recorder.manager.stopUpdatingLocation()
            try await second.ended()
            await mainQueue()
            #expect(recorder.poll() == nil)
            #expect(recorder.locations.map(\.altitude) == [0, 0, 170.5])
        }
    }

    @Test
    func `bytes one by one, and many lines at once, are the same lines`() async throws {
        try await FakeDaemon.with { daemon in
            let recorder = ManagerRecorder(port: daemon.port)
            _ = try await recorder.next()
            recorder.manager.startUpdatingLocation()
            let connection = try await daemon.connection()
            for byte in (report(1) + "\r\n").utf8 { try await connection.write(bytes: [byte]) }
            #expect(try await recorder.next() == .update([time(1)]))
            try await connection.write((2...100).map { report($0) + "\n" }.joined())
            for second in 2...100 { #expect(try await recorder.next() == .update([time(second)])) }
            recorder.manager.stopUpdatingLocation()
            try await connection.ended()
        }
    }

    @Test
    func `several devices are told apart`() async throws {
        try await FakeDaemon.with { daemon in
            let recorder = ManagerRecorder(port: daemon.port)
            _ = try await recorder.next()
            recorder.manager.startUpdatingLocation()
            let connection = try await daemon.connection()
            try await connection.send(report(1, device: "a"), report(1, device: "b"), report(1, device: "a"), report(2))
            for second in [1, 1, 2] { #expect(try await recorder.next() == .update([time(second)])) }
            #expect(recorder.locations.map(\.device) == ["a", "b", "/dev/gps0"])
            recorder.manager.stopUpdatingLocation()
            try await connection.ended()
        }
    }

    @Test
    func `a port that says nothing is an error, and is asked again`() async throws {
        try await FakeDaemon.with(greeting: [], answer: []) { daemon in
            let recorder = ManagerRecorder(port: daemon.port, reconnection: .init(first: 1, longest: 20, greeting: 50))
            _ = try await recorder.next()
            recorder.manager.startUpdatingLocation()
            let first = try await daemon.connection()
            #expect(try await recorder.next() == .failure(.malformedData))
            let text = "What listens at 127.0.0.1 port \(daemon.port) says nothing. A gpsd greets at once."
            #expect(recorder.errors.map(\.description) == [text])
            try await first.ended()
            let second = try await daemon.connection()
            recorder.manager.stopUpdatingLocation()
            try await second.ended()
            #expect(recorder.poll() == nil)
        }
    }

    @Test
    func `a daemon that has greeted may be silent as long as it likes`() async throws {
        try await FakeDaemon.with { daemon in
            let recorder = ManagerRecorder(
                port: daemon.port,
                reconnection: .init(first: 1, longest: 20, greeting: 2000)
            )
            _ = try await recorder.next()
            recorder.manager.startUpdatingLocation()
            let connection = try await daemon.connection()
            await until { recorder.manager.contact == .daemon }
            // Longer than the greeting may take.
            let isLate = CoPromise<Void>()
            connection.channel.eventLoop.scheduleTask(in: .milliseconds(2200)) { isLate.success(()) }
            try await isLate.value
            try await connection.send(report(1))
            #expect(try await recorder.next() == .update([time(1)]))
            #expect(recorder.manager.contact == .receiver)
            recorder.manager.stopUpdatingLocation()
            try await connection.ended()
        }
    }

    @Test
    func `a lost fix is an error, once, and it goes on`() async throws {
        try await FakeDaemon.with { daemon in
            let recorder = ManagerRecorder(port: daemon.port)
            _ = try await recorder.next()
            recorder.manager.startUpdatingLocation()
            let connection = try await daemon.connection()
            try await connection.send(report(1), report(2, mode: 1), report(3, mode: 1), report(4), report(5, mode: 0))
            #expect(try await recorder.next() == .update([time(1)]))
            #expect(try await recorder.next() == .failure(.locationUnknown))
            #expect(try await recorder.next() == .update([time(4)]))
            #expect(try await recorder.next() == .failure(.locationUnknown))
            recorder.manager.stopUpdatingLocation()
            try await connection.ended()
        }
    }

    @Test(arguments: [
        "nonsense\n", "\n", "{\"class\":\"TPV\",\"mode\":\"3\"}\n", "\u{1b}]0;title\u{7}\n",
        "{\"class\":\"ERROR\",\"message\":\"no \u{1b}[31m\"}\n",
        String(repeating: "x", count: 70_000) + "\n", String(repeating: "x", count: 200_000),
        String(repeating: "{\"a\":", count: 5000) + "\n",
        // Sense, but too much of it.
        report(9) + String(repeating: " ", count: 70_000) + "\n",
    ]
    )
    func `what makes no sense is an error, and the connection is made anew`(text: String) async throws {
        try await FakeDaemon.with { daemon in
            let recorder = ManagerRecorder(port: daemon.port)
            _ = try await recorder.next()
            recorder.manager.startUpdatingLocation()
            let connection = try await daemon.connection()
            try await connection.send(report(1))
            #expect(try await recorder.next() == .update([time(1)]))
            // What follows it in the same bytes is not believed. To write it may fail: the connection is closed
            // meanwhile.
            try? await connection.write(text + report(2) + "\n")
            try await connection.ended()
            #expect(try await recorder.next() == .failure(.malformedData))
            let next = try await daemon.connection()
            // A daemon that repeats itself after that.
            try await next.send(report(1), report(3))
            #expect(try await recorder.next() == .update([time(3)]))
            recorder.manager.stopUpdatingLocation()
            try await next.ended()
            #expect(recorder.errors.allSatisfy { $0.description.unicodeScalars.allSatisfy { $0.value >= 32 } })
        }
    }

    @Test(arguments: [
        #"{"class":"VERSION","release":"9","proto_major":4,"proto_minor":0}"#, "SSH-2.0-OpenSSH_9.2",
        "HTTP/1.1 400 Bad Request", FakeDaemon.watch,
    ]
    )
    func `who is no gpsd of version 3 is told so, once, and tried again`(greeting: String) async throws {
        try await FakeDaemon.with(greeting: [greeting]) { daemon in
            let recorder = ManagerRecorder(port: daemon.port)
            _ = try await recorder.next()
            recorder.manager.startUpdatingLocation()
            #expect(try await recorder.next() == .failure(.malformedData))
            for _ in 0..<3 { try await daemon.connection().ended() }
            recorder.manager.stopUpdatingLocation()
            await mainQueue()
            #expect(recorder.poll() == nil)
        }
    }

    @Test
    func `a daemon that is not there is an error, once; when it comes, it goes on`() async throws {
        let port = try await RealDaemon.freePort()
        let recorder = ManagerRecorder(port: port)
        _ = try await recorder.next()
        recorder.manager.startUpdatingLocation()
        #expect(try await recorder.next() == .failure(.network))
        #expect(recorder.errors[0].description.contains("127.0.0.1 port \(port)"))
        for round in 1...3 {
            try await FakeDaemon.with(port: port) { daemon in
                let connection = try await daemon.connection()
                try await connection.send(report(round))
                var event = try await recorder.next()
                // A connection that was made just before the daemon of the last round ended.
                while event == .failure(.network) { event = try await recorder.next() }
                #expect(event == .update([time(round)]))
                try await connection.close()
                #expect(try await recorder.next() == .failure(.network))
            }
        }
        recorder.manager.stopUpdatingLocation()
        // Not one for each attempt.
        #expect(recorder.errors.count <= 7)
    }

    @Test
    func `a request fails when the daemon is not there, and asks no more`() async throws {
        let port = try await RealDaemon.freePort()
        let recorder = ManagerRecorder(port: port)
        _ = try await recorder.next()
        recorder.manager.requestLocation()
        #expect(try await recorder.next() == .failure(.network))
        try await FakeDaemon.with(port: port) { daemon in
            recorder.manager.requestLocation()
            let connection = try await daemon.connection()
            try await connection.send(report(1))
            #expect(try await recorder.next() == .update([time(1)]))
            try await connection.ended()
            // An attempt of the first request may have met the new daemon, and ends as well.
            await until { daemon.count == 0 }
        }
    }

    @Test(arguments: 0..<20)
    func `after stopping, nothing is told any more, at any moment`(round: Int) async throws {
        try await FakeDaemon.with { daemon in
            let recorder = ManagerRecorder(port: daemon.port)
            _ = try await recorder.next()
            recorder.manager.startUpdatingLocation()
            let connection = try await daemon.connection()
            try await connection.write((0..<50).map { report($0) + "\n" }.joined())
            for _ in 0..<round { await Task.yield() }
            recorder.manager.stopUpdatingLocation()
            let told = recorder.locations.count
            try await connection.ended()
            await mainQueue()
            #expect(recorder.locations.count == told)
        }
    }

    // MARK: Permission

    @Test
    func `nothing is connected before the user allows it, and nothing after the user forbids it`() async throws {
        try await FakeDaemon.with { daemon in
            let answer = CoPromise<AuthorizationStatus>()
            let permission = LocationPermission(.notDetermined) { reply in answer.future.whenSuccess { reply($0) } }
            let recorder = ManagerRecorder(port: daemon.port, permission: permission)
            #expect(try await recorder.next() == .authorization(.notDetermined))
            recorder.manager.startUpdatingLocation()
            recorder.manager.requestWhenInUseAuthorization()
            await mainQueue()
            #expect(daemon.count == 0)
            answer.success(.authorizedAlways)
            #expect(try await recorder.next() == .authorization(.authorizedAlways))
            let connection = try await daemon.connection()
            try await connection.send(report(1))
            #expect(try await recorder.next() == .update([time(1)]))
            permission.status = .restricted
            #expect(try await recorder.next() == .authorization(.restricted))
            #expect(try await recorder.next() == .failure(.denied))
            try await connection.ended()
            recorder.manager.requestLocation()
            #expect(try await recorder.next() == .failure(.denied))
            #expect(daemon.count == 0)
        }
    }

    @Test
    func `the user is asked once, whoever wants to know`() async throws {
        let asked = Heard()
        let answer = CoPromise<AuthorizationStatus>()
        let permission = LocationPermission(.notDetermined) { reply in
            asked.add(1)
            answer.future.whenSuccess { reply($0) }
        }
        let recorders = (0..<3).map { _ in ManagerRecorder(port: 1, permission: permission) }
        for recorder in recorders {
            #expect(try await recorder.next() == .authorization(.notDetermined))
            recorder.manager.requestWhenInUseAuthorization()
        }
        answer.success(.denied)
        for recorder in recorders {
            #expect(try await recorder.next() == .authorization(.denied))
            recorder.manager.requestWhenInUseAuthorization()
        }
        #expect(asked.values == [1])
    }

    @Test
    func `a manager that is released leaves no connection, and is kept by nothing`() async throws {
        try await FakeDaemon.with { daemon in
            weak var manager: LocationManager?
            let permission = LocationPermission(.authorizedAlways)
            let connection: FakeDaemon.Connection
            do {
                let recorder = ManagerRecorder(port: daemon.port, permission: permission)
                manager = recorder.manager
                recorder.manager.startUpdatingLocation()
                connection = try await daemon.connection()
                try await connection.send(report(1))
                #expect(try await recorder.next() == .authorization(.authorizedAlways))
                #expect(try await recorder.next() == .update([time(1)]))
            }
            try await connection.ended()
            #expect(manager == nil)
            permission.status = .denied
        }
    }
}
