// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if os(Linux)
/// Each in a process of its own: the memory that is measured is the process's.
///
/// Not under a sanitizer, which keeps freed memory.
@Suite("A body of 100 MB is never in memory", .enabled(if: !Sanitizer.isOn), .timeLimit(.minutes(10)))
struct BodyMemoryTests {
    private static let size = 100_000_000
    private static let bound = 32_000_000

    @Test func `if the consumer keeps up`() async {
        await #expect(processExitsWith: .success) { try await Self.read { _, _ in } }
    }

    /// The worst case: all of it comes before the consumer takes anything.
    @Test func `if the consumer stands`() async {
        await #expect(processExitsWith: .success) {
            try await Self.read { server, size in await server.wait { $0.bodyBytesSent == size } }
        }
    }

    private static func read(after wait: (TestServer, Int) async -> Void) async throws {
        let server = try TestServer()
        let session = URLSession.withoutCache()
        _ = try await session.bridge.data(for: server.request("now"))
        let before = try Self.peak()
        let (chunks, _) = try await session.bridge.chunks(for: server.request("huge/\(Self.size)"))
        await wait(server, Self.size)
        var count = 0
        var isRight = true
        for try await chunk in chunks {
            for byte in chunk.prefix(1) { isRight = isRight && byte == TestServer.bodyByte(at: count) }
            count += chunk.count
        }
        let growth = try Self.peak() - before
        guard count == Self.size, isRight, growth < Self.bound else {
            print("read \(count) bytes, right: \(isRight), memory grew by \(growth)")
            exit(EXIT_FAILURE)
        }
    }

    /// The most memory that this process ever had, in bytes.
    private static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber))) * 1024
    }
}
#endif
