// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import Coroutines
import Dispatch
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@Suite("Bridged channels, over loopback", .timeLimit(.minutes(10)))
struct BridgedChannelTests {
    /// Who answers.
    enum Style: CaseIterable {
        case task
        case coroutine
        case coroutineElsewhere
    }

    private func echo(_ lines: Lines, in style: Style) {
        let (inbound, outbound) = (lines.inbound, lines.outbound)
        switch style {
        case .task:
            Task {
                for try await line in inbound { try await outbound.send(line) }
                outbound.close()
            }
        case .coroutine:
            lines.channel.eventLoop.scheduler.startCoroutine {
                for line in inbound.makeIterator() { try outbound.awaitSend(line) }
                outbound.close()
            }
        case .coroutineElsewhere:
            DispatchQueue(label: "elsewhere").startCoroutine {
                for line in inbound.makeIterator() { try outbound.awaitSend(line) }
                outbound.close()
            }
        }
    }

    @Test(arguments: Style.allCases)
    func `all lines come back, in order, and the ends pass in both directions`(style: Style) async throws {
        try await withConnection { server, client in
            self.echo(server, in: style)
            let count = 20_000
            let sending = Task {
                for number in 0..<count { try await client.outbound.send("\(number)") }
                client.outbound.close()
            }
            var received: [String] = []
            for try await line in client.inbound { received.append(line) }
            try await sending.value
            #expect(received == (0..<count).map(String.init))
            try await server.channel.closeFuture.value()
            try await client.channel.closeFuture.value()
        }
    }

    @Test
    func `a consumer that does not receive stops the peer, and nothing is lost`() async throws {
        try await withConnection { server, client in
            let line = String(repeating: "x", count: 1000)
            // More than the buffers of the system take, which hold megabytes.
            let count = 30_000
            let sending = Task { for _ in 0..<count { try await client.outbound.send(line) } }
            await until { !client.channel.isWritable && client.outbound.count == 16 }
            var (received, most) = (0, 0)
            while received < count {
                most = max(most, server.inbound.count)
                if try await server.inbound.receive() != line { Issue.record("a line is damaged") }
                received += 1
            }
            try await sending.value
            // One read of NIO's brings up to four times 64 KiB, which were on their way when the window was full.
            #expect(most <= 16 + 4 * 66)
            #expect(server.inbound.poll() == nil)
            // Not before: then NIO reads all that the system has, whatever the window says.
            client.outbound.close()
        }
    }

    @Test
    func `a peer that does not read makes senders wait, and what waits stays small`() async throws {
        try await withConnection(clientReads: false) { server, client in
            let line = String(repeating: "x", count: 1000)
            let sent = Count()
            let sending = Task {
                for _ in 0..<30_000 {
                    try await server.outbound.send(line)
                    sent.add()
                }
                server.outbound.close()
            }
            await until { server.outbound.count == 16 }
            #expect(sent.value < 30_000)
            try await client.channel.setOption(.autoRead, value: true).value()
            client.channel.read()
            var received = 0
            for try await _ in client.inbound { received += 1 }
            try await sending.value
            #expect(received == 30_000)
        }
    }

    @Test
    func `a reset by the peer ends receivers, and fails senders`() async throws {
        try await withConnection { server, client in
            try await client.outbound.send("hello")
            #expect(try await server.inbound.receive() == "hello")
            try await client.channel.closeWithReset()
            await #expect(throws: (any Error).self) { while true { _ = try await server.inbound.receive() } }
            await #expect(throws: (any Error).self) { while true { try await server.outbound.send("x") } }
            try await server.channel.closeFuture.value()
        }
    }

    @Test
    func `releasing both halves closes the channel, after what was sent`() async throws {
        try await withClient { server in
            Task { for number in 0..<100 { try await server.outbound.send("\(number)") } }
        } _: { client in
            var received: [String] = []
            for try await line in client.inbound { received.append(line) }
            #expect(received == (0..<100).map(String.init))
            // The other end reads on, and discards it, until this one ends its half.
            try await client.outbound.send("x")
            client.outbound.close()
            try await client.channel.closeFuture.value()
        }
    }

    @Test
    func `a peer that has ended its half, and reads late, gets all that was sent before the channel was closed`()
        async throws
    {
        try await withConnection(clientReads: false) { server, client in
            client.outbound.close()
            for try await _ in server.inbound {}
            let sent = Count()
            let sending = Task {
                while true {
                    try await server.outbound.send(String(repeating: "x", count: 1000))
                    sent.add()
                }
            }
            await until { server.outbound.count == 16 && !server.channel.isWritable }
            sending.cancel()
            await #expect(throws: CancellationError.self) { try await sending.value }
            server.outbound.close()
            try await client.channel.setOption(.autoRead, value: true).value()
            client.channel.read()
            var received = 0
            for try await _ in client.inbound { received += 1 }
            #expect(received == sent.value)
            try await server.channel.closeFuture.value()
        }
    }

    @Test
    func `a consumer that leaves first may go on sending`() async throws {
        try await withClient { server in
            let outbound = server.outbound
            Task { for number in 0..<1000 { try await outbound.send("\(number)") } }
        } _: { client in
            var received: [String] = []
            for try await line in client.inbound { received.append(line) }
            #expect(received == (0..<1000).map(String.init))
        }
    }

    @Test
    func `a decoder's error reaches the receiver after the lines before it, and senders go on`() async throws {
        try await withConnection { server, client in
            for line in ["one", "two", "!", "three"] { try await client.outbound.send(line) }
            var received: [String] = []
            await #expect(throws: LoopError()) { for try await line in server.inbound { received.append(line) } }
            #expect(received == ["one", "two"])
            try await server.outbound.send("x")
            #expect(try await client.inbound.receive() == "x")
            server.outbound.close()
            client.outbound.close()
            try await server.channel.closeFuture.value()
        }
    }

    @Test
    func `an encoder's error reaches senders and receivers, and closes the channel`() async throws {
        try await withConnection { server, client in
            try await server.outbound.send("?")
            await #expect(throws: LoopError()) { _ = try await server.inbound.receive() }
            await #expect(throws: LoopError()) { try await server.outbound.send("x") }
            try await server.channel.closeFuture.value()
            _ = client
        }
    }

    @Test
    func `closing the channel fails those who wait to send`() async throws {
        try await withConnection(clientReads: false) { server, client in
            let line = String(repeating: "x", count: 10_000)
            let sending = Task { while true { try await server.outbound.send(line) } }
            await until { server.outbound.count == 16 }
            try await server.channel.close().value()
            await #expect(throws: ChannelError.ioOnClosedChannel) { try await sending.value }
            await #expect(throws: CoChannelError.closed) { _ = try await server.inbound.receive() }
            _ = client
        }
    }

    @Test(
        arguments: Style.allCases
    )
    func `a client that reads fast, and is sent lines without end, does not keep others waiting`(style: Style)
        async throws
    {
        try await self.serveModestClient { self.echoOrFlood(try $0.bridgeLines(), in: style) }
    }

    /// Takes its time for each flush, as TLS does.
    private final class SlowFlushes: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = Any

        func flush(context: ChannelHandlerContext) {
            compute(for: .microseconds(500))
            context.flush()
        }
    }

    @Test
    func `nor does it if a flush takes long`() async throws {
        try await self.serveModestClient { channel in
            try channel.pipeline.syncOperations.addHandler(SlowFlushes())
            self.echoOrFlood(try channel.bridgeLines(), in: .task)
        }
    }

    @Test
    func `nor does it if it takes the loop long to make what is sent`() async throws {
        try await self.serveModestClient { channel in
            let lines = try channel.bridgeLines()
            Task(executorPreference: channel.eventLoop.taskExecutor) {
                for try await line in lines.inbound {
                    repeat {
                        if line == "flood" { compute(for: .microseconds(300)) }
                        try await lines.outbound.send(line)
                    } while line == "flood"
                }
            }
        }
    }

    /// Sends lines without end to one client, and lets another one have some answers meanwhile.
    private func serveModestClient(
        _ serve: @escaping @Sendable (_ channel: any Channel) throws -> Void
    ) async throws {
        try await withLoops(1) { serverLoop in
            let listener = try await ServerBootstrap(group: serverLoop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try serve(channel) }
                }
                .bind(host: "127.0.0.1", port: 0)
                .value()
            try await withLoops(1) { clientLoop in
                let greedy = try await self.client(of: listener, on: clientLoop)
                try await greedy.outbound.send("flood")
                // Not on the pool: a flood by a task has one of its threads, and this test needs another.
                let reading = Task(executorPreference: clientLoop.taskExecutor) {
                    for try await _ in greedy.inbound {}
                }
                let modest = try await self.client(of: listener, on: clientLoop)
                for number in 0..<20 {
                    try await modest.outbound.send("\(number)")
                    #expect(try await modest.inbound.receive() == "\(number)")
                }
                reading.cancel()
                try await greedy.channel.close().value()
                try await modest.channel.close().value()
            }
            try await listener.close().value()
        }
    }

    /// Takes its time for each write, as an encoder that compresses does.
    private final class SlowWrites: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = Any

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            compute(for: .microseconds(100))
            context.write(data, promise: promise)
        }
    }

    @Test
    func `of several clients that are sent lines without end, each has its turn, also if a write takes long`()
        async throws
    {
        try await withLoops(1) { serverLoop in
            let listener = try await ServerBootstrap(group: serverLoop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(SlowWrites())
                        self.echoOrFlood(try channel.bridgeLines(), in: .coroutine)
                    }
                }
                .bind(host: "127.0.0.1", port: 0)
                .value()
            try await withLoops(1) { clientLoop in
                let served = Count()
                var clients: [Lines] = []
                for _ in 0..<3 {
                    let client = try await self.client(of: listener, on: clientLoop)
                    try await client.outbound.send("flood")
                    clients.append(client)
                }
                try await withThrowingTaskGroup { group in
                    for client in clients {
                        group.addTask {
                            for _ in 0..<200 { _ = try await client.inbound.receive() }
                            served.add()
                            // Reads on, fast: it must not keep the others waiting.
                            for try await _ in client.inbound {}
                        }
                    }
                    await until { served.value == 3 }
                    for client in clients { try await client.channel.close().value() }
                    try await group.waitForAll()
                }
            }
            try await listener.close().value()
        }
    }

    private func client(of listener: any Channel, on group: any EventLoopGroup) async throws -> Lines {
        let lines = CoPromise<Lines>()
        let bootstrap = ClientBootstrap(group: group).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture { lines.success(try channel.bridgeLines()) }
        }
        guard let address = listener.localAddress else { throw LoopError() }
        _ = try await bootstrap.connect(to: address).value()
        return try await lines.value
    }

    private func echoOrFlood(_ lines: Lines, in style: Style) {
        let (inbound, outbound) = (lines.inbound, lines.outbound)
        switch style {
        case .task:
            Task(executorPreference: lines.channel.eventLoop.taskExecutor) {
                for try await line in inbound {
                    repeat { try await outbound.send(line) } while line == "flood"
                }
            }
        case .coroutine:
            lines.channel.eventLoop.scheduler.startCoroutine(onError: { _ in }) {
                for line in inbound.makeIterator() { repeat { try outbound.awaitSend(line) } while line == "flood" }
            }
        case .coroutineElsewhere:
            DispatchQueue(label: "elsewhere").startCoroutine(onError: { _ in }) {
                for line in inbound.makeIterator() { repeat { try outbound.awaitSend(line) } while line == "flood" }
            }
        }
    }
}

/// Keeps the calling thread busy.
private func compute(for duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {}
}
#endif
