// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeNIO
import BenchmarkSupport
import Foundation
import LineServer
import NIOCore
import NIOPosix

/// The example LineServer in its forms: requests per second, processor time, and memory.
struct ServerMeasurements {
    /// What was measured of one form with one number of connections; the best of all rounds.
    private struct Figures {
        var requestsPerSecond = 0.0
        var processorMicroseconds = Double.infinity
        var bytesPerConnection = Double.infinity
    }

    let rounds: Int

    func run(title: String, connections: Int, requests: Int) async throws {
        var figures = [Figures](repeating: Figures(), count: ServerProcess.Kind.allCases.count)
        for _ in 0..<self.rounds {
            for (index, kind) in ServerProcess.Kind.allCases.enumerated() {
                let round = try await Self.measure(kind, connections: connections, requests: requests)
                figures[index].requestsPerSecond = max(figures[index].requestsPerSecond, round.requestsPerSecond)
                figures[index].processorMicroseconds = min(
                    figures[index].processorMicroseconds,
                    round.processorMicroseconds
                )
                figures[index].bytesPerConnection = min(figures[index].bytesPerConnection, round.bytesPerConnection)
            }
        }
        let kinds = ServerProcess.Kind.allCases
        let handler = figures[kinds.firstIndex(of: .handler) ?? 0]
        let asyncChannel = figures[kinds.firstIndex(of: .asyncChannel) ?? 0]
        print("\n\(title)\n")
        print(
            "| | requests/s | of the handler | of NIOAsyncChannel | µs of the server's processor | bytes/connection |"
        )
        print("|---|---|---|---|---|---|")
        for (kind, form) in zip(kinds, figures) {
            print(
                String(
                    format: "| %@ | %.0f | %.2f | %.2f | %.2f | %.0f |",
                    kind.title,
                    form.requestsPerSecond,
                    form.requestsPerSecond / handler.requestsPerSecond,
                    form.requestsPerSecond / asyncChannel.requestsPerSecond,
                    form.processorMicroseconds,
                    form.bytesPerConnection
                )
            )
        }
    }

    /// Each connection asks again when it has its answer.
    private static func measure(_ kind: ServerProcess.Kind, connections: Int, requests: Int) async throws -> Figures {
        let server = try ServerProcess(kind)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let clients = Clients(on: group.next())
        // What the first connections allocate for all.
        try await clients.connect(10, port: server.port)
        try await clients.ask(each: 10)
        let idle = server.residentBytes
        try await clients.connect(connections, port: server.port)
        try await clients.ask(each: 1)
        let resident = server.residentBytes
        let (start, processor) = (ContinuousClock.now, server.processorTime)
        let each = max(1, requests / connections)
        try await clients.ask(each: each)
        let taken = (ContinuousClock.now - start) / .seconds(1)
        let asked = Double(each * (connections + 10))
        let result = Figures(
            requestsPerSecond: asked / taken,
            processorMicroseconds: (server.processorTime - processor) / asked * 1_000_000,
            bytesPerConnection: Double(resident - idle) / Double(connections)
        )
        try await group.shutdownGracefully()
        try server.stop()
        return result
    }

    /// Clients that ask without end, and do not read the answers.
    static func slowReaders(title: String, connections: Int) async throws {
        print("\n\(title)\n")
        print("| | bytes/connection when all is full | after as many seconds again |")
        print("|---|---|---|")
        for kind in ServerProcess.Kind.allCases {
            let server = try ServerProcess(kind)
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let clients = Clients(on: group.next())
            try await clients.connect(10, port: server.port)
            try await clients.ask(each: 10)
            let idle = server.residentBytes
            let slow = Clients(on: group.next(), reads: false)
            try await slow.connect(connections, port: server.port)
            try await slow.flood()
            // Until the server has nothing to do.
            var processor = -1.0
            while server.processorTime > processor {
                processor = server.processorTime
                try await Task.sleep(for: .seconds(1))
            }
            let full = server.residentBytes
            try await Task.sleep(for: .seconds(3))
            let later = server.residentBytes
            print(
                String(
                    format: "| %@ | %.0f | %.0f |",
                    kind.title,
                    Double(full - idle) / Double(connections),
                    Double(later - idle) / Double(connections)
                )
            )
            try await group.shutdownGracefully()
            try server.stop()
        }
    }
}

/// Connections of one event loop, as cheap as NIO makes them.
final class Clients: Sendable {
    private let eventLoop: any EventLoop
    private let reads: Bool
    private let handlers: NIOLoopBoundBox<[Client]>

    init(on eventLoop: any EventLoop, reads: Bool = true) {
        self.eventLoop = eventLoop
        self.reads = reads
        self.handlers = .makeBoxSendingValue([], eventLoop: eventLoop)
    }

    func connect(_ count: Int, port: Int) async throws {
        let bootstrap = ClientBootstrap(group: self.eventLoop)
            .channelOption(.autoRead, value: self.reads)
            // What the systems take for somebody who does not read is no memory of the server.
            .channelOption(.socketOption(.so_rcvbuf), value: self.reads ? 65536 : 4096)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let client = Client()
                    try channel.pipeline.syncOperations.addHandler(client)
                    self.handlers.value.append(client)
                }
            }
        for _ in 0..<count { _ = try await bootstrap.connect(host: "127.0.0.1", port: port).get() }
    }

    /// Lets each ask so often, and waits for all answers.
    func ask(each count: Int) async throws {
        try await self.eventLoop.flatSubmit {
            EventLoopFuture.andAllSucceed(
                self.handlers.value.map { $0.ask(count, on: self.eventLoop) },
                on: self.eventLoop
            )
        }
        .get()
    }

    func flood() async throws {
        try await self.eventLoop.submit { for client in self.handlers.value { client.flood() } }.get()
    }
}

private final class Client: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var context: ChannelHandlerContext?
    private var left = 0
    private var isFlooding = false
    private var done: EventLoopPromise<Void>?
    private let question = ByteBuffer(string: "the quick brown fox jumps over the lazy dog\n")

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func ask(_ count: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let done = eventLoop.makePromise(of: Void.self)
        (self.left, self.done) = (count, done)
        self.ask()
        return done.futureResult
    }

    /// Asks as fast as the server reads.
    func flood() {
        self.isFlooding = true
        guard let context = self.context else { return }
        let line = ByteBuffer(string: String(repeating: "x", count: 1023) + "\n")
        while context.channel.isWritable { context.writeAndFlush(self.wrapOutboundOut(line), promise: nil) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if self.isFlooding, context.channel.isWritable { self.flood() }
    }

    private func ask() {
        guard let context = self.context else { return }
        context.writeAndFlush(self.wrapOutboundOut(self.question), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // An answer this short comes in one piece.
        self.left -= 1
        if self.left > 0 { self.ask() } else { self.done?.succeed() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { self.done?.fail(error) }
}
