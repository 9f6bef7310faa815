// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Bodies that are read as they come", .timeLimit(.minutes(10)))
final class StreamTests: Sendable {
    private let server: TestServer
    private let session = URLSession(configuration: .patient)

    init() throws { self.server = try TestServer() }

    deinit { self.server.stop() }

    @Test func `lines of pieces`() async throws {
        let (lines, response) = try await self.session.bridge.lines(for: self.server.request("pieces/1000"))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        var number = 0
        for try await line in lines {
            #expect(line == "piece \(number)")
            number += 1
        }
        #expect(number == 1000)
    }

    @Test func `a line ends with the body`() async throws {
        let (lines, _) = try await self.session.bridge.lines(for: self.server.request("now"))
        var iterator = lines.makeAsyncIterator()
        #expect(try await iterator.next() == "hello")
        for _ in 0..<3 { #expect(try await iterator.next() == nil) }
    }

    @Test func `a line that breaks off is none`() async throws {
        let (lines, _) = try await self.session.bridge.lines(for: self.server.request("broken"))
        var iterator = lines.makeAsyncIterator()
        await #expect(throws: URLError.self) { try await iterator.next() }
        for _ in 0..<3 { #expect(try await iterator.next() == nil) }
    }

    @Test func bytes() async throws {
        let (bytes, _) = try await self.session.bridge.bytes(for: self.server.request("now"))
        var all: [UInt8] = []
        for try await byte in bytes { all.append(byte) }
        #expect(all == Array("hello".utf8))
    }

    @Test func `an empty body`() async throws {
        let (chunks, _) = try await self.session.bridge.chunks(for: self.server.request("status/404"))
        for try await _ in chunks { Issue.record("There is no body") }
    }

    /// Foundation hands out such a response at the end only.
    @Test(arguments: ["nowhere", "anywhere"])
    func `a redirect without a goal is a response`(_ path: String) async throws {
        let (chunks, response) = try await self.session.bridge.chunks(for: self.server.request(path))
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        for try await _ in chunks { Issue.record("There is no body") }
    }

    /// Foundation on Linux waits for a password forever.
    @Test(arguments: ["locked", "digest"])
    func `a demand for a password is a response`(_ path: String) async throws {
        let (chunks, response) = try await self.session.bridge.chunks(for: self.server.request(path))
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        var text = ""
        for try await chunk in chunks { text += String(decoding: chunk, as: UTF8.self) }
        #expect(text == "no")
    }

    @Test func `garbage fails the call`() async {
        await #expect(throws: URLError.self) {
            _ = try await self.session.bridge.chunks(for: self.server.request("garbage"))
        }
    }

    @Test func `a broken body fails the loop, after what has come`() async throws {
        let (chunks, _) = try await self.session.bridge.chunks(for: self.server.request("broken"))
        var text = ""
        await #expect(throws: URLError.self) {
            for try await chunk in chunks { text += String(decoding: chunk, as: UTF8.self) }
        }
        #expect(text == "begun")
    }

    @Test func `a second consumer is refused`() async throws {
        let (chunks, _) = try await self.session.bridge.chunks(for: self.server.request("now"))
        var first = chunks.makeAsyncIterator()
        var second = chunks.makeAsyncIterator()
        await #expect(throws: BridgeFault.self) { try await second.next() }
        #expect(try await first.next() == Data("hello".utf8))
    }

    @Test func `a consumer that stands holds nobody up`() async throws {
        let size = 3_000_000
        let (chunks, _) = try await self.session.bridge.chunks(for: self.server.request("huge/\(size)"))
        #expect(try await self.session.bridge.data(for: self.server.request("now")).data == Data("hello".utf8))
        var count = 0
        for try await chunk in chunks { count += chunk.count }
        #expect(count == size)
    }

    @Test func `leaving the loop cuts the transfer`() async throws {
        let (chunks, _) = try await self.session.bridge.chunks(for: self.server.request("stuck"))
        for try await _ in chunks { break }
        _ = consume chunks
        await self.server.wait { $0.hangUps == 1 }
    }

    @Test func `cancellation in the body cuts the transfer`() async throws {
        let task = Task {
            let (chunks, _) = try await self.session.bridge.chunks(for: self.server.request("stuck"))
            for try await _ in chunks { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        await self.server.wait { $0.hangUps == 1 }
    }

    @Test func `cancellation before the response cuts the transfer`() async throws {
        let task = Task { _ = try await self.session.bridge.chunks(for: self.server.request("never")) }
        await self.server.wait { $0.requests == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await self.server.wait { $0.hangUps == 1 }
    }
}
