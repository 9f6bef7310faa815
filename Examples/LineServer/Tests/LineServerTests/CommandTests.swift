// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import ExampleTesting
import Foundation
import LineServer
import NIOCore
import Testing

@Suite("The command", .timeLimit(.minutes(10)))
struct CommandTests {
    @Test(arguments: LineServer.Form.allCases)
    func `more clients than it has descriptors, and Ctrl-C under load`(form: LineServer.Form) async throws {
        let lines = Process()
        // The tests lie beside the programs.
        lines.executableURL = Bundle.main.bundleURL.appending(path: "lines")
        lines.arguments = ["--form", form.rawValue, "--port", "0", "--threads", "2"]
        lines.limitDescriptors(to: 100)
        let output = Pipe()
        lines.standardOutput = output
        async let end = lines.runToEnd()
        // Not its `readabilityHandler`, which on Linux is not told of the end that comes with the last bytes.
        let said = output.fileHandleForReading
        var canBeRead = DispatchSource.readable(said.fileDescriptor).makeAsyncIterator()
        _ = try await canBeRead.next()
        let start = String(decoding: said.availableData, as: UTF8.self)
        let port = try #require(start.firstMatch(of: /port (\d+)/).flatMap { Int($0.output.1) })

        let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        var clients: [Client] = []
        for _ in 0..<150 { clients.append(try await Client(to: address)) }
        for client in clients[..<30] { try await client.say("served") }
        for client in clients[..<30] { #expect(try await client.hear(1) == ["served"]) }
        #if os(Linux)
        // Enough are left for threads, for each of which Dispatch opens a file.
        #expect(try lines.countOpenDescriptors() < 80)
        #endif
        // The others wait, and get the places of those that leave.
        try await clients[149].say("served")
        for client in clients[2..<149] { client.endSpeech() }
        #expect(try await clients[149].hear(1) == ["served"])
        // Numbers without end, for one that reads them and for one that does not.
        try await clients[1].read(false)
        for client in clients[..<2] { try await client.say("/count 1000000000") }
        #expect(try await clients[0].hear(1) == ["1"])

        lines.interrupt()
        #expect(try await end.status == 0)
        _ = try await canBeRead.next()
        let rest = String(decoding: said.availableData, as: UTF8.self)
        #expect(rest.wholeMatch(of: /Ended after \d+ ms.\n/) != nil, "\(rest)")
        // Until it reads it may not know of the end.
        try? await clients[1].read(true)
        for client in [clients[0], clients[1], clients[149]] { client.endSpeech() }
    }
}
