// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import AsyncBridgeTesting
import Dispatch
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@Suite("Errors of a bridged pipeline", .timeLimit(.minutes(10)))
struct BridgeErrorTests {
    private static let nowhere = try? SocketAddress(unixDomainSocketPath: "/nowhere")

    @Test
    func `what came before a decoder's error is answered, and then the connection ends`() async throws {
        try await withClient { server in
            Task { for try await line in server.inbound { try await server.outbound.send("ok \(line)") } }
        } _: { client in
            // One packet, and its last line is bad.
            try await client.outbound.send("one\ntwo\nthree\n!")
            var received: [String] = []
            for try await line in client.inbound { received.append(line) }
            #expect(received == ["ok one", "ok two", "ok three"])
        }
    }

    @Test
    func `an error that becomes an element is answered, too`() async throws {
        try await withLoops { group in
            let listener = try await ServerBootstrap(group: group)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(
                            ByteToMessageHandler(LineDecoder()),
                            MessageToByteHandler(LineEncoder())
                        )
                        let lines = try channel.bridge(
                            inbound: String?.self,
                            outbound: String.self,
                            onError: { $0 is LoopError ? .some(nil) : nil }
                        )
                        Task {
                            for try await line in lines.inbound {
                                guard let line else { return try await lines.outbound.send("500") }
                                try await lines.outbound.send("200 \(line)")
                            }
                        }
                    }
                }
                .bind(host: "127.0.0.1", port: 0)
                .value()
            let connected = CoPromise<Lines>()
            _ = try await ClientBootstrap(group: group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { connected.success(try channel.bridgeLines()) }
                }
                .connect(to: #require(listener.localAddress))
                .value()
            let client = try await connected.value
            try await client.outbound.send("one\n!\ntwo")
            var received: [String] = []
            for try await line in client.inbound { received.append(line) }
            #expect(received == ["200 one", "500"])
            try await listener.close().value()
        }
    }

    @Test
    func `after an error later elements are undelivered, and senders learn of it when the channel is closed`() throws {
        let (channel, undelivered) = (EmbeddedChannel(), Collected<String>())
        let lines = try channel.bridge(
            inbound: String.self,
            outbound: String.self,
            onUndelivered: { undelivered.append($0) }
        )
        try channel.connect(to: #require(Self.nowhere)).wait()
        channel.pipeline.fireChannelRead("a")
        channel.pipeline.fireErrorCaught(LoopError())
        channel.pipeline.fireChannelRead("b")
        #expect(undelivered.all == ["b"])
        #expect(lines.inbound.poll() == "a")
        var failure: (any Error)?
        lines.inbound.whenReceive { if case .failure(let error) = $0 { undelivered.append("\(error)") } }
        #expect(undelivered.all.last == "\(LoopError())")
        #expect(lines.outbound.offer("x"))
        channel.embeddedEventLoop.run()
        #expect(try channel.readOutbound(as: String.self) == "x")
        try channel.close().wait()
        let late = lines.write("y")
        do { try late.wait() } catch { failure = error }
        #expect(failure is LoopError)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    // MARK: Elements that are not sent

    /// Fails each write whose element says so, as an encoder may.
    private final class PickyWrites: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = String
        typealias OutboundOut = String

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if self.unwrapOutboundIn(data).hasPrefix("bad") {
                promise?.fail(LoopError())
            } else {
                context.write(data, promise: promise)
            }
        }
    }

    @Test(arguments: [BridgedChannelKind.stream, .datagrams])
    func `a write that fails gives its element back, and ends what needs all of them`(kind: BridgedChannelKind) throws {
        let (channel, unsent) = (EmbeddedChannel(handler: PickyWrites()), Collected<String>())
        let lines = try channel.bridge(
            inbound: String.self,
            outbound: String.self,
            kind: kind,
            onUnsent: { unsent.append($0) }
        )
        try channel.connect(to: #require(Self.nowhere)).wait()
        channel.embeddedEventLoop.run()
        for line in ["a", "bad b", "c"] { _ = lines.outbound.offer(line) }
        channel.embeddedEventLoop.run()
        #expect(channel.isActive == (kind == .datagrams))
        #expect(unsent.all.first == "bad b")
        #expect(lines.outbound.isCancelled == (kind == .stream))
        if kind == .datagrams {
            channel.pipeline.fireErrorCaught(LoopError())
            channel.pipeline.fireChannelRead("next")
            #expect(lines.inbound.poll() == "next")
        }
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    /// All three are written in one go, before anything is flushed.
    @Test
    func `what was sent before a write that fails goes out`() throws {
        let (channel, unsent) = (EmbeddedChannel(handler: PickyWrites()), Collected<String>())
        let lines = try channel.bridge(
            inbound: String.self,
            outbound: String.self,
            onUnsent: { unsent.append($0) }
        )
        for line in ["a", "bad b", "c"] { #expect(lines.outbound.offer(line)) }
        try channel.connect(to: #require(Self.nowhere)).wait()
        channel.embeddedEventLoop.run()
        #expect(try channel.readOutbound(as: String.self) == "a")
        #expect(unsent.all.sorted() == ["bad b", "c"])
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test
    func `a single write that is made before the senders are gone is written, though the loop sees their end first`()
        async throws
    {
        try await withConnection { server, client in
            // Its pump waits for the next element.
            try await server.write("first").value()
            #expect(try await client.inbound.receive() == "first")
            let gate = DispatchSemaphore(value: 0)
            server.channel.eventLoop.execute { gate.wait() }
            // The element wakes the pump, which then finds that the senders are gone: before the writes arrive.
            #expect(server.outbound.offer("a"))
            let writes = [server.write("b"), server.write("c")]
            server.outbound.close()
            gate.signal()
            var received: [String] = []
            for try await line in client.inbound { received.append(line) }
            #expect(received == ["a", "b", "c"])
            for write in writes { try await write.value() }
            await #expect(throws: ChannelError.outputClosed) { try await server.write("d").value() }
        }
    }

    @Test
    func `the result of a single write is its sender's, and closes nothing; writes keep their places`() throws {
        let channel = EmbeddedChannel(handler: PickyWrites())
        let lines = try channel.bridge(inbound: String.self, outbound: String.self)
        let early = lines.write("0")
        #expect(lines.outbound.offer("1"))
        let (bad, good) = (lines.write("bad"), lines.write("2"))
        #expect(lines.outbound.offer("3"))
        try channel.connect(to: #require(Self.nowhere)).wait()
        channel.embeddedEventLoop.run()
        let late = lines.write("4")
        channel.embeddedEventLoop.run()
        #expect(throws: LoopError()) { try bad.wait() }
        for write in [early, good, late] { #expect(throws: Never.self) { try write.wait() } }
        var written: [String] = []
        while let line = try channel.readOutbound(as: String.self) { written.append(line) }
        #expect(written == ["0", "1", "2", "3", "4"])
        #expect(channel.isActive)
        lines.outbound.close()
        #expect(throws: (any Error).self) { try lines.write("5").wait() }
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test
    func `many single writes that wait keep their places among the elements`() throws {
        let channel = EmbeddedChannel()
        let lines = try channel.bridge(
            inbound: String.self,
            outbound: String.self,
            limits: BridgedChannelLimits(outbound: 10_000)
        )
        try channel.connect(to: #require(Self.nowhere)).wait()
        var (sent, written): ([String], [String]) = ([], [])
        for round in 0..<3 {
            channel.isWritable = false
            channel.pipeline.fireChannelWritabilityChanged()
            for number in 0..<5_000 {
                let name = "\(round) \(number)"
                sent.append(name)
                if number % 7 < 5 { _ = lines.write(name) } else { #expect(lines.outbound.offer(name)) }
            }
            channel.isWritable = true
            channel.pipeline.fireChannelWritabilityChanged()
            // Turns of the loop have pauses between them.
            for _ in 0..<1_000 { channel.embeddedEventLoop.advanceTime(by: .milliseconds(1)) }
            while let line = try channel.readOutbound(as: String.self) { written.append(line) }
        }
        #expect(written == sent)
        _ = try? channel.finish()
    }

    @Test
    func `what waits in line when the channel is closed is given back`() throws {
        let (channel, unsent) = (EmbeddedChannel(), Collected<String>())
        let lines = try channel.bridge(inbound: String.self, outbound: String.self, onUnsent: { unsent.append($0) })
        try channel.connect(to: #require(Self.nowhere)).wait()
        channel.embeddedEventLoop.run()
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        for line in ["a", "b", "c"] { #expect(lines.outbound.offer(line)) }
        try channel.close().wait()
        // The first was written, and never flushed out.
        #expect(unsent.all.sorted() == ["b", "c"] || unsent.all.sorted() == ["a", "b", "c"])
        #expect(try (channel.readOutbound(as: String.self) == nil) == unsent.all.contains("a"))
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    // MARK: Places

    @Test
    func `a second bridge is refused`() throws {
        let channel = EmbeddedChannel()
        let lines = try channel.bridge(inbound: String.self, outbound: String.self)
        #expect(throws: BridgedChannelError.alreadyBridged) {
            try channel.bridge(inbound: String.self, outbound: String.self)
        }
        #expect(!"\(BridgedChannelError.alreadyBridged)\(BridgedChannelError.removed)".isEmpty)
        #expect(!lines.outbound.isClosed)
        _ = try? channel.finish()
    }

    @Test(arguments: BridgePlace.allCases)
    func `a bridge that is added too late says so, and one that is added in time does not`(place: BridgePlace) throws {
        CollectedReports.begin()
        let channel = EmbeddedChannel()
        // A line of its own for each place.
        let made: (fileID: StaticString, line: UInt) = (
            #fileID, 100_000 + UInt(BridgePlace.allCases.firstIndex(of: place) ?? 0)
        )
        let pipeline = channel.pipeline.syncOperations
        if place == .initializer {
            _ = try channel.bridge(inbound: String.self, outbound: String.self, fileID: made.fileID, line: made.line)
        } else {
            try pipeline.addHandler(BridgeAdder(in: place, made: made) { _ in })
        }
        if place == .registered { pipeline.fireChannelRegistered() }
        try channel.connect(to: #require(Self.nowhere)).wait()
        // As a channel does that reads by itself.
        channel.read()
        pipeline.fireUserInboundEventTriggered(AddBridge())
        pipeline.fireChannelRead(NIOAny("add"))
        pipeline.fireChannelReadComplete()
        channel.embeddedEventLoop.run()
        var lines: Lines?
        if place == .task {
            lines = try channel.bridge(
                inbound: String.self,
                outbound: String.self,
                fileID: made.fileID,
                line: made.line
            )
        }
        channel.embeddedEventLoop.run()
        withExtendedLifetime(lines) {}
        let reports = CollectedReports.all(about: CallSite(fileID: made.fileID, line: made.line))
        #expect(reports.map(\.kind) == (place == .task ? [.addedLate] : []))
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    /// As the report advises.
    @Test
    func `a bridge that is added before the channel reads by itself is in time`() async throws {
        CollectedReports.begin()
        let (made, accepted) = (CallSite(fileID: #fileID, line: 110_000), CoPromise<any Channel>())
        try await withLoops(2) { group in
            let listener = try await ServerBootstrap(group: group)
                .childChannelOption(.autoRead, value: false)
                .childChannelInitializer { channel in
                    accepted.success(channel)
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0)
                .value()
            let address = try #require(listener.localAddress)
            let client = try await ClientBootstrap(group: group).connect(to: address).value()
            let channel = try await accepted.value
            await until { channel.isActive }
            let lines = try await channel.eventLoop.submit { () -> Lines in
                try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(LineDecoder()))
                let lines: Lines = try channel.bridge(
                    inbound: String.self,
                    outbound: String.self,
                    fileID: made.fileIDLiteral,
                    line: made.line
                )
                try channel.syncOptions?.setOption(.autoRead, value: true)
                return lines
            }
            .value()
            // The check comes a step later.
            try await lines.channel.eventLoop.submit {}.value()
            try await client.writeAndFlush(ByteBuffer(string: "a\n")).value()
            let first = try await lines.inbound.receive()
            #expect(first == "a")
        }
        #expect(CollectedReports.all(about: made).isEmpty)
    }

    // MARK: Sizes

    @Test
    func `back-pressure counts bytes, if they are what is asked for`() throws {
        let channel = EmbeddedChannel()
        let lines = try channel.bridge(
            inbound: String.self,
            outbound: String.self,
            limits: BridgedChannelLimits(low: 10, high: 100),
            size: \.utf8.count
        )
        let reads = Count()
        try channel.pipeline.syncOperations.addHandler(ReadCounter(reads), position: .first)
        try channel.connect(to: #require(Self.nowhere)).wait()
        func passes() -> Bool {
            let before = reads.value
            channel.read()
            return reads.value > before
        }
        for _ in 0..<20 { channel.pipeline.fireChannelRead("four") }
        #expect(passes())
        // No bytes count as one.
        for _ in 0..<20 { channel.pipeline.fireChannelRead("") }
        #expect(!passes())
        let held = reads.value
        for _ in 0..<22 { _ = lines.inbound.poll() }
        #expect(reads.value == held)
        for _ in 0..<8 { _ = lines.inbound.poll() }
        #expect(reads.value == held + 1)
        _ = try? channel.finish()
    }

    private final class ReadCounter: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = Any

        private let reads: Count

        init(_ reads: Count) { self.reads = reads }

        func read(context: ChannelHandlerContext) {
            self.reads.add()
            context.read()
        }
    }
}
#endif
