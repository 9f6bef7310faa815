// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing
import WhatsThatServer
import WhatsThatServices

/// A classifier of which nobody gets an answer.
private struct NoClassifier: ImageClassifier {
    func classifyImage(
        _ image: Image,
        completion: @escaping @Sendable (Result<ImageClassifierService.Classification, any Error>) -> Void
    ) -> ClassificationRequest {
        completion(.failure(CancellationError()))
        return ClassificationRequest {}
    }
}

/// Keeps what is logged.
private struct KeptLog: LogHandler {
    let events: EventLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) { self.events.record("\(event.message)") }
}

@Suite("The server and clients that mean no good", .timeLimit(.minutes(10)))
struct HostileClientTests {
    /// Hands on what a server says, to its end.
    private final class Listener: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        private let answer: AsyncStream<String>.Continuation

        init(_ answer: AsyncStream<String>.Continuation) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.answer.yield(String(buffer: Self.unwrapInboundIn(data)))
        }

        func channelInactive(context: ChannelHandlerContext) { self.answer.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private static func connect(to address: String) async throws -> (any Channel, AsyncStream<String>) {
        let port = try #require(URL(string: address)?.port)
        let (answer, continuation) = AsyncStream.makeStream(of: String.self)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Listener(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return (channel, answer)
    }

    /// Sends text, and gets all that the server says until it closes the connection.
    private static func exchange(_ text: String, with address: String) async throws -> String {
        let (channel, answer) = try await Self.connect(to: address)
        try await channel.writeAndFlush(ByteBuffer(string: text))
        let all = await answer.reduce("", +)
        try? await channel.close()
        return all
    }

    private static func server(_ body: (_ address: String, _ host: String) async throws -> Void) async throws {
        try await ClassificationServer.withServer(classifier: NoClassifier()) { address in
            try await body(address, "\(address.dropFirst("http://".count))")
        }
    }

    // MARK: Names

    @Test
    func `a wrong Host is refused`() async throws {
        try await Self.server { address, host in
            let port = try #require(host.split(separator: ":").last)
            let expected = [
                ("Host: \(host)\r\n", 200), ("Host: LOCALHOST:\(port)\r\n", 200), ("Host: [::1]:\(port)\r\n", 200),
                ("Host: evil.example:\(port)\r\nOrigin: http://evil.example:\(port)\r\n", 421),
                ("Host: 127.0.0.1:1\r\n", 421), ("Host: 127.0.0.1\r\n", 421), ("Host: \r\n", 421),
                ("", 400), ("Host: \(host)\r\nHost: \(host)\r\n", 400),
                ("Host: \(host)\r\nOrigin: http://evil.example\r\n", 403),
                ("Host: \(host)\r\nSec-Fetch-Site: cross-site\r\n", 403),
                ("Host: \(host)\r\nOrigin: http://\(host)\r\nSec-Fetch-Site: same-origin\r\n", 200),
            ]
            for (fields, status) in expected {
                let answer = try await Self.exchange(
                    "GET /health HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n",
                    with: address
                )
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(fields)")
            }
        }
    }

    // MARK: Errors

    @Test
    func `a wrong method is told which ones there are, and error answers are as safe as others`() async throws {
        try await Self.server { address, host in
            let expected = [
                ("GET /classify", "405", "allow: post"), ("POST /", "405", "allow: get, head"),
                ("DELETE /health", "405", "allow: get, head"), ("GET /nowhere", "404", ""),
            ]
            for (line, status, allow) in expected {
                let answer = try await Self.exchange(
                    "\(line) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                    with: address
                )
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(line)")
                #expect(allow.isEmpty || answer.lowercased().contains("\r\n\(allow)\r\n"), "\(line)")
                #expect(answer.contains("nosniff"), "\(line)")
                #expect(answer.contains("default-src 'none'"), "\(line)")
            }
        }
    }

    @Test
    func `a broken upload is the client's error, and is not logged`() async throws {
        let log = EventLog()
        var configuration = ClassificationServer.Configuration()
        configuration.logger = Logger(label: "test") { _ in KeptLog(events: log) }
        try await ClassificationServer.withServer(configuration, classifier: NoClassifier()) { address in
            let host = address.dropFirst("http://".count)
            let head = "POST /classify HTTP/1.1\r\nHost: \(host)\r\nTransfer-Encoding: chunked\r\n\r\n"
            let trailers = (0..<2000).map { "a\($0): b\r\n" }.joined()
            for rest in ["3\r\nabc\r\nzz\r\n", "3\r\nabc\r\n0\r\n\(trailers)\r\n"] {
                let answer = try await Self.exchange(head + rest, with: address)
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(rest.prefix(20))")
                #expect(answer.contains(#"{"error":"#))
            }
            let (channel, _) = try await Self.connect(to: address)
            try await channel.writeAndFlush(ByteBuffer(string: head + "3\r\nabc\r\n"))
            try await Self.health(address) { $0.contains(#""waiting":1"#) }
            try await channel.close()
            try await Self.health(address) { $0.contains(#""waiting":0"#) }
        }
        #expect(log.events.isEmpty)
    }

    /// Waits until the server says so.
    private static func health(_ address: String, until holds: (String) -> Bool) async throws {
        let host = address.dropFirst("http://".count)
        let request = "GET /health HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
        while !holds(try await Self.exchange(request, with: address)) {}
    }

    // MARK: Too much

    @Test(arguments: ["Connection: close\r\n", ""])
    func `whoever sends all of a file that is too large sees why it is refused`(field: String) async throws {
        try await Self.server { address, host in
            let (channel, answer) = try await Self.connect(to: address)
            let count = 30_000_000
            let head = "POST /classify HTTP/1.1\r\nHost: \(host)\r\n\(field)Content-Length: \(count)\r\n\r\n"
            try await channel.writeAndFlush(ByteBuffer(string: head))
            // Before it looks at the answer.
            try await channel.writeAndFlush(ByteBuffer(repeating: 7, count: count))
            #expect(await answer.reduce("", +).hasPrefix("HTTP/1.1 413 "))
            try? await channel.close()
        }
    }

    @Test(arguments: ["/nowhere", "/", "/classify"])
    func `a refused upload is not read without end`(path: String) async throws {
        try await Self.server { address, host in
            let (channel, answer) = try await Self.connect(to: address)
            let foreign = path == "/classify" ? "Origin: http://evil.example\r\n" : ""
            let head = "POST \(path) HTTP/1.1\r\nHost: \(host)\r\n\(foreign)Transfer-Encoding: chunked\r\n\r\n"
            try await channel.writeAndFlush(ByteBuffer(string: head))
            let chunk = ByteBuffer(string: "100000\r\n" + String(repeating: "x", count: 1 << 20) + "\r\n")
            await #expect(throws: (any Error).self) { while true { try await channel.writeAndFlush(chunk) } }
            #expect(await answer.reduce("", +).hasPrefix("HTTP/1.1 4"))
        }
    }
}
