// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Foundation
import Synchronization
import Testing

/// The command, as a process of its own.
@Suite("The command", .timeLimit(.minutes(10)))
struct CommandTests {
    /// Runs the command beside a daemon, and lets the test speak for the daemon.
    private func run(
        _ program: Program,
        _ daemon: FakeDaemon,
        _ speak: nonisolated(nonsending) (FakeDaemon.Connection) async throws -> Void
    ) async throws -> Program.Outcome {
        async let outcome = program.run()
        let connection = try await daemon.connection()
        try await speak(connection)
        let result = try await outcome
        // It has not stayed connected.
        try await connection.ended()
        return result
    }

    @Test
    func `says the position once, and ends`() async throws {
        try await FakeDaemon.with { daemon in
            let program = try Program(["--port", "\(daemon.port)"])
            defer { program.clean() }
            let outcome = try await self.run(program, daemon) { try await $0.send(report(1), report(1), report(2)) }
            #expect(outcome.status == 0)
            #expect(
                outcome.output
                    == "48.20000 16.37000, within 21 m, 170 m above the sea, 1.4 m/s, at 2026-11-20T10:00:01.000Z\n"
            )
            #expect(outcome.errors == "")
        }
    }

    @Test
    func `in JSON, an object is a line, without what is not known`() async throws {
        try await FakeDaemon.with { daemon in
            let program = try Program(["--json", "--follow", "--count", "2", "--port", "\(daemon.port)"])
            defer { program.clean() }
            let second = #"{"class":"TPV","mode":2,"time":"\#(time(2))","lat":-1,"lon":2,"device":"a\u001bb\u009b"}"#
            let outcome = try await self.run(program, daemon) { try await $0.send(report(1), report(1), second) }
            #expect(outcome.status == 0)
            let full =
                #"{"accuracy":20.9,"altitude":170.5,"altitudeAccuracy":34.5,"course":90,"device":"/dev/gps0","#
                + #""latitude":48.2,"longitude":16.37,"speed":1.4,"time":"2026-11-20T10:00:01.000Z"}"#
            let little = #"{"device":"ab","latitude":-1,"longitude":2,"time":"2026-11-20T10:00:02.000Z"}"#
            #expect(outcome.output == full + "\n" + little + "\n")
            #expect(outcome.errors == "")
        }
    }

    @Test
    func `follows over the daemon's end and a lost fix, and says so`() async throws {
        try await FakeDaemon.with { daemon in
            let program = try Program(["--follow", "--count", "2", "--json", "--port", "\(daemon.port)"])
            defer { program.clean() }
            async let outcome = program.run()
            let first = try await daemon.connection()
            try await first.send(report(1), report(2, mode: 1))
            try await first.close()
            let second = try await daemon.connection()
            try await second.send(report(1), report(3))
            #expect(try await outcome.status == 0)
            let lines = try await outcome.output.split(separator: "\n")
            #expect(lines.map { $0.contains(time(1)) || $0.contains(time(3)) } == [true, true])
            let errors = try await outcome.errors.split(separator: "\n")
            #expect(errors.count == 2)
            #expect(errors.first == "whereami: No receiver has a fix at this moment. Waiting for a position.")
            #expect(errors.last?.hasPrefix("whereami: There is no gpsd at 127.0.0.1 port \(daemon.port)") == true)
            try await second.ended()
        }
    }

    // MARK: Failures

    @Test
    func `without a daemon it says what to do`() async throws {
        let program = try Program(["--port", "\(try await RealDaemon.freePort())"])
        defer { program.clean() }
        let outcome = try await program.run()
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("whereami: There is no gpsd at 127.0.0.1 port "))
        #expect(outcome.errors.contains("Start it, for example with 'gpsd -n /dev/ttyUSB0'"))
    }

    @Test
    func `a machine that nobody knows is named`() async throws {
        let program = try Program(["--host", "nowhere.invalid"])
        defer { program.clean() }
        let outcome = try await program.run()
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("whereami: There is no machine named 'nowhere.invalid'."))
    }

    /// The sky is to blame only if a receiver says that it has no fix.
    @Test(
        arguments: [
            ([], [], "What listens at 127.0.0.1 port"),
            ([FakeDaemon.version], [FakeDaemon.watch], "gpsd reports of no receiver. Check that one is connected"),
            (
                [FakeDaemon.version], [FakeDaemon.watch, report(1, mode: 1)],
                "Check that the receiver has a view of the sky, or wait longer."
            ),
        ] as [([String], [String], String)]
    )
    func `without a position in time it says what to look at`(
        greeting: [String],
        answer: [String],
        advice: String
    ) async throws {
        try await FakeDaemon.with(greeting: greeting, answer: answer) { daemon in
            // Long enough to connect, on a busy machine too, and shorter than the silence that ends a connection.
            let program = try Program(["--timeout", "2", "--port", "\(daemon.port)"])
            defer { program.clean() }
            let outcome = try await program.run()
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix("whereami: No position in time. \(advice)"))
        }
    }

    @Test
    func `the fix of any receiver will do`() async throws {
        let lines = [
            FakeDaemon.watch, report(1, mode: 1, device: "/dev/gps0"), report(1, device: "/dev/gps1", latitude: 47),
        ]
        try await FakeDaemon.with(answer: lines) { daemon in
            let program = try Program(["--port", "\(daemon.port)"])
            defer { program.clean() }
            let outcome = try await program.run()
            #expect(outcome.status == 0)
            #expect(outcome.output.hasPrefix("47.00000 16.37000"))
        }
    }

    @Test
    func `what is no gpsd is said, and cannot steer the terminal`() async throws {
        try await FakeDaemon.with(greeting: ["\u{1b}[2Jhello"]) { daemon in
            let program = try Program(["--port", "\(daemon.port)"])
            defer { program.clean() }
            let outcome = try await program.run()
            #expect(outcome.status == 1)
            #expect(
                outcome.errors.hasPrefix(
                    "whereami: gpsd has sent what makes no sense, it is no object in JSON: '[2Jhello'."
                )
            )
            #expect(!outcome.errors.contains("\u{1b}"))
        }
    }

    @Test(arguments: [
        ["--port", "0"], ["--port", "70000"], ["--timeout", "0"], ["--timeout", "nan"], ["--count", "1"],
        ["--follow", "--count", "0"], ["--follow", "--timeout", "1"], ["--allow", "--forbid"], ["here"], ["--nope"],
    ]
    )
    func `called wrongly, it says so`(arguments: [String]) async throws {
        let program = try Program(arguments)
        defer { program.clean() }
        let outcome = try await program.run()
        #expect(outcome.status == 64)
        #expect(!outcome.errors.isEmpty)
        #expect(outcome.output == "")
    }

    // MARK: Permission

    @Test(arguments: ["denied", "restricted", "nonsense", nil])
    func `without permission nothing is connected`(permission: String?) async throws {
        try await FakeDaemon.with { daemon in
            for options in [[], ["--follow"]] {
                // There is no terminal on which it could ask.
                let program = try Program(options + ["--port", "\(daemon.port)"], permission: permission)
                defer { program.clean() }
                let outcome = try await program.run()
                #expect(outcome.status == 2)
                #expect(outcome.errors.contains("Allow it with 'whereami --allow'"))
                #expect(program.permission == permission)
            }
            #expect(daemon.count == 0)
        }
    }

    @Test
    func `the answer can be given in advance, and taken back`() async throws {
        try await FakeDaemon.with { daemon in
            let program = try Program(["--allow", "--port", "\(daemon.port)"], permission: "denied")
            defer { program.clean() }
            let outcome = try await self.run(program, daemon) { try await $0.send(report(1)) }
            #expect(outcome.status == 0)
            #expect(program.permission == "authorizedWhenInUse\n")
            let other = try Program(["--forbid"])
            defer { other.clean() }
            #expect(try await other.run().status == 0)
            #expect(other.permission == "denied\n")
        }
    }

    @Test(arguments: [("y\n", "authorizedWhenInUse\n"), ("\n", nil), ("yikes\n", nil), ("no\n", "denied\n")]
    )
    func `on a terminal it asks, and keeps the answer, if there is one`(answer: String, kept: String?) async throws {
        try await FakeDaemon.with(answer: [FakeDaemon.watch, report(1)]) { daemon in
            let program = try Program(["--port", "\(daemon.port)"], permission: nil)
            defer { program.clean() }
            let terminal = try Terminal()
            program.process.standardInput = terminal.inside
            // Its errors go there as well.
            let errors = try await program.run(errors: terminal.inside) { try terminal.type(answer) }
            #expect(errors.status == (kept == "authorizedWhenInUse\n" ? 0 : 2))
            #expect(program.permission == kept)
            #expect(try terminal.read().contains("May whereami know the position? [y/N] "))
        }
    }

    // MARK: Ends

    @Test(arguments: [SIGINT, SIGTERM], [true, false])
    func `signals end it: a loop with 0`(signal: Int32, isFollowing: Bool) async throws {
        try await FakeDaemon.with { daemon in
            let program = try Program((isFollowing ? ["--follow"] : []) + ["--port", "\(daemon.port)"])
            defer { program.clean() }
            let process = program.process
            let outcome = try await self.run(program, daemon) { _ in kill(process.processIdentifier, signal) }
            #expect(outcome.status == (isFollowing ? 0 : 128 + signal))
            #expect(outcome.output + outcome.errors == "")
        }
    }

    @Test
    func `when nobody reads any more, it ends quietly`() async throws {
        try await FakeDaemon.with { daemon in
            let program = try Program(["--follow", "--port", "\(daemon.port)"])
            defer { program.clean() }
            let pipe = Pipe()
            program.process.standardOutput = pipe
            let outcome = try await self.run(program, daemon) { connection in
                try pipe.fileHandleForReading.close()
                try await connection.send(report(1))
            }
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
        }
    }

    @Test
    func `Ctrl-C ends it also in the middle of a line that nobody reads`() async throws {
        try await FakeDaemon.with { daemon in
            let program = try Program(["--follow", "--json", "--port", "\(daemon.port)"])
            defer { program.clean() }
            let pipe = Pipe()
            program.process.standardOutput = pipe
            let process = program.process
            let outcome = try await self.run(program, daemon) { connection in
                for part in 0..<100 {
                    try await connection.write((0..<20).map { report(20 * part + $0) + "\n" }.joined())
                }
                // A pipe takes 64 KiB.
                var count: Int32 = 0
                while count < 60_000 {
                    _ = ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &count)
                    await Task.yield()
                }
                kill(process.processIdentifier, SIGINT)
            }
            #expect(outcome.status == 0)
            // Locations that nobody took were reported, once.
            #expect(outcome.errors.split(separator: "\n").count <= 1)
        }
    }
}
