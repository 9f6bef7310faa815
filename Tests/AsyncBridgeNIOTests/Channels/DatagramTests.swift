// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import Dispatch
import NIOCore
import NIOPosix
import Testing

@Suite("Bridged datagrams", .timeLimit(.minutes(10)))
struct DatagramTests {
    typealias Datagram = AddressedEnvelope<ByteBuffer>
    typealias Socket = BridgedChannel<Datagram, Datagram>

    // With a peer, it sends to that one only.
    private func socket(on group: any EventLoopGroup, to peer: SocketAddress? = nil) async throws -> Socket {
        let bridged = CoPromise<Socket>()
        let bootstrap = DatagramBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    bridged.success(try channel.bridge(inbound: Datagram.self, outbound: Datagram.self))
                }
            }
        let made = if let peer { bootstrap.connect(to: peer) } else { bootstrap.bind(host: "127.0.0.1", port: 0) }
        _ = try await made.value()
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

    /// NIO does not say that the socket is writable again: not for the first one, and for the second one neither.
    @Test
    func `a datagram that fails at once, behind one that is too long, keeps none from being sent`() async throws {
        try await withLoops { group in
            let (peer, other) = (try await self.socket(on: group), try await self.socket(on: group))
            let address = try #require(peer.channel.localAddress)
            let socket = try await self.socket(on: group, to: address)
            let stranger = Datagram(
                remoteAddress: try #require(other.channel.localAddress),
                data: ByteBuffer(string: "for another")
            )
            try await socket.outbound.send(Datagram(remoteAddress: address, data: Self.tooLong))
            for _ in 0..<3 { try await socket.outbound.send(stranger) }
            await #expect(throws: (any Error).self) { try await socket.write(stranger).value() }
            try await socket.outbound.send(Datagram(remoteAddress: address, data: ByteBuffer(string: "short")))
            #expect(try await peer.inbound.receive().data == ByteBuffer(string: "short"))
            for socket in [peer, other, socket] { try await socket.channel.close().value() }
        }
    }

    @Test
    func `one that is too long keeps nothing from being sent that was begun before the end`() async throws {
        try await withLoops { group in
            let (socket, peer) = (try await self.socket(on: group), try await self.socket(on: group))
            let address = try #require(peer.channel.localAddress)
            await #expect(throws: (any Error).self) {
                try await socket.write(Datagram(remoteAddress: address, data: Self.tooLong)).value()
            }
            let begun = DispatchSemaphore(value: 0)
            socket.channel.eventLoop.execute {
                begun.wait()
                // Overtakes the write, which is on its way to the loop.
                socket.outbound.close()
                socket.inbound.cancel()
            }
            let last = socket.write(Datagram(remoteAddress: address, data: ByteBuffer(string: "last")))
            begun.signal()
            try await last.value()
            #expect(try await peer.inbound.receive().data == ByteBuffer(string: "last"))
            try await socket.channel.closeFuture.value()
            try await peer.channel.close().value()
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
