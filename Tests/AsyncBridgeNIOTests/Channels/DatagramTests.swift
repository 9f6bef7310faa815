// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import NIOCore
import NIOPosix
import Testing

@Suite("Bridged datagrams", .timeLimit(.minutes(10)))
struct DatagramTests {
    typealias Datagram = AddressedEnvelope<ByteBuffer>
    typealias Socket = BridgedChannel<Datagram, Datagram>

    private func socket(on group: any EventLoopGroup) async throws -> Socket {
        let bridged = CoPromise<Socket>()
        _ = try await DatagramBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    bridged.success(try channel.bridge(inbound: Datagram.self, outbound: Datagram.self))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .value()
        return try await bridged.value
    }

    /// More than a datagram can hold.
    private static let tooLong = ByteBuffer(repeating: 0, count: 100_000)

    @Test
    func `a reply that is too long closes the socket for nobody`() async throws {
        try await withLoops { group in
            let (server, client) = (try await self.socket(on: group), try await self.socket(on: group))
            let serverAddress = try #require(server.channel.localAddress)
            let clientAddress = try #require(client.channel.localAddress)
            // Several in line, and one by itself.
            for _ in 0..<3 {
                try await server.outbound.send(Datagram(remoteAddress: clientAddress, data: Self.tooLong))
            }
            let single = server.write(Datagram(remoteAddress: clientAddress, data: Self.tooLong))
            await #expect(throws: (any Error).self) { try await single.value() }
            try await server.outbound.send(Datagram(remoteAddress: clientAddress, data: ByteBuffer(string: "short")))
            #expect(try await client.inbound.receive().data == ByteBuffer(string: "short"))
            try await client.outbound.send(Datagram(remoteAddress: serverAddress, data: ByteBuffer(string: "again")))
            #expect(try await server.inbound.receive().data == ByteBuffer(string: "again"))
            for socket in [server, client] { try await socket.channel.close().value() }
        }
    }

    @Test
    func `the sender of a datagram can learn what became of it`() async throws {
        try await withLoops { group in
            let (server, client) = (try await self.socket(on: group), try await self.socket(on: group))
            let address = try #require(client.channel.localAddress)
            await #expect(throws: (any Error).self) {
                try await server.write(Datagram(remoteAddress: address, data: Self.tooLong)).value()
            }
            try await server.write(Datagram(remoteAddress: address, data: ByteBuffer(string: "short"))).value()
            #expect(try await client.inbound.receive().data == ByteBuffer(string: "short"))
            for socket in [server, client] { try await socket.channel.close().value() }
        }
    }
}
#endif
