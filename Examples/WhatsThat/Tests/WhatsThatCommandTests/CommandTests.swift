// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import AsyncBridgeFutures
import AsyncBridgeNIO
import ExampleTesting
import Foundation
import NIOCore
import NIOPosix
import Testing
import WhatsThatTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The command", .timeLimit(.minutes(10)), .enabled(if: TestLibrary.shared != nil, "\(TestLibrary.advice)"))
struct CommandTests {
    private func with(_ body: (Program) async throws -> Void) async throws {
        let program = try Program()
        defer { program.clean() }
        try await body(program)
    }

    @Test
    func `says what each file shows, in their order`() async throws {
        try await self.with { program in
            let outcome = try await program.run(["blue.webp", "red.png", "green.jpg"] + Program.model())
            #expect(outcome.status == 0)
            #expect(outcome.output == "blue.webp: blue 100 %\nred.png: red 100 %\ngreen.jpg: green 100 %\n")
            #expect(outcome.errors == "")
        }
    }

    @Test
    func `many files, more than are looked at once`() async throws {
        try await self.with { program in
            let files = (0..<60).map { ["red.png", "green.jpg", "blue.webp"][$0 % 3] }
            let outcome = try await program.run(files + Program.model())
            let expected = files.map { "\($0): \($0.prefix { $0 != "." }) 100 %\n" }.joined()
            #expect(outcome.output == expected)
        }
    }

    @Test
    func `candidates, as many as are asked for`() async throws {
        try await self.with { program in
            let outcome = try await program.run(["red.png", "--top", "2"] + Program.model())
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.first == "red.png: red 100 %")
            #expect(lines.count == 3)
            #expect(lines.dropFirst().first?.hasSuffix(" %  red") == true)
        }
    }

    @Test
    func `JSON is one object a line, also for a file that fails`() async throws {
        struct Line: Decodable {
            struct Candidate: Decodable {
                var label: String
                var probability: Double
            }
            var file: String
            var caption: String?
            var candidates: [Candidate]?
            var error: String?
        }
        try await self.with { program in
            let outcome = try await program.run(["red.png", "labels.txt", "--json"] + Program.model())
            #expect(outcome.status == 1)
            let lines = try outcome.output.split(separator: "\n").map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
            #expect(lines.map(\.file) == ["red.png", "labels.txt"])
            #expect(lines.first?.caption == "red 100 %")
            #expect(lines.first?.candidates?.map(\.label).first == "red")
            #expect(lines.last?.error == "This is no JPEG, PNG or WebP picture.")
        }
    }

    @Test
    func `a file that fails is said, and the others are shown all the same`() async throws {
        try await self.with { program in
            let outcome = try await program.run(["nowhere.png", "labels.txt", "red.png"] + Program.model())
            #expect(outcome.status == 1)
            #expect(outcome.output == "red.png: red 100 %\n")
            #expect(outcome.errors.contains("whatsthat: nowhere.png: It cannot be read: No such file or directory."))
            #expect(outcome.errors.contains("whatsthat: labels.txt: This is no JPEG, PNG or WebP picture."))
        }
    }

    @Test
    func `a file's name and a label cannot steer the terminal`() async throws {
        try await self.with { program in
            try program.write("\u{1b}[2J.png", try Drawing(.red).file(.png))
            try program.write("labels.txt", Array("\u{1b}]0;red\u{7}\ngreen\nblue\n".utf8))
            let outcome = try await program.run(["\u{1b}[2J.png", "\u{1b}nowhere", "--top", "1"] + Program.model())
            #expect(outcome.status == 1)
            #expect(!(outcome.output + outcome.errors).contains("\u{1b}"))
            #expect(outcome.output.contains("red"))
        }
    }

    // MARK: Models and the library

    @Test
    func `a model that cannot be used is said`() async throws {
        try await self.with { program in
            let unreadable = ["--model", "labels.txt", "--labels", "labels.txt", "--manifest", "manifest.json"]
            let first = try await program.run(["red.png"] + unreadable)
            #expect(first.status == 1)
            #expect(first.errors.hasPrefix("whatsthat: The model cannot be read: "))
            try program.write("labels.txt", Array("red\ngreen\n".utf8))
            let second = try await program.run(["red.png"] + Program.model())
            #expect(second.status == 1)
            #expect(second.errors == "whatsthat: The model has 3 outputs, and there are 2 labels.\n")
        }
    }

    @Test
    func `without ONNX Runtime, one line says which script to run`() async throws {
        try await self.with { program in
            for (options, environment) in [
                (["--onnxruntime", "/nowhere.so"], [:]), ([], ["ONNXRUNTIME_LIBRARY": "/nowhere.so"]),
            ] {
                let outcome = try await program.run(["red.png"] + Program.model() + options, environment: environment)
                #expect(outcome.status == 1)
                #expect(outcome.errors.split(separator: "\n").count == 1)
                #expect(outcome.errors.contains("Run Examples/WhatsThat/install-onnxruntime"))
                #expect(outcome.output == "")
            }
        }
    }

    @Test
    func `an empty variable names no library, and a name without a slash is a file of this folder`() async throws {
        try await self.with { program in
            let empty = try await program.run(["red.png"] + Program.model(), environment: ["ONNXRUNTIME_LIBRARY": ""])
            #expect(!empty.errors.contains("''"))
            let here = try await program.run(["red.png", "--onnxruntime", "libm.so.6"] + Program.model())
            #expect(here.errors.contains("There is no file './libm.so.6'."))
        }
    }

    @Test(arguments: [
        [], ["red.png", "--top", "0"], ["red.png", "--model", "x"], ["red.png", "--nope"],
        ["serve", "--port", "70000"], ["serve", "--running", "0"], ["serve", "--upload-limit", "0"],
        ["serve", "--waiting", "9223372036854775807"], ["serve", "--running", "99999999"],
    ]
    )
    func `called wrongly, it says so`(arguments: [String]) async throws {
        try await self.with { program in
            let outcome = try await program.run(arguments)
            #expect(outcome.status == 64)
            #expect(outcome.output == "")
            #expect(!outcome.errors.isEmpty)
        }
    }

    // MARK: Ends

    /// Waits for something that another process does.
    private func until(_ holds: () throws -> Bool) async throws {
        while try !holds() { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `Ctrl-C stops the model`(signal: Int32) async throws {
        try await self.with { program in
            let process = try program.process(["red.png"] + Program.model("endless"))
            async let outcome = program.outcome(of: process)
            // The library is in its memory, so it is past the point from which on it heeds signals.
            try await self.until {
                let id = process.isRunning ? process.processIdentifier : 0
                let maps = try? String(contentsOfFile: "/proc/\(id)/maps", encoding: .utf8)
                return maps?.contains("libonnxruntime") == true
            }
            kill(process.processIdentifier, signal)
            #expect(try await outcome.status == 128 + signal)
            #expect(try await outcome.output == "")
        }
    }

    @Test
    func `whoever does not read its output ends it quietly`() async throws {
        try await self.with { program in
            let process = try program.process(["red.png", "green.jpg"] + Program.model())
            let pipe = Pipe()
            process.standardOutput = pipe
            try pipe.fileHandleForReading.close()
            let outcome = try await program.outcome(of: process)
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
        }
    }

    @Test
    func `serves until Ctrl-C, also while a model runs`() async throws {
        try await self.with { program in
            let process = try program.process(["serve", "--port", "0"] + Program.model("endless"))
            async let outcome = program.outcome(of: process)
            try await self.until { try program.text("output").contains("\n") }
            let address = try #require(try program.text("output").split(separator: " ").dropFirst().first)
            var request = URLRequest(url: try #require(URL(string: "\(address)/classify")))
            request.httpMethod = "POST"
            request.httpBody = Data(try Drawing(.red).file(.png))
            let run = Task { [request] in try await URLSession.shared.bridge.data(for: request) }
            let health = try #require(URL(string: "\(address)/health"))
            while true {
                let (data, _) = try await URLSession.shared.bridge.data(from: health)
                if String(decoding: data, as: UTF8.self).contains(#""running":1"#) { break }
            }
            kill(process.processIdentifier, SIGINT)
            #expect(try await outcome.status == 0)
            #expect(try await outcome.errors == "")
            _ = await run.result
        }
    }

    @Test
    func `more clients than it has descriptors`() async throws {
        try await self.with { program in
            let process = try program.process(["serve", "--port", "0"] + Program.model())
            process.limitDescriptors(to: 100)
            async let outcome = program.outcome(of: process)
            try await self.until { try program.text("output").contains("\n") }
            let said = try program.text("output").split(separator: " ").dropFirst().first
            let address = try #require(said.flatMap { URL(string: String($0)) })
            var clients: [BridgedChannel<ByteBuffer, ByteBuffer>] = []
            for _ in 0..<150 { clients.append(try await Self.connect(to: address)) }
            // It works while all places are taken.
            let picture = try Drawing(.red).file(.png)
            let host = "Host: 127.0.0.1:\(address.port ?? 0)"
            let head = "POST /classify HTTP/1.1\r\n\(host)\r\nContent-Length: \(picture.count)\r\n\r\n"
            for client in clients[..<20] {
                try await client.outbound.send(ByteBuffer(string: head))
                try await client.outbound.send(ByteBuffer(bytes: picture))
            }
            for client in clients[..<20] {
                let answer = String(buffer: try await client.inbound.receive())
                #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
            }
            #if os(Linux)
            // Enough are left for threads, for each of which Dispatch opens a file.
            #expect(try process.countOpenDescriptors() < 80)
            #endif
            // The server may have closed them, if it had to wait for long.
            for client in clients { try? await client.channel.close() }
            let (_, response) = try await URLSession.shared.bridge.data(from: address.appending(path: "health"))
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            kill(process.processIdentifier, SIGINT)
            #expect(try await outcome.status == 0)
            #expect(try await outcome.errors == "")
        }
    }

    private static func connect(to address: URL) async throws -> BridgedChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: address.port ?? 0)
            .flatMapThrowing { try $0.bridge(inbound: ByteBuffer.self, outbound: ByteBuffer.self) }
            .value()
    }

    @Test
    func `a port that is taken is said`() async throws {
        try await self.with { program in
            let process = try program.process(["serve", "--port", "0"] + Program.model())
            async let outcome = program.outcome(of: process)
            try await self.until { try program.text("output").contains("\n") }
            let port = try #require(
                try program.text("output").split(separator: " ").dropFirst().first?.split(separator: ":").last
            )
            let other = try Program()
            defer { other.clean() }
            let second = try await other.run(["serve", "--port", "\(port)"] + Program.model())
            #expect(second.status == 1)
            #expect(second.errors.hasPrefix("whatsthat: Port \(port) cannot be used"))
            #expect(second.errors.contains("--port"))
            kill(process.processIdentifier, SIGTERM)
            #expect(try await outcome.status == 0)
        }
    }
}
