// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import QuotableServer
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The server's command", .timeLimit(.minutes(10)))
struct ServerCommandTests {
    @Test func `an address that is taken is named`() async throws {
        try await QuoteServer.withServer { address in
            let (status, log) = try await self.run(["--port", "\(address.port)", "--database", ":memory:"])
            #expect(status == 1)
            #expect(log.contains { $0.contains("127.0.0.1:\(address.port)") })
        }
    }

    @Test func `a file that is no database is named`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
        try Data(repeating: 7, count: 4096).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (status, log) = try await self.run(["--port", "0", "--database", file.path])
        #expect(status == 1)
        #expect(log.contains { $0.contains(file.path) })
    }

    @Test func `the first signal lets requests end, the second one does not`() async throws {
        let arguments = ["--port", "0", "--database", ":memory:", "--slow-route"]
        let (status, _) = try await self.run(arguments) { line, server in
            if let url = line.firstMatch(of: /url=([^ ]+).*Listening/).flatMap({
                URL(string: "\($0.1)/slow?seconds=600")
            }) {
                // Ten minutes long, so that it does not end by itself.
                URLSession.shared.dataTask(with: url).resume()
            } else if line.contains("Slow answer begun") || line.contains("Ending when") {
                server.terminate()
            }
        }
        #expect(status == 1)
    }

    /// Runs the command until it ends.
    ///
    /// - Parameters:
    ///   - arguments: The command's.
    ///   - onLine: Gets each line of its log.
    /// - Returns: Its status and its log.
    /// - Throws: What kept it from running.
    private func run(
        _ arguments: [String],
        onLine: (String, Process) -> Void = { _, _ in }
    ) async throws -> (status: Int32, log: [String]) {
        let server = Process()
        // The tests lie beside the programs.
        server.executableURL = Bundle.main.bundleURL.appending(path: "quotable")
        server.arguments = arguments
        let (pipe, (chunks, chunk)) = (Pipe(), AsyncStream.makeStream(of: Data.self))
        server.standardError = pipe
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if !data.isEmpty { return _ = chunk.yield(data) }
            // The end of the pipe, which the command closes when it ends.
            handle.readabilityHandler = nil
            chunk.finish()
        }
        try server.run()
        var (log, rest): ([String], Data) = ([], Data())
        for await data in chunks {
            rest += data
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                log.append(String(decoding: rest[..<end], as: UTF8.self))
                rest = Data(rest[(end + 1)...])
                onLine(log[log.count - 1], server)
            }
        }
        server.waitUntilExit()
        return (server.terminationStatus, log)
    }
}
