// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Foundation
import OpenCombineShim
import QuoteKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if AsyncHTTPClient
import QuotableServer
#endif

@Suite("The README tells the truth", .timeLimit(.minutes(10)))
struct ReadmeTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// Lines without indentation; blank ones do not count.
    private static func lines(_ text: Substring) -> [Substring] {
        text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.filter { !$0.isEmpty }
    }

    @Test func `every block is compiled`() throws {
        let package = Self.folder.appending(path: "../../..")
        let readme = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        let blocks = readme.split(separator: "```swift\n").dropFirst().map { $0.prefix { $0 != "`" } }
        #expect(blocks.count > 8)
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
        let files = try names.filter { $0 != "ReadmeTests.swift" }.map {
            Self.lines(try String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8)[...])
        }
        for block in blocks {
            let lines = Self.lines(block)
            #expect(files.contains { $0.contains(lines) }, "\(block)")
        }
    }

    @Test func `the styles agree`() async throws {
        try await withServer(.urlSession) { client in
            try await QuoteKit.withClient(client) {
                let quote = try await client.randomQuote()
                let direct = try await async(quote.id)
                #expect(direct == quote)
                let log = EventLog()
                await callback(quote.id) { log.record($0) }.finished()
                future(client, quote.id) { log.record($0) }
                try await log.events(atLeast: 2)
                #expect(log.events == [quote.content, quote.content])
                let published = publisher(client, quote.id) { log.record($0) }
                try await log.events(atLeast: 3)
                published.cancel()
                #expect(log.events == [quote.content, quote.content, quote.content])
                var contents: [String] = []
                try await sequence(client) { contents.append($0) }
                let love = try await client.quotes(tags: ["love"], limit: 150)
                #expect(contents == love.results.map(\.content))
                let list = EventLog()
                let subscription = listPublisher(client) { list.record($0) }
                try await list.events(atLeast: min(contents.count, 100))
                subscription.cancel()
                #expect(list.events == Array(contents.prefix(100)))
            }
        }
    }

    @Test func `the migrations agree`() async throws {
        try await FaultyServer.run(.answer(200, body: Samples.quote)) { _, address in
            let url = try #require(URL(string: address))
            let session = URLSession(configuration: .ephemeral)
            let wrapped: Quote = try await OldClient(session: session).load(url)
            let client = Client(transport: URLSessionTransport(session: session))
            let direct: Quote = try await client.load(url)
            let kept: Quote = try await withCallback { callback in
                client.load(url) { callback.resume(with: $0) }
            } onCancel: {
                $0.cancel()
            }
            #expect(wrapped.id == "q1" && direct == wrapped && kept == wrapped)
        }
    }

    @Test func `the replacement agrees`() async throws {
        try await withServer(.urlSession) { client in
            try await QuoteKit.withClient(client) {
                let before = try await withCallback { callback in authorOfTheDay { callback.resume(with: $0) } }
                let after = try await authorOfTheDay()
                #expect(before.quotes?.isEmpty == false)
                #expect(after.quotes?.isEmpty == false)
            }
        }
    }

    #if AsyncHTTPClient
    @Test func `a client of ones own runs`() async throws {
        try await QuoteServer.withServer { address in
            let quote = try await ownClient(try #require(URL(string: address.url)))
            #expect(quote.tags.contains("Time"))
        }
    }
    #endif
}
