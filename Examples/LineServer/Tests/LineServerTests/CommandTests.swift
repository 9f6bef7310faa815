// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import Foundation
import LineServer
import NIOCore
import Testing

@Suite("The command", .timeLimit(.minutes(10)))
struct CommandTests {
    /// Without its limit the server would take a descriptor for each client, and Dispatch ends a process that has none
    /// left.
    @Test(arguments: LineServer.Form.allCases)
    func `more clients than it has descriptors, and Ctrl-C under load`(form: LineServer.Form) async throws {
        let lines = Self.command("--form", form.rawValue, "--port", "0", "--threads", "2", descriptors: 100)
        let output = Pipe()
        lines.standardOutput = output
        async let end = lines.runToEnd()
        var said = Self.chunks(of: output.fileHandleForReading).makeAsyncIterator()
        let start = try #require(await said.next())
        let port = try #require(start.firstMatch(of: /port (\d+)/).flatMap { Int($0.output.1) })

        let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        var clients: [Client] = []
        for _ in 0..<150 { clients.append(try await Client(to: address)) }
        // Those that have a place, the first two for ever; only one of these reads.
        for client in clients[..<2] { try await client.say("/count 1000000000") }
        try await clients[1].read(false)
        for client in clients[2..<30] { try await client.say("served") }
        for client in clients[2..<30] { #expect(try await client.hear(1) == ["served"]) }
        #expect(try await clients[0].hear(1) == ["1"])

        lines.interrupt()
        #expect(try await end.status == 0)
        let rest = try #require(await said.next())
        #expect(rest.wholeMatch(of: /Ended after \d+ ms.\n/) != nil, "\(rest)")
        #expect(await said.next() == nil)
        try await clients[1].read(true)
        for client in clients { client.endSpeech() }
    }

    /// `lines`, which may have only so many descriptors.
    private static func command(_ arguments: String..., descriptors: Int) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // The tests lie beside the programs.
        let lines = Bundle.main.bundleURL.appending(path: "lines").path(percentEncoded: false)
        process.arguments = ["-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\"", lines] + arguments
        return process
    }

    /// What is written, as it comes.
    private static func chunks(of file: FileHandle) -> CallbackSequence<String, Never> {
        CallbackSequence(buffering: .unbounded) { sink in
            file.readabilityHandler = { file in
                let data = file.availableData
                if data.isEmpty {
                    file.readabilityHandler = nil
                    sink.finish()
                } else {
                    sink.yield(String(decoding: data, as: UTF8.self))
                }
            }
            return { file.readabilityHandler = nil }
        }
    }
}
