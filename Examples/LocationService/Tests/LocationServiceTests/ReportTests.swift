// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import NIOCore
import Testing

@testable import GPSLocation

/// What gpsd says, and what is told of it; without a connection.
@Suite("Reports", .timeLimit(.minutes(10)))
struct ReportTests {
    private func take(_ line: String, _ tracker: inout FixTracker) throws -> FixTracker.Outcome {
        guard case .position(let position) = try GPSDReport(ByteBuffer(string: line)) else { return .nothing }
        return tracker.take(position)
    }

    @Test
    func `a real report, field by field`() throws {
        let line = """
            {"class":"TPV","device":"/dev/pts/0","mode":3,"time":"2026-11-20T10:00:09.250Z","ept":0.005,\
            "lat":48.208325833,"lon":-16.3738,"altHAE":213.0,"altMSL":170.8,"alt":170.9,"epv":34.5,"track":90.5,\
            "magtrack":4.4,"magvar":4.5,"speed":1.399,"geoidSep":43.0,"eph":20.9,"sep":36.1}
            """
        var tracker = FixTracker()
        guard case .deliver(let location) = try self.take(line, &tracker) else {
            Issue.record("nothing was delivered")
            return
        }
        #expect(location.coordinate == .init(latitude: 48.208325833, longitude: -16.3738))
        #expect(location.altitude == 170.8)
        #expect(location.horizontalAccuracy == 20.9)
        #expect(location.verticalAccuracy == 34.5)
        #expect(location.speed == 1.399)
        #expect(location.course == 90.5)
        #expect(location.device == "/dev/pts/0")
        #expect(abs(location.timestamp.timeIntervalSince1970 - 1_795_168_809.25) < 0.001)
    }

    @Test
    func `what a report does not say is unknown, and no zero`() throws {
        let line = #"{"class":"TPV","mode":2,"time":"2026-11-20T10:00:09Z","lat":1,"lon":2}"#
        var tracker = FixTracker()
        guard case .deliver(let location) = try self.take(line, &tracker) else {
            Issue.record("nothing was delivered")
            return
        }
        let unknown = [
            location.horizontalAccuracy, location.verticalAccuracy, location.speed, location.course,
        ]
        #expect(unknown == [-1, -1, -1, -1])
    }

    @Test
    func `an epoch of a device is delivered once, whatever is reported of it, and in between`() throws {
        var tracker = FixTracker()
        var delivered: [String] = []
        for (second, mode, device) in [
            (1, 2, "a"), (1, 3, "a"), (1, 3, "a"), (1, 3, "b"), (2, 3, "a"), (1, 3, "b"), (1, 3, "a"), (2, 2, "b"),
            // Older, but not known: a receiver whose clock was set back.
            (0, 3, "a"), (0, 3, "a"),
        ] {
            if case .deliver(let location) = try self.take(report(second, mode: mode, device: device), &tracker) {
                #expect(format(location.timestamp) == time(second))
                delivered.append("\(device)\(second)")
            }
        }
        #expect(delivered == ["a1", "b1", "a2", "b2", "a0"])
        tracker.disconnect()
        #expect(try self.take(report(2, device: "b"), &tracker) == .nothing)
    }

    @Test
    func `the first report of an epoch wins`() throws {
        var tracker = FixTracker()
        guard case .deliver(let location) = try self.take(report(1, latitude: 1), &tracker) else {
            Issue.record("nothing was delivered")
            return
        }
        #expect(location.coordinate.latitude == 1)
        #expect(try self.take(report(1, latitude: 2), &tracker) == .nothing)
    }

    @Test
    func `the loss of the last fix is told once, until there is one again`() throws {
        var tracker = FixTracker()
        var outcomes: [String] = []
        for (second, mode, device) in [
            // None from the beginning; then one; another device has none, which is no loss; then none of both.
            (1, 1, "a"), (2, 0, "a"), (3, 3, "a"), (3, 1, "b"), (4, 1, "a"), (5, 1, "a"), (5, 1, "b"), (6, 3, "b"),
            (7, 1, "b"),
        ] {
            switch try self.take(report(second, mode: mode, device: device), &tracker) {
            case .deliver: outcomes.append("fix")
            case .lost: outcomes.append("lost")
            case .nothing: outcomes.append("-")
            }
        }
        #expect(outcomes == ["lost", "-", "fix", "-", "lost", "-", "-", "fix", "lost"])
    }

    @Test
    func `many devices do not make each other's epochs forgotten`() throws {
        var tracker = FixTracker()
        for round in 0..<2 {
            for number in 0..<300 {
                let outcome = try self.take(report(1, device: "\(number)"), &tracker)
                #expect((outcome == .nothing) == (round == 1))
            }
        }
    }

    @Test
    func `a device that is unplugged has no fix any more`() throws {
        var tracker = FixTracker()
        _ = try self.take(report(1, device: "a"), &tracker)
        _ = try self.take(report(1, device: "b"), &tracker)
        for line in [
            #"{"class":"DEVICE","path":"a"}"#, #"{"class":"DEVICE","path":"a","activated":0}"#,
            #"{"class":"DEVICE","path":"a","activated":0.000}"#,
        ] {
            #expect(try GPSDReport(ByteBuffer(string: line)) == .gone(device: "a"))
        }
        let active = #"{"class":"DEVICE","path":"a","activated":"2026-11-21T00:50:09.799Z"}"#
        #expect(try GPSDReport(ByteBuffer(string: active)) == .other)
        #expect(tracker.lose("a") == .nothing)
        #expect(try self.take(report(2, mode: 1, device: "b"), &tracker) == .lost)
    }

    @Test
    func `a fix without a place or a time is of no use`() throws {
        var tracker = FixTracker()
        for line in [
            #"{"class":"TPV","mode":3,"lat":1,"lon":2}"#,
            #"{"class":"TPV","mode":3,"time":"2026-11-20T10:00:09.000Z"}"#,
            #"{"class":"TPV","mode":3,"time":"2026-11-20T10:00:09.000Z","lat":1}"#,
        ] {
            #expect(try self.take(line, &tracker) == .nothing)
        }
    }

    @Test
    func `memory has a limit, also for a daemon with devices without number`() throws {
        var tracker = FixTracker()
        for number in 0..<2000 {
            guard case .deliver = try self.take(report(1, device: "\(number)"), &tracker) else {
                Issue.record("\(number) was not delivered")
                return
            }
        }
        #expect(tracker.epochCount <= 1024)
        #expect(tracker.deviceCount <= 1024)
        for second in 0..<1000 { _ = try self.take(report(second, device: "a"), &tracker) }
        #expect(tracker.epochCount <= 1024 + 64)
    }

    @Test(arguments: [
        "", "x", "{", "[]", "1", "null", #""TPV""#, "{}", #"{"class":7}"#, #"{"class":"VERSION"}"#,
        #"{"class":"VERSION","proto_major":"3"}"#, #"{"class":"ERROR"}"#, #"{"class":"TPV"}"#,
        #"{"class":"TPV","mode":"3"}"#, #"{"class":"TPV","mode":3.5}"#, #"{"class":"TPV","mode":1e99}"#,
        #"{"class":"TPV","mode":3,"lat":"1","lon":2}"#, #"{"class":"TPV","mode":3,"lat":90.01,"lon":2}"#,
        #"{"class":"TPV","mode":3,"lat":1,"lon":-180.5}"#, #"{"class":"TPV","mode":3,"lat":1e400,"lon":2}"#,
        #"{"class":"TPV","mode":3,"lat":NaN,"lon":2}"#, #"{"class":"TPV","mode":3,"time":7}"#,
        #"{"class":"TPV","mode":3,"time":"yesterday"}"#, #"{"class":"TPV","mode":3,"time":"2026-13-40T10:00:00Z"}"#,
        #"{"class":"TPV","mode":4}"#, #"{"class":"TPV","mode":-1}"#, #"{"class":"TPV","mode":3,"track":361}"#,
        #"{"class":"TPV","mode":3,"track":-1}"#, #"{"class":"TPV","mode":3,"eph":-1}"#,
        #"{"class":"TPV","mode":3,"eph":1e308}"#, #"{"class":"TPV","mode":3,"altMSL":-1e300}"#,
        #"{"class":"TPV","mode":3,"time":"2026-02-31T10:00:00.000Z"}"#,
        #"{"class":"TPV","mode":3,"time":"2026-02-20T24:00:00Z"}"#,
        #"{"class":"TPV","mode":3,"time":"2026-02-20T10:00:00Zjunk"}"#, "\u{FEFF}{\"class\":\"DEVICES\"}",
        #"{"class":"DEVICE"}"#, #"{"class":"TPV","mode":3,"device":[]}"#, "\u{0}\u{1b}[2J",
        String(repeating: "[", count: 60_000),
    ]
    )
    func `what makes no sense is an error`(line: String) {
        #expect {
            _ = try GPSDReport(ByteBuffer(string: line))
        } throws: { error in
            guard let error = error as? LocationManagerError, error.code == .malformedData else { return false }
            return error.description.unicodeScalars.allSatisfy { $0.value >= 32 } && error.description.count < 400
        }
    }

    @Test(arguments: [
        (#"{"class":"TPV","mode":3,"lat":90.01,"lon":2}"#, "'lat' is out of range: '"),
        (#"{"class":"TPV","mode":3,"lat":1,"lon":-180.5}"#, "'lon' is out of range: '"),
        (#"{"class":"TPV","mode":4}"#, "'mode' is out of range: '"),
        (#"{"class":"TPV","mode":3,"time":"yesterday"}"#, "'time' is no time: '"),
        (#"{"class":"TPV","mode":3,"lat":"1","lon":2}"#, "'lat' is of the wrong type: '"),
        (#"{"class":"TPV"}"#, "'mode' is missing: '"),
        (#"{"class":"VERSION","proto_major":"3"}"#, "'proto_major' is of the wrong type: '"),
        (#"{"class":7}"#, "'class' is of the wrong type: '"),
        ("{}", "'class' is missing: '"),
        ("{", "it is no object in JSON: '"),
        ("hello", "it is no object in JSON: '"),
    ])
    func `an error names the field, and ends what it quotes`(line: String, reason: String) throws {
        let error = #expect(throws: LocationManagerError.self) { try GPSDReport(ByteBuffer(string: line)) }
        #expect(try #require(error).description == "gpsd has sent what makes no sense, \(reason)\(line)'.")
    }

    @Test
    func `what is cut off says so`() throws {
        let line = #"{"class":"TPV","mode":9,"device":"\#(String(repeating: "x", count: 100))"}"#
        let error = #expect(throws: LocationManagerError.self) { try GPSDReport(ByteBuffer(string: line)) }
        #expect(try #require(error).description.hasSuffix(": '\(line.prefix(60))…'."))
    }

    @Test
    func `bytes at random never trap`() {
        let base = Array(report(7).utf8)
        var generator = SystemRandomNumberGenerator()
        var refused = 0
        for _ in 0..<5000 {
            var bytes = base
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            do { _ = try GPSDReport(ByteBuffer(bytes: bytes)) } catch { refused += 1 }
        }
        #expect(refused > 0)
    }

    @Test
    func `what could steer a terminal does not get through`() {
        #expect("a\u{1b}[2J\u{9b}1m\u{202e}b\r\n\u{7f}ü\u{2028}".plain == "a[2J1mbü")
        #expect(String(repeating: "x", count: 10_000).plain.count == 300)
    }
}
