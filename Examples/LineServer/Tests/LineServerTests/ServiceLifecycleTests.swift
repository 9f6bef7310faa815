// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeNIO
import LineServer
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@Suite("A listener as a service of swift-service-lifecycle", .timeLimit(.minutes(10)))
struct ServiceLifecycleTests {
    @Test func `its connections end when they have answered`() async throws {
        let listens = CoPromise<SocketAddress>()
        let services = ServiceGroup(services: [EchoService(listens: listens)], logger: Logger(label: "test"))
        let run = Task { try await services.run() }
        let client = try await Client(to: listens.value)
        try await client.say("one")
        #expect(try await client.hear(1) == ["one"])
        await services.triggerGracefulShutdown()
        let rest = try await client.hearAll()
        #expect(rest == ["good bye"])
        client.endSpeech()
        try await run.value
    }
}

/// Says all again, and something at the end.
private struct EchoService: Service {
    let listens: CoPromise<SocketAddress>

    func run() async throws {
        let connections = ConnectionGroup()
        let listener = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    connections.add(channel)
                    let bytes = try channel.bridge(inbound: ByteBuffer.self, outbound: ByteBuffer.self)
                    Task {
                        for try await part in bytes.inbound { try await bytes.outbound.send(part) }
                        try await bytes.outbound.send(ByteBuffer(string: "good bye\n"))
                    }
                }
            }
        let channel = try await listener.bind(host: "127.0.0.1", port: 0).value()
        connections.add(listener: channel)
        if let address = channel.localAddress { self.listens.success(address) }
        try await withGracefulShutdownHandler {
            try await connections.run()
        } onGracefulShutdown: {
            connections.endGracefully()
        }
    }
}
