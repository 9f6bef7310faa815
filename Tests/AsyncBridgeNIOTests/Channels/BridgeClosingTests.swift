// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

/// A socket that is closed with unread input is reset, and the peer loses what it has not read.
@Suite("Closing a bridged channel while the peer still sends", .timeLimit(.minutes(10)))
struct BridgeClosingTests {
    private static let word = String(repeating: "x", count: 16_383)

    /// How a server stops listening.
    enum Stop: CaseIterable {
        case release
        case cancel
        case outputFirst
        case decoderError
    }

    @Test(arguments: Stop.allCases)
    func `the peer gets all of the answer, though it goes on sending`(how: Stop) async throws {
        let limits = BridgedChannelLimits(low: 0, high: 1)
        let answered = CoPromise<any Channel>()
        try await withClient(serverLimits: limits, clientReads: false) { server in
            Task {
                do {
                    if how == .decoderError {
                        while true { _ = try await server.inbound.receive() }
                    } else {
                        _ = try await server.inbound.receive()
                    }
                } catch {}
                // 1 MiB, which the system takes before the peer reads any of it.
                for _ in 0..<64 { try await server.write(Self.word).value() }
                switch how {
                case .release, .decoderError: break
                case .cancel:
                    server.inbound.cancel()
                    server.outbound.close()
                case .outputFirst:
                    server.outbound.close()
                    server.inbound.cancel()
                }
                answered.success(server.channel)
            }
        } _: { client in
            let flood = Task {
                if how == .decoderError { try await client.outbound.send("!") }
                while true { try await client.outbound.send(Self.word) }
            }
            let channel = try await answered.value
            // The end of the halves is known to the loop by now, or by its next task.
            for _ in 0..<3 { try await channel.eventLoop.submit {}.value() }
            try await client.channel.setOption(.autoRead, value: true).value()
            client.channel.read()
            var received = 0
            for try await line in client.inbound where line == Self.word { received += 1 }
            #expect(received == 64)
            // Still in the middle of its own half.
            flood.cancel()
            _ = await flood.result
            client.outbound.close()
            try await channel.closeFuture.value()
        }
    }

    // MARK: Step by step

    /// A channel with halves, as a socket has; an embedded one closes all.
    private final class Halves: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = Any

        let reads = Count()
        private let error: ChannelError?
        private let closes: Count

        init(_ closes: Count, failingWith error: ChannelError? = nil) { (self.closes, self.error) = (closes, error) }

        func read(context: ChannelHandlerContext) {
            self.reads.add()
            context.read()
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            guard mode == .output else { return context.close(mode: mode, promise: promise) }
            self.closes.add()
            if let error = self.error { promise?.fail(error) } else { promise?.succeed() }
        }
    }

    private func released(
        failingWith error: ChannelError? = nil,
        outputFirst: Bool
    ) throws -> (EmbeddedChannel, Halves, Count) {
        let closes = Count()
        let halves = Halves(closes, failingWith: error)
        let channel = EmbeddedChannel(handler: halves)
        let lines = try channel.bridge(inbound: String.self, outbound: String.self, lingering: .seconds(10))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        if outputFirst {
            lines.outbound.close()
            channel.embeddedEventLoop.run()
            lines.inbound.cancel()
        } else {
            lines.inbound.cancel()
            lines.outbound.close()
        }
        channel.embeddedEventLoop.run()
        return (channel, halves, closes)
    }

    @Test(arguments: [true, false])
    func `what still comes is read, until the peer ends its half or the time is over`(peerEnds: Bool) throws {
        for outputFirst in [true, false] {
            let (channel, halves, closes) = try self.released(outputFirst: outputFirst)
            #expect(channel.isActive && closes.value == 1)
            for _ in 0..<3 {
                // Also if the channel does not read by itself.
                let before = halves.reads.value
                channel.pipeline.fireChannelRead("more")
                channel.pipeline.fireChannelReadComplete()
                #expect(halves.reads.value == before + 1)
            }
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(9_999))
            #expect(channel.isActive)
            if peerEnds {
                channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            } else {
                channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            }
            #expect(!channel.isActive && closes.value == 1)
            _ = try? channel.finish(acceptAlreadyClosed: true)
        }
    }

    @Test(arguments: [true, false])
    func `a channel whose output cannot be closed alone is closed at once`(outputFirst: Bool) throws {
        let (channel, _, closes) = try self.released(failingWith: .operationUnsupported, outputFirst: outputFirst)
        #expect(!channel.isActive && closes.value == 1)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test(arguments: [true, false])
    func `that somebody else has closed the output does not matter`(outputFirst: Bool) throws {
        let (channel, _, closes) = try self.released(failingWith: .outputClosed, outputFirst: outputFirst)
        #expect(channel.isActive && closes.value == 1)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!channel.isActive)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test
    func `a channel whose peer has ended is closed at once`() throws {
        let closes = Count()
        let channel = EmbeddedChannel(handler: Halves(closes))
        let lines = try channel.bridge(inbound: String.self, outbound: String.self)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        lines.inbound.cancel()
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        lines.outbound.close()
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive && closes.value == 0)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }
}
#endif
