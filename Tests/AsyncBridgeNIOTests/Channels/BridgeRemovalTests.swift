// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import AsyncBridgeTesting
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@Suite("A bridge that is removed", .timeLimit(.minutes(10)))
final class BridgeRemovalTests {
    private let channel = EmbeddedChannel()

    // A channel that was not closed is never released.
    deinit { _ = try? self.channel.finish(acceptAlreadyClosed: true) }

    private func connected(_ limits: BridgedChannelLimits = BridgedChannelLimits()) throws -> Lines {
        let lines = try self.channel.bridge(inbound: String.self, outbound: String.self, limits: limits)
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        self.channel.embeddedEventLoop.run()
        return lines
    }

    @Test
    func `what was sent is written, what came goes to the closure, and the channel goes on`() throws {
        let lines = try self.connected()
        try self.channel.writeInbound("a")
        try self.channel.writeInbound("b")
        #expect(lines.inbound.poll() == "a")
        #expect(lines.outbound.offer("x"))
        let written = lines.write("y")
        self.channel.isWritable = false
        self.channel.pipeline.fireChannelWritabilityChanged()
        for line in ["z", "w"] { #expect(lines.outbound.offer(line)) }
        let removed = lines.remove { _, left in left.elements + [left.inputEnd == nil ? "open" : "ended"] }
        #expect(!lines.outbound.offer("late"))
        let refused = lines.write("late")
        self.channel.embeddedEventLoop.run()
        // Not before a peer has read what was sent before.
        try self.channel.writeInbound("c")
        self.channel.isWritable = true
        self.channel.pipeline.fireChannelWritabilityChanged()
        self.channel.embeddedEventLoop.run()
        #expect(try removed.wait() == ["b", "c", "open"])
        #expect(throws: Never.self) { try written.wait() }
        #expect(throws: BridgedChannelError.removed) { try refused.wait() }
        var sent: [String] = []
        while let line = try self.channel.readOutbound(as: String.self) { sent.append(line) }
        #expect(sent == ["x", "y", "z", "w"])
        #expect(lines.inbound.isClosed)
        // Nothing of the bridge is left: the channel stays, and what comes passes.
        self.channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(self.channel.isActive)
        try self.channel.writeInbound("d")
        #expect(try self.channel.readInbound(as: String.self) == "d")
        _ = try? self.channel.finish()
    }

    @Test
    func `another bridge takes its place, in the same step, and the reading goes on`() throws {
        let reads = Reads()
        try self.channel.pipeline.syncOperations.addHandler(reads)
        let lines = try self.connected(BridgedChannelLimits(low: 0, high: 1))
        self.channel.read()
        try self.channel.writeInbound("a")
        let before = reads.count
        self.channel.read()
        #expect(reads.count == before)
        let next = lines.remove { channel, left in
            (try channel.bridge(inbound: String.self, outbound: Int.self), left.elements)
        }
        self.channel.embeddedEventLoop.run()
        let (bridge, left) = try next.wait()
        #expect(left == ["a"])
        // The read that the full bridge had held back.
        #expect(reads.count == before + 1)
        try self.channel.writeInbound("b")
        #expect(bridge.inbound.poll() == "b")
        #expect(bridge.outbound.offer(1))
        self.channel.embeddedEventLoop.run()
        #expect(try self.channel.readOutbound(as: Int.self) == 1)
        _ = try? self.channel.finish()
    }

    @Test(arguments: [false, true])
    func `a bridge that replaces another one closes nothing before what that one wrote is sent`(isKept: Bool) throws {
        let socket = SlowSocket()
        try self.channel.pipeline.syncOperations.addHandler(socket)
        let lines = try self.connected()
        #expect(lines.outbound.offer("x"))
        var removed: EventLoopFuture<Lines>? = lines.remove { channel, _ in
            try channel.bridge(inbound: String.self, outbound: String.self)
        }
        if !isKept { removed = nil }
        self.channel.embeddedEventLoop.run()
        if isKept {
            // Nobody sends or receives in the new one.
            let next = try removed?.wait()
            next?.outbound.close()
            next?.inbound.cancel()
        }
        self.channel.embeddedEventLoop.run()
        #expect(self.channel.isActive && socket.closes == 0)
        socket.send()
        self.channel.embeddedEventLoop.run()
        #expect(!self.channel.isActive)
    }

    @Test
    func `a datagram of a bridge that was replaced does not block the next one when it fails`() throws {
        let socket = SlowSocket()
        try self.channel.pipeline.syncOperations.addHandler(socket)
        let old = try self.channel.bridge(inbound: String.self, outbound: String.self, kind: .datagrams)
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        #expect(old.outbound.offer("too long"))
        self.channel.isWritable = false
        self.channel.pipeline.fireChannelWritabilityChanged()
        let removed = old.remove { channel, _ in
            try channel.bridge(inbound: String.self, outbound: String.self, kind: .datagrams)
        }
        self.channel.embeddedEventLoop.run()
        let next = try removed.wait()
        #expect(next.outbound.offer("short"))
        #expect(socket.count == 1)
        // As NIO, which does not tell that the channel is writable again.
        socket.fail()
        #expect(socket.count == 1)
        #expect(!next.outbound.isClosed)
        socket.send()
    }

    /// Sends what is written only when it is told to.
    private final class SlowSocket: ChannelOutboundHandler {
        typealias OutboundIn = Any

        private var promises: [EventLoopPromise<Void>?] = []
        private(set) var closes = 0

        /// How many writes are on their way.
        var count: Int { self.promises.count }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            self.promises.append(promise)
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            self.closes += 1
            context.close(mode: mode, promise: promise)
        }

        func send() { while let promise = self.promises.popLast() { promise?.succeed() } }

        /// Sends none of what is on its way.
        func fail() {
            let promises = self.promises
            self.promises = []
            for promise in promises { promise?.fail(LoopError()) }
        }
    }

    @Test
    func `a bridge that takes the place learns of the end that has come`() throws {
        for event: any Sendable in [ChannelEvent.inputClosed, ChannelShouldQuiesceEvent()] as [any Sendable] {
            let channel = EmbeddedChannel()
            let lines = try channel.bridge(inbound: String.self, outbound: String.self)
            try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
            channel.pipeline.fireUserInboundEventTriggered(event)
            let removed = lines.remove { channel, _ in try channel.bridge(inbound: String.self, outbound: String.self) }
            channel.embeddedEventLoop.run()
            let next = try removed.wait()
            #expect(next.inbound.isClosed)
            #expect(channel.isActive)
            #expect(next.outbound.offer("bye"))
            channel.embeddedEventLoop.run()
            #expect(try channel.readOutbound(as: String.self) == "bye")
            _ = try? channel.finish(acceptAlreadyClosed: true)
        }
    }

    @Test
    func `the closure learns how the input has ended`() throws {
        for event in [ChannelEvent.inputClosed, nil] {
            let channel = EmbeddedChannel()
            let lines = try channel.bridge(inbound: String.self, outbound: String.self)
            try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
            if let event {
                channel.pipeline.fireUserInboundEventTriggered(event)
            } else {
                channel.pipeline.fireErrorCaught(LoopError())
            }
            let removed = lines.remove { _, left in left.inputEnd }
            channel.embeddedEventLoop.run()
            switch try removed.wait() {
            case .closed: #expect(event == .inputClosed)
            case .failed(let error): #expect(error is LoopError && event == nil)
            case nil: Issue.record("the end is lost")
            @unknown default: Issue.record("an unknown end")
            }
            #expect(channel.isActive)
            _ = try? channel.finish(acceptAlreadyClosed: true)
        }
    }

    @Test
    func `a closed channel, closed senders and a second removal fail it`() throws {
        let lines = try self.connected()
        let first = lines.remove { _, _ in 1 }
        let second = lines.remove { _, _ in 2 }
        self.channel.embeddedEventLoop.run()
        #expect(try first.wait() == 1)
        #expect(throws: BridgedChannelError.removed) { try second.wait() }

        let next = try self.channel.bridge(inbound: String.self, outbound: String.self)
        self.channel.isWritable = false
        self.channel.pipeline.fireChannelWritabilityChanged()
        #expect(next.outbound.offer("x"))
        let third = next.remove { _, _ in 3 }
        let late = next.write("y")
        try self.channel.close().wait()
        self.channel.embeddedEventLoop.run()
        #expect(throws: ChannelError.ioOnClosedChannel) { try third.wait() }
        #expect(throws: BridgedChannelError.removed) { try late.wait() }

        let other = EmbeddedChannel()
        let closed = try other.bridge(inbound: String.self, outbound: String.self)
        closed.outbound.close()
        let fourth = closed.remove { _, _ in 4 }
        #expect(throws: ChannelError.outputClosed) { try fourth.wait() }
        _ = try? other.finish()
    }

    @Test
    func `senders learn that the bridge was removed, while it is being removed and afterwards`() async throws {
        let lines = try self.connected()
        self.channel.isWritable = false
        self.channel.pipeline.fireChannelWritabilityChanged()
        #expect(lines.outbound.offer("x"))
        let removed = lines.remove { _, _ in }
        await #expect(throws: BridgedChannelError.removed) { try await lines.outbound.send("y") }
        self.channel.isWritable = true
        self.channel.pipeline.fireChannelWritabilityChanged()
        self.channel.embeddedEventLoop.run()
        try await removed.value()
        await #expect(throws: BridgedChannelError.removed) { try await lines.outbound.send("z") }
        _ = try? self.channel.finish()
        await #expect(throws: BridgedChannelError.removed) { try await lines.outbound.send("z") }
    }

    @Test(arguments: [false, true])
    func `a peer that does not read what was sent before keeps the channel open for a while only`(
        isActive: Bool
    ) throws {
        let nowhere = try SocketAddress(unixDomainSocketPath: "/nowhere")
        let (channel, unsent) = (EmbeddedChannel(), Collected<String>())
        let removed: EventLoopFuture<Void>
        do {
            let lines = try channel.bridge(
                inbound: String.self,
                outbound: String.self,
                lingering: .seconds(5),
                onUnsent: { unsent.append($0) }
            )
            if isActive { try channel.connect(to: nowhere).wait() }
            channel.isWritable = false
            channel.pipeline.fireChannelWritabilityChanged()
            for line in ["a", "b"] { #expect(lines.outbound.offer(line)) }
            removed = lines.remove { _, _ in }
            if !isActive { try channel.connect(to: nowhere).wait() }
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(4))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        #expect(throws: ChannelError.ioOnClosedChannel) { try removed.wait() }
        #expect(unsent.all.sorted() == ["a", "b"] || unsent.all == ["b"])
    }

    @Test
    func `no receiver's code runs between the removal and the closure`() throws {
        let lines = try self.connected()
        let order = Collected<String>()
        // It would get past a pipeline in which nothing takes it.
        let events = self.channel.pipeline
        lines.inbound.whenReceive { _ in
            order.append("receiver")
            events.fireChannelRead("a")
        }
        let removed = lines.remove { channel, _ in
            order.append("closure")
            return try channel.bridge(inbound: String.self, outbound: String.self)
        }
        self.channel.embeddedEventLoop.run()
        #expect(order.all == ["closure", "receiver"])
        #expect(try removed.wait().inbound.poll() == "a")
    }

    @Test
    func `a closure that throws closes the channel`() throws {
        let lines = try self.connected()
        let removed = lines.remove { (_, _) -> Void in throw LoopError() }
        #expect(throws: LoopError()) { try removed.wait() }
        #expect(!self.channel.isActive)
    }

    @Test
    func `a bridge that takes its place is not reported as added late`() async throws {
        CollectedReports.begin()
        let line: UInt = 200_000
        try await withClient { server in
            Task {
                let next = try await server.remove { channel, _ in
                    try channel.bridge(inbound: String.self, outbound: String.self, line: line)
                }
                .value()
                try await next.outbound.send("go on")
                for try await line in next.inbound { try await next.outbound.send(line) }
            }
        } _: { client in
            #expect(try await client.inbound.receive() == "go on")
            try await client.outbound.send("a")
            #expect(try await client.inbound.receive() == "a")
        }
        #expect(CollectedReports.all(about: CallSite(line: line)).isEmpty)
    }

    @Test
    func `nothing that comes meanwhile is lost`() async throws {
        try await withClient { server in
            Task {
                for try await line in server.inbound where line == "upgrade" { break }
                try await server.outbound.send("go on")
                let (next, left) = try await server.remove { channel, left in
                    (try channel.bridge(inbound: String.self, outbound: String.self), left.elements)
                }
                .value()
                for line in left { try await next.outbound.send(line) }
                for try await line in next.inbound { try await next.outbound.send(line) }
            }
        } _: { client in
            try await client.outbound.send("upgrade")
            // The answer is written before the bridge is removed: some of these come before that, and some after.
            #expect(try await client.inbound.receive() == "go on")
            for number in 0..<1000 { try await client.outbound.send("\(number)") }
            client.outbound.close()
            var received: [String] = []
            for try await line in client.inbound { received.append(line) }
            #expect(received == (0..<1000).map(String.init))
        }
    }

    @Test(arguments: [false, true])
    func `a bridge that comes next learns of the peer's end, also if an error was first`(hasFailed: Bool) throws {
        let lines = try self.connected()
        if hasFailed { self.channel.pipeline.fireErrorCaught(LoopError()) }
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        let removed = lines.remove { channel, left in
            let isFailure = if case .failed = left.inputEnd { true } else { false }
            return (try channel.bridge(inbound: String.self, outbound: String.self), isFailure)
        }
        self.channel.embeddedEventLoop.run()
        let (next, isFailure) = try removed.wait()
        #expect(next.inbound.isClosed)
        #expect(isFailure == hasFailed)
        // The peer's end and the senders' close the channel.
        next.outbound.close()
        self.channel.embeddedEventLoop.run()
        #expect(!self.channel.isActive)
    }
}
#endif
