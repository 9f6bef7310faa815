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

@Suite("Connections that end together", .timeLimit(.minutes(10)))
struct ConnectionGroupTests {
    // MARK: The machine

    private enum Phase: CaseIterable {
        case serving
        case ending
        case closing
        case over
    }

    private final class Connection {}

    private func state(_ phase: Phase, _ connection: Connection) -> ConnectionsState<Connection> {
        var state = ConnectionsState<Connection>()
        _ = state.add(connection, ObjectIdentifier(connection))
        switch phase {
        case .serving: break
        case .ending: _ = state.endGracefully()
        case .closing: _ = state.closeAll()
        case .over: _ = (state.endGracefully(), state.removed(ObjectIdentifier(connection)))
        }
        return state
    }

    private func name(_ action: ConnectionsState<Connection>.EndAction) -> String {
        switch action {
        case .none: "none"
        case .tell(let connections): "tell \(connections.count)"
        case .close(let connections): "close \(connections.count)"
        case .finish: "finish"
        }
    }

    @Test
    func `each event in each state`() {
        let (first, second) = (Connection(), Connection())
        var answers: [Phase: [String]] = [:]
        for phase in Phase.allCases {
            var adding = self.state(phase, first)
            var telling = self.state(phase, first)
            var closing = self.state(phase, first)
            var removing = self.state(phase, first)
            answers[phase] = [
                "\(adding.add(second, ObjectIdentifier(second)))", self.name(telling.endGracefully()),
                self.name(closing.closeAll()), self.name(removing.removed(ObjectIdentifier(first))),
            ]
        }
        #expect(answers[.serving] == ["true", "tell 1", "close 1", "none"])
        #expect(answers[.ending] == ["false", "none", "close 1", "finish"])
        #expect(answers[.closing] == ["false", "none", "none", "finish"])
        #expect(answers[.over] == ["false", "none", "none", "none"])
        var idle = ConnectionsState<Connection>()
        var idleToo = ConnectionsState<Connection>()
        let ends = [self.name(idle.endGracefully()), self.name(idleToo.closeAll())]
        #expect(ends == ["finish", "finish"])
    }

    // MARK: A server

    /// Collects the lines that a server has read, when its bridge has them.
    private final class ReadLines: ChannelInboundHandler {
        typealias InboundIn = String

        private let lines: Collected<String>

        init(_ lines: Collected<String>) { self.lines = lines }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.fireChannelRead(data)
            self.lines.append(self.unwrapInboundIn(data))
        }
    }

    /// A server that answers each line when the gate is open, and a function that connects to it.
    private func withServer(
        _ connections: ConnectionGroup,
        waitingFor gate: CoFuture<Void>,
        read: Collected<String> = Collected(),
        _ body: (_ listener: any Channel, _ connect: () async throws -> Lines) async throws -> Void
    ) async throws {
        try await withLoops(2) { group in
            let listener = try await ServerBootstrap(group: group)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        connections.add(channel)
                        let lines = try channel.bridgeLines()
                        let decoder = try channel.pipeline.syncOperations.handler(
                            type: ByteToMessageHandler<LineDecoder>.self
                        )
                        try channel.pipeline.syncOperations.addHandler(ReadLines(read), position: .after(decoder))
                        Task {
                            for try await line in lines.inbound {
                                try await gate.value
                                try await lines.outbound.send("ok \(line)")
                            }
                            try await lines.outbound.send("bye")
                        }
                    }
                }
                .bind(host: "127.0.0.1", port: 0)
                .value()
            connections.add(listener: listener)
            let address = try #require(listener.localAddress)
            try await body(listener) {
                let connected = CoPromise<Lines>()
                _ = try await ClientBootstrap(group: group)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture { connected.success(try channel.bridgeLines()) }
                    }
                    .connect(to: address)
                    .value()
                return try await connected.value
            }
            connections.closeAll()
        }
    }

    @Test(arguments: [false, true])
    func `each connection answers what it has got, and says goodbye`(byListener: Bool) async throws {
        let (connections, gate) = (ConnectionGroup(grace: .hours(1)), CoPromise<Void>())
        let read = Collected<String>()
        try await self.withServer(connections, waitingFor: gate, read: read) { listener, connect in
            var clients: [Lines] = []
            for _ in 0..<3 { clients.append(try await connect()) }
            for client in clients {
                try await client.outbound.send("one\ntwo")
            }
            // What comes after the end is not read any more.
            await until { read.all.count == 6 }
            #expect(connections.count == 4)
            let running = Task { try await connections.run() }
            if byListener { try await listener.close().value() } else { connections.endGracefully() }
            try await listener.closeFuture.value()
            gate.success(())
            for client in clients {
                var received: [String] = []
                for try await line in client.inbound { received.append(line) }
                #expect(received == ["ok one", "ok two", "bye"])
            }
            try await running.value
            #expect(connections.count == 0)
            // A process that another test starts has the listener's socket too, until it runs its own program.
            while (try? await connect()) != nil {
                if Task.isCancelled {
                    Issue.record("the listener still takes connections")
                    return
                }
            }
        }
    }

    @Test
    func `a connection that waits for its peer says goodbye, too`() async throws {
        let (connections, gate) = (ConnectionGroup(grace: .hours(1)), CoPromise<Void>())
        gate.success(())
        try await self.withServer(connections, waitingFor: gate) { _, connect in
            let client = try await connect()
            try await client.outbound.send("one")
            let answer = try await client.inbound.receive()
            #expect(answer == "ok one")
            connections.endGracefully()
            var rest: [String] = []
            for try await line in client.inbound { rest.append(line) }
            #expect(rest == ["bye"])
        }
    }

    @Test
    func `a cancelled run closes all at once`() async throws {
        let connections = ConnectionGroup(grace: .hours(1))
        try await self.withServer(connections, waitingFor: CoPromise<Void>()) { listener, connect in
            let client = try await connect()
            try await client.outbound.send("one")
            await until { connections.count == 2 }
            let running = Task { try await connections.run() }
            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }
            #expect(connections.count == 0)
            try await client.channel.closeFuture.value()
            try await listener.closeFuture.value()
        }
    }

    @Test
    func `channels whose loop was shut down keep nobody waiting, added before or after it`() async throws {
        let (early, late) = (ConnectionGroup(grace: .hours(1)), ConnectionGroup(grace: .hours(1)))
        let listener = try await withLoops { group in
            let listener = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).value()
            early.add(listener: listener)
            return listener
        }
        late.add(listener: listener)
        for connections in [early, late] {
            #expect(connections.count == 0)
            try await connections.run()
        }
        let idle = ConnectionGroup(grace: .hours(1))
        idle.add(listener)
        #expect(idle.count == 0)
    }

    @Test
    func `a connection that does not end has some time, and no other is taken`() throws {
        let connections = ConnectionGroup(grace: .seconds(5))
        let (channel, late) = (EmbeddedChannel(), EmbeddedChannel())
        let lines = try channel.bridge(inbound: String.self, outbound: String.self)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        connections.add(channel)
        try channel.writeInbound("a")
        connections.endGracefully()
        channel.embeddedEventLoop.run()
        let received = [lines.inbound.poll(), lines.inbound.poll()]
        #expect(received == ["a", nil])
        #expect(lines.inbound.isClosed && !lines.outbound.isClosed)
        channel.embeddedEventLoop.advanceTime(by: .seconds(4))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        #expect(connections.count == 0)
        try late.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        connections.add(late)
        late.embeddedEventLoop.run()
        #expect(!late.isActive)
    }

    @Test
    func `a bridge that is added when the server ends already ends its inbound half, and so does the next one`() throws
    {
        let connections = ConnectionGroup(grace: .hours(1))
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        connections.add(channel)
        connections.endGracefully()
        channel.embeddedEventLoop.run()
        let lines = try channel.bridge(inbound: String.self, outbound: String.self)
        #expect(lines.inbound.isClosed && !lines.outbound.isClosed)
        // It is removed, and a later one is not that which the removal sees.
        let removed = lines.remove { _, _ in }
        channel.embeddedEventLoop.run()
        try removed.wait()
        let next = try channel.bridge(inbound: String.self, outbound: String.self)
        #expect(next.inbound.isClosed && !next.outbound.isClosed)
        next.outbound.close()
        lines.outbound.close()
        channel.embeddedEventLoop.run()
        _ = try? channel.finish()
    }
}
#endif
