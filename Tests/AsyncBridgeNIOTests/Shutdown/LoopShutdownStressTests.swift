// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import NIOCore
import NIOPosix
import Testing

@Suite("Shutting an event loop down while tasks wait for it", .timeLimit(.minutes(60)))
struct LoopShutdownStressTests {
    /// Each wait ends, with its result or with the shutdown.
    @Test
    func `waits that begin around the shutdown all end`() async throws {
        for round in 0..<StressScale.rounds(100) {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let loop = group.next()
            let task = Task {
                await withTaskGroup(of: Bool.self) { tasks in
                    for number in 0..<20 {
                        tasks.addTask {
                            for _ in 0..<Int.random(in: 0...30) { await Task.yield() }
                            let future = loop.makeSucceededFuture(number)
                            do {
                                let value =
                                    if number % 2 == 0 {
                                        try await future.value()
                                    } else {
                                        try await future.coFuture().value
                                    }
                                return value == number
                            } catch {
                                return error as? EventLoopError == .shutdown
                            }
                        }
                    }
                    return await tasks.allSatisfy { $0 }
                }
            }
            for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
            try await group.shutdownGracefully()
            let isRight = await task.value
            #expect(isRight, "round \(round)")
        }
    }

    @Test
    func `writes and removals that begin around the shutdown all end`() async throws {
        for _ in 0..<StressScale.rounds(100) {
            let futures = Collected<EventLoopFuture<Void>>()
            let writing = try await withConnection { server, _ in
                let writing = Task {
                    for number in 0..<50 {
                        futures.append(server.write("\(number)"))
                        if Int.random(in: 0..<10) == 0 { await Task.yield() }
                    }
                    futures.append(server.remove { _, _ in })
                }
                for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
                return writing
            }
            await writing.value
            // With whatever result. NIO ends a debug build in which a promise is released without one.
            for future in futures.all { _ = try? await future.value() }
        }
    }

    /// Counts what the channel has taken.
    private final class Written: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = String
        typealias OutboundOut = String

        let elements = Collected<String>()

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let (element, elements) = (self.unwrapOutboundIn(data), self.elements)
            promise?.futureResult.whenSuccess { elements.append(element) }
            context.write(data, promise: promise)
        }
    }

    @Test
    func `each element that is sent around the shutdown is written, or goes to onUnsent`() async throws {
        for round in 0..<StressScale.rounds(100) {
            let (written, unsent, accepted) = (Written(), Collected<String>(), Collected<String>())
            let sending = try await withLoops(2) { group in
                let made = CoPromise<BridgedChannel<ByteBuffer, String>>()
                let listener = try await ServerBootstrap(group: group)
                    .childChannelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandlers(
                                MessageToByteHandler(LineEncoder()),
                                written
                            )
                            made.success(
                                try channel.bridge(
                                    inbound: ByteBuffer.self,
                                    outbound: String.self,
                                    onUnsent: { unsent.append($0) }
                                )
                            )
                        }
                    }
                    .bind(host: "127.0.0.1", port: 0)
                    .value()
                let address = try #require(listener.localAddress)
                _ = try await ClientBootstrap(group: group).connect(to: address).value()
                let lines = try await made.value
                let sending = (0..<3).map { sender in
                    Task {
                        for number in 0..<1_000_000 {
                            let element = "\(sender) \(number)"
                            // One by one, so that the pump waits for each.
                            if lines.outbound.offer(element) {
                                accepted.append(element)
                            } else if lines.outbound.isClosed || lines.outbound.isCancelled {
                                return
                            } else {
                                await Task.yield()
                            }
                        }
                    }
                }
                for _ in 0..<Int.random(in: 0...50) { await Task.yield() }
                return sending
            }
            for task in sending { await task.value }
            #expect((written.elements.all + unsent.all).sorted() == accepted.all.sorted(), "round \(round)")
        }
    }
}
#endif
