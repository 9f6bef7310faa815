// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import Coroutines
import NIOCore
import NIOEmbedded
import Testing

@Suite("Bridged channels, step by step", .timeLimit(.minutes(10)))
struct EmbeddedBridgeTests {
    private let channel = EmbeddedChannel()

    private func connected(_ limits: BridgedChannelLimits = BridgedChannelLimits()) throws -> Lines {
        let lines = try self.channel.bridge(
            inbound: String.self,
            outbound: String.self,
            limits: limits,
            userEvent: { $0 as? String }
        )
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        return lines
    }

    @Test
    func `elements that come one by one are written at once, and flushed together`() throws {
        let lines = try self.connected()
        self.channel.embeddedEventLoop.run()
        for line in ["a", "b", "c"] { #expect(lines.outbound.offer(line)) }
        #expect(try self.channel.readOutbound(as: String.self) == nil)
        self.channel.embeddedEventLoop.run()
        var written: [String] = []
        while let line = try self.channel.readOutbound(as: String.self) { written.append(line) }
        #expect(written == ["a", "b", "c"])
        lines.outbound.close()
        lines.inbound.cancel()
        self.channel.embeddedEventLoop.run()
        #expect(!self.channel.isActive)
    }

    @Test(arguments: [true, false])
    func `what is sent in a read is flushed when the read ends, and otherwise soon`(readEnds: Bool) throws {
        let lines = try self.connected()
        self.channel.embeddedEventLoop.run()
        let (inbound, outbound) = (lines.inbound, lines.outbound)
        self.channel.embeddedEventLoop.scheduler.startCoroutine {
            for line in inbound.makeIterator() { try outbound.awaitSend(line) }
        }
        self.channel.embeddedEventLoop.run()
        for line in ["a", "b"] { self.channel.pipeline.fireChannelRead(line) }
        #expect(try self.channel.readOutbound(as: String.self) == nil)
        // A handler in front may keep the end of a read.
        if readEnds { self.channel.pipeline.fireChannelReadComplete() } else { self.channel.embeddedEventLoop.run() }
        #expect(try self.channel.readOutbound(as: String.self) == "a")
        #expect(try self.channel.readOutbound(as: String.self) == "b")
        _ = try? self.channel.finish()
    }

    @Test(arguments: [false, true])
    func `a coroutine on the loop writes after what it has sent, when that had to wait for room`(
        aWriteWaits: Bool
    ) throws {
        let lines = try self.channel.bridge(
            inbound: String.self,
            outbound: String.self,
            limits: BridgedChannelLimits(outbound: 1)
        )
        // The channel is not active: all of this waits.
        #expect(lines.outbound.offer("sent"))
        if aWriteWaits { _ = lines.write("written") }
        self.channel.embeddedEventLoop.scheduler.startCoroutine {
            // It goes on when the bridge has taken the element that has the room.
            for number in 1...3 {
                try lines.outbound.awaitSend("sent \(number)")
                _ = lines.write("written \(number)")
            }
        }
        self.channel.embeddedEventLoop.run()
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        self.channel.embeddedEventLoop.run()
        var received: [String] = []
        while let line = try self.channel.readOutbound(as: String.self) { received.append(line) }
        let later = (1...3).flatMap { ["sent \($0)", "written \($0)"] }
        #expect(received == ["sent"] + (aWriteWaits ? ["written"] : []) + later)
        _ = try? self.channel.finish()
    }

    /// Keeps writes, as a peer that does not read makes a socket do, and closes no output alone, as UDP.
    private final class KeptWrites: ChannelOutboundHandler {
        typealias OutboundIn = Any

        var promises: [EventLoopPromise<Void>?] = []
        var refusals = 0

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            self.promises.append(promise)
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .output {
                self.refusals += 1
                promise?.fail(ChannelError.operationUnsupported)
            } else {
                context.close(mode: mode, promise: promise)
            }
        }

        func fulfill() { for promise in self.promises { promise?.succeed() } }
    }

    @Test
    func `when both halves are over, a peer that does not read keeps the channel open for a while only`() throws {
        let writes = KeptWrites()
        try self.channel.pipeline.syncOperations.addHandler(writes)
        let lines = try self.connected()
        #expect(lines.outbound.offer("a"))
        lines.inbound.cancel()
        lines.outbound.close()
        self.channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(self.channel.isActive)
        self.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!self.channel.isActive)
        writes.fulfill()
    }

    @Test(arguments: [true, false])
    func `a peer that reads nothing at all keeps it open no longer, though elements wait for it`(inputEndsFirst: Bool)
        throws
    {
        let lines = try self.connected()
        self.channel.embeddedEventLoop.run()
        self.channel.isWritable = false
        self.channel.pipeline.fireChannelWritabilityChanged()
        for line in ["a", "b", "c"] { #expect(lines.outbound.offer(line)) }
        if inputEndsFirst { lines.inbound.cancel() }
        lines.outbound.close()
        if !inputEndsFirst { lines.inbound.cancel() }
        self.channel.embeddedEventLoop.run()
        #expect(lines.outbound.count == 2)
        self.channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(self.channel.isActive)
        self.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!self.channel.isActive)
    }

    @Test(arguments: [true, false])
    func `when all was sent, the channel is closed at once`(inputEndsFirst: Bool) throws {
        let writes = KeptWrites()
        try self.channel.pipeline.syncOperations.addHandler(writes)
        let lines = try self.connected()
        #expect(lines.outbound.offer("a"))
        if inputEndsFirst { lines.inbound.cancel() }
        lines.outbound.close()
        self.channel.embeddedEventLoop.run()
        #expect(self.channel.isActive)
        writes.fulfill()
        self.channel.embeddedEventLoop.run()
        // A channel whose output cannot be closed alone goes on to read, if somebody receives.
        #expect(self.channel.isActive == !inputEndsFirst && writes.refusals == 1)
        if !inputEndsFirst {
            self.channel.pipeline.fireChannelRead("b")
            #expect(lines.inbound.poll() == "b")
            lines.inbound.cancel()
            self.channel.embeddedEventLoop.run()
        }
        #expect(!self.channel.isActive)
    }

    @Test
    func `while the channel is not writable, senders wait; then they go on`() throws {
        let lines = try self.connected(BridgedChannelLimits(outbound: 2))
        self.channel.embeddedEventLoop.run()
        self.channel.isWritable = false
        self.channel.pipeline.fireChannelWritabilityChanged()
        // One is taken by the callback that waited; two have room.
        let offers = (0..<4).map { lines.outbound.offer("\($0)") }
        #expect(offers == [true, true, true, false])
        self.channel.embeddedEventLoop.run()
        #expect(lines.outbound.count == 2)
        self.channel.isWritable = true
        self.channel.pipeline.fireChannelWritabilityChanged()
        self.channel.embeddedEventLoop.run()
        var written: [String] = []
        while let line = try self.channel.readOutbound(as: String.self) { written.append(line) }
        #expect(written == ["0", "1", "2"])
        _ = try? self.channel.finish()
    }

    @Test(arguments: [true, false])
    func `an event that ends the inbound half can be an element instead, but not the end of the peer's half`(
        isElement: Bool
    ) throws {
        let lines = try self.channel.bridge(inbound: String.self, outbound: String.self, userEvent: { "\($0)" })
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        let event: any Sendable = isElement ? ChannelShouldQuiesceEvent() : ChannelEvent.inputClosed
        self.channel.pipeline.fireUserInboundEventTriggered(event)
        #expect(lines.inbound.poll() == (isElement ? "\(event)" : nil))
        #expect(lines.inbound.isClosed == !isElement)
        _ = try? self.channel.finish(acceptAlreadyClosed: true)
    }

    @Test
    func `a user event takes its place among the elements, if it is wanted`() throws {
        let lines = try self.connected()
        try self.channel.writeInbound("a")
        self.channel.pipeline.fireUserInboundEventTriggered("event")
        self.channel.pipeline.fireUserInboundEventTriggered(42)
        try self.channel.writeInbound("b")
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        let received = [lines.inbound.poll(), lines.inbound.poll(), lines.inbound.poll(), lines.inbound.poll()]
        #expect(received == ["a", "event", "b", nil])
        #expect(lines.inbound.isClosed && !lines.outbound.isClosed)
        _ = try? self.channel.finish()
    }

    @Test
    func `what nobody receives goes to onUndelivered: what is there, and what comes later`() throws {
        let undelivered = Collected<String>()
        let lines = try self.channel.bridge(
            inbound: String.self,
            outbound: String.self,
            onUndelivered: { undelivered.append($0) }
        )
        try self.channel.writeInbound("a")
        lines.inbound.cancel()
        self.channel.embeddedEventLoop.run()
        try self.channel.writeInbound("b")
        #expect(undelivered.all == ["a", "b"])
        _ = try? self.channel.finish()
    }

    @Test
    func `a bridge that is added to an active channel works at once`() throws {
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        let lines = try self.channel.bridge(inbound: String.self, outbound: String.self)
        #expect(lines.outbound.offer("a"))
        self.channel.embeddedEventLoop.run()
        #expect(try self.channel.readOutbound(as: String.self) == "a")
        _ = try? self.channel.finish()
    }

    @Test
    func `a handler that is removed ends both halves`() throws {
        let lines = try self.connected()
        _ = try? self.channel.finish()
        #expect(lines.inbound.isClosed)
        #expect(!lines.outbound.offer("late"))
    }
}
#endif
