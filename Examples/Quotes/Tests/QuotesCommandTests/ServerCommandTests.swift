// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation
import QuotableServer
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The server's command", .timeLimit(.minutes(10)))
struct ServerCommandTests {
    @Test func `an address that is taken is named`() async throws {
        try await QuoteServer.withServer { address in
            let port = try #require(URL(string: address.url)?.port)
            let outcome = try await self.outcome("--port", "\(port)", "--database", ":memory:")
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("127.0.0.1:\(port)"))
        }
    }

    @Test func `a file that is no database is named`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
        try Data(repeating: 7, count: 4096).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let outcome = try await self.outcome("--port", "0", "--database", file.path)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(file.path))
    }

    @Test
    func `the first signal lets requests end, the second one does not`() async throws {
        let program = Program(["--port", "0", "--database", ":memory:", "--slow-route"], name: "quotable")
        let process = program.process
        let log = Pipe()
        process.standardError = log
        let text = Mutex("")
        // What it says decides what happens to it next; nothing is the end of the pipe.
        log.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            let lines = text.withLock { text in
                text += String(decoding: data, as: UTF8.self)
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
                text = lines.last ?? ""
                return lines.dropLast()
            }
            for line in lines {
                if let url = line.firstMatch(of: /url=([^ ]+).*Listening/).flatMap({
                    URL(string: "\($0.1)/slow?seconds=600")
                }) {
                    // Ten minutes long, so that it does not end by itself.
                    URLSession.shared.dataTask(with: url).resume()
                } else if line.contains("Slow answer begun") || line.contains("Ending when") {
                    process.terminate()
                }
            }
        }
        #expect(try await program.run().status == 1)
    }

    private func outcome(_ arguments: String...) async throws -> Program.Outcome {
        try await Program(arguments, name: "quotable").run()
    }
}
