// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import NIOCore
import NIOPosix
import Testing

@Suite("Shutting an event loop down while tasks wait for it", .timeLimit(.minutes(10)))
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
}
#endif
