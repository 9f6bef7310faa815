// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import NIOCore
import NIOPosix
import QuotableServer
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Clients that take their time", .timeLimit(.minutes(10)))
struct SlowClientTests {
    private static let request = "GET /random HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private func connect(to address: QuoteServer.Address) async throws -> Connection {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
    }

    private func quickAnswer(from address: QuoteServer.Address) async throws -> String {
        try await self.connect(to: address).executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: Self.request))
            return try await inbound.reduce(into: "") { $0 += String(buffer: $1) }
        }
    }

    /// Slow loris: many connections that send their request a byte at a time.
    @Test func `many slow requests keep nobody out`() async throws {
        try await QuoteServer.withServer(configuration: .init(requestsPerMinute: nil)) { address in
            try await withThrowingTaskGroup(of: String.self) { group in
                let clients = 200
                let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
                let gates = (0..<clients).map { _ in AsyncStream.makeStream(of: Void.self) }
                for gate in gates {
                    group.addTask {
                        try await self.connect(to: address).executeThenClose { inbound, outbound in
                            for byte in Self.request.utf8.dropLast() {
                                try await outbound.write(ByteBuffer(bytes: [byte]))
                            }
                            arrival.yield()
                            // All but the last byte is there; it comes when the others have been served.
                            for await _ in gate.stream { break }
                            try await outbound.write(ByteBuffer(bytes: [Self.request.utf8.last ?? 10]))
                            return try await inbound.reduce(into: "") { $0 += String(buffer: $1) }
                        }
                    }
                }
                var waiting = 0
                for await _ in arrivals {
                    waiting += 1
                    if waiting == clients { break }
                }
                for _ in 0..<50 {
                    let answer = try await self.quickAnswer(from: address)
                    #expect(answer.hasPrefix("HTTP/1.1 200 "))
                }
                for gate in gates { gate.continuation.yield() }
                for try await answer in group { #expect(answer.hasPrefix("HTTP/1.1 200 ")) }
            }
        }
    }

    /// One that never sends the rest: the server ends in peace all the same.
    @Test func `one that stops half way does not keep the server from ending`() async throws {
        let connection = try await QuoteServer.withServer { address in
            let connection = try await self.connect(to: address)
            try await connection.channel.writeAndFlush(ByteBuffer(string: "GET /ran"))
            _ = try await self.quickAnswer(from: address)
            return connection
        }
        try await connection.channel.closeFuture.get()
    }
}
