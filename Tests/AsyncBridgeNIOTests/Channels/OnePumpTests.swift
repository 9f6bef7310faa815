// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

/// Two pumps would take elements from each other, and write them in any order.
@Suite("A bridge has one pump, wherever it is added", .timeLimit(.minutes(10)))
struct OnePumpTests {
    private static let nowhere = try? SocketAddress(unixDomainSocketPath: "/nowhere")

    /// An active embedded channel, with a bridge.
    private func bridged(in place: BridgePlace, _ channel: EmbeddedChannel) throws -> Lines {
        var lines: Lines?
        let pipeline = channel.pipeline.syncOperations
        if place == .initializer {
            lines = try channel.bridge(
                inbound: String.self,
                outbound: String.self,
                limits: BridgedChannelLimits(outbound: 1)
            )
        } else {
            try pipeline.addHandler(BridgeAdder(in: place) { lines = $0 })
        }
        if place == .registered { pipeline.fireChannelRegistered() }
        try channel.connect(to: #require(Self.nowhere)).wait()
        switch place {
        case .initializer, .handlerAdded, .channelActive, .channelActiveAfterOthers, .registered:
            break
        case .userEvent:
            pipeline.fireUserInboundEventTriggered(AddBridge())
        case .channelRead:
            pipeline.fireChannelRead(NIOAny("add"))
            pipeline.fireChannelReadComplete()
        case .readComplete:
            pipeline.fireChannelReadComplete()
        case .task:
            lines = try channel.bridge(
                inbound: String.self,
                outbound: String.self,
                limits: BridgedChannelLimits(outbound: 1)
            )
        }
        channel.embeddedEventLoop.run()
        return try #require(lines)
    }

    @Test(arguments: BridgePlace.allCases)
    func `one element at most leaves the buffer of a channel that is not writable`(place: BridgePlace) throws {
        let channel = EmbeddedChannel()
        let lines = try self.bridged(in: place, channel)
        // An event that comes again begins nothing.
        channel.pipeline.fireChannelActive()
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        let offers = (0..<4).map { lines.outbound.offer("\($0)") }
        #expect(offers == [true, true, false, false])
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.run()
        #expect(try channel.readOutbound(as: String.self) == "0")
        #expect(try channel.readOutbound(as: String.self) == "1")
        #expect(try channel.readOutbound(as: String.self) == nil)
        try channel.writeInbound("x")
        #expect(lines.inbound.poll() == "x")
        _ = try? channel.finish()
    }

    /// Adds the bridge of a real connection when it is active.
    private final class Starter: ChannelInboundHandler {
        typealias InboundIn = Any

        private let place: BridgePlace
        private let serve: @Sendable (Lines) -> Void

        init(in place: BridgePlace, _ serve: @escaping @Sendable (Lines) -> Void) {
            self.place = place
            self.serve = serve
        }

        func channelActive(context: ChannelHandlerContext) {
            if self.place == .channelActiveAfterOthers { context.fireChannelActive() }
            do { self.serve(try context.channel.bridgeLines()) } catch { context.fireErrorCaught(error) }
            if self.place == .channelActive { context.fireChannelActive() }
        }
    }

    @Test(arguments: [BridgePlace.channelActive, .channelActiveAfterOthers])
    func `lines from another thread arrive in order, and all, if the bridge was added in channelActive`(
        place: BridgePlace
    ) async throws {
        try await withLoops(2) { group in
            let count = 2_000
            let listener = try await ServerBootstrap(group: group)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let starter = Starter(in: place) { lines in
                            let outbound = lines.outbound
                            Task { for number in 0..<count { try await outbound.send("\(number)") } }
                        }
                        try channel.pipeline.syncOperations.addHandler(starter)
                    }
                }
                .bind(host: "127.0.0.1", port: 0)
                .value()
            let address = try #require(listener.localAddress)
            for _ in 0..<8 {
                let connected = CoPromise<Lines>()
                _ = try await ClientBootstrap(group: group)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture { connected.success(try channel.bridgeLines()) }
                    }
                    .connect(to: address)
                    .value()
                let client = try await connected.value
                var received: [String] = []
                // The server's end is closed when all has been sent.
                for try await line in client.inbound { received.append(line) }
                #expect(received == (0..<count).map(String.init))
            }
            try await listener.close().value()
        }
    }
}
#endif
