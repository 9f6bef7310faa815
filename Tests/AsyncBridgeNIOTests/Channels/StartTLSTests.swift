// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import NIOCore
import NIOEmbedded
import Testing

/// What the guide says of STARTTLS, with a handler that flips bits in the place of TLS.
@Suite("A handler like that of TLS comes before a bridge", .timeLimit(.minutes(10)))
struct StartTLSTests {
    /// Flips each bit of what comes and of what is written.
    private final class Flipping: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.fireChannelRead(self.wrapInboundOut(Self.flipped(self.unwrapInboundIn(data))))
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            context.write(self.wrapOutboundOut(Self.flipped(self.unwrapOutboundIn(data))), promise: promise)
        }

        static func flipped(_ bytes: ByteBuffer) -> ByteBuffer {
            ByteBuffer(bytes: bytes.readableBytesView.map { ~$0 })
        }
    }

    /// As in the guide; the future is the event loop's.
    private static func start(_ lines: Lines) -> EventLoopFuture<Void> {
        let pipeline = lines.channel.pipeline
        return lines.write("ready").flatMapThrowing {
            while lines.inbound.poll() != nil {}
            let decoder = try pipeline.syncOperations.handler(type: ByteToMessageHandler<LineDecoder>.self)
            try pipeline.syncOperations.addHandler(ByteToMessageHandler(LineDecoder()), position: .before(decoder))
            pipeline.syncOperations.removeHandler(decoder, promise: nil)
            try pipeline.syncOperations.addHandler(Flipping(), position: .first)
        }
    }

    /// What was written so far.
    private func written(_ channel: EmbeddedChannel) throws -> [ByteBuffer] {
        var written: [ByteBuffer] = []
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { written.append(bytes) }
        return written
    }

    /// Whole lines, half a line, and both.
    @Test(arguments: ["", "evil\n", "evil\nworse\n", "ev", "evil\nwor"])
    func `what came before it is dropped, and what comes after it passes it`(pipelined: String) throws {
        let channel = EmbeddedChannel()
        let lines = try channel.bridgeLines()
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        try channel.writeInbound(ByteBuffer(string: "hello\nstarttls\n\(pipelined)"))
        let received = [lines.inbound.poll(), lines.inbound.poll()]
        #expect(received == ["hello", "starttls"])
        #expect(lines.outbound.offer("welcome"))
        let started = Self.start(lines)
        channel.embeddedEventLoop.run()
        try started.wait()
        #expect(try self.written(channel) == ["welcome\n", "ready\n"].map { ByteBuffer(string: $0) })

        try channel.writeInbound(Flipping.flipped(ByteBuffer(string: "one\ntw")))
        try channel.writeInbound(Flipping.flipped(ByteBuffer(string: "o\n")))
        let later = [lines.inbound.poll(), lines.inbound.poll(), lines.inbound.poll()]
        #expect(later == ["one", "two", nil])
        #expect(lines.outbound.offer("three"))
        channel.embeddedEventLoop.run()
        #expect(try self.written(channel) == [Flipping.flipped(ByteBuffer(string: "three\n"))])
        lines.outbound.close()
        lines.inbound.cancel()
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }

    /// The answer is the last that is sent as it is, and the client's next bytes are the first that are flipped.
    @Test func `over a socket`() async throws {
        try await withClient { server in
            Task {
                for try await line in server.inbound {
                    if line == "starttls" {
                        try await Self.start(server).value()
                    } else {
                        try await server.outbound.send("ok \(line)")
                    }
                }
            }
        } _: { client in
            for line in ["one", "starttls"] { try await client.outbound.send(line) }
            #expect(try await client.inbound.receive() == "ok one")
            #expect(try await client.inbound.receive() == "ready")
            try await client.channel.eventLoop.submit {
                try client.channel.pipeline.syncOperations.addHandler(Flipping(), position: .first)
            }
            .value()
            for number in 0..<100 { try await client.outbound.send("\(number)") }
            client.outbound.close()
            var received: [String] = []
            for try await line in client.inbound { received.append(line) }
            #expect(received == (0..<100).map { "ok \($0)" })
        }
    }
}
#endif
