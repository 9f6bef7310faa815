// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeNIO
import Coroutines
import LineServer
import NIOCore
import NIOPosix
import ServiceContextModule
import Testing

/// swift-service-context, as it is used for tracing, on both sides of an event loop.
@Suite("The service context crosses event loops", .timeLimit(.minutes(10)))
struct ContextTests {
    private enum Name: ServiceContextKey {
        typealias Value = String
    }

    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func context(_ name: String) -> ServiceContext {
        var context = ServiceContext.topLevel
        context[Name.self] = name
        return context
    }

    private static var name: String? { ServiceContext.current?[Name.self] }

    @Test
    func `an async function, as an event loop's future, has its caller's`() async throws {
        let future = ServiceContext.withValue(self.context("a")) { self.loop.future { Self.name } }
        #expect(try await future.value() == "a")
    }

    @Test
    func `code that awaits an event loop's future has its own after the wait`() async throws {
        try await ServiceContext.withValue(self.context("b")) {
            for policy in [EventLoopWaitPolicy.ignore, .abandon, .propagate(cancel: {})] {
                let seen = try await self.loop.submit { Self.name }.value(cancellation: policy)
                // NIO's callbacks have none.
                #expect(seen == nil)
                #expect(Self.name == "b")
            }
            #expect(try await self.loop.submit { 1 }.coFuture().value == 1)
            #expect(Self.name == "b")
        }
    }

    @Test
    func `a coroutine on a loop has no task: it keeps the context, and binds it around what starts work`() async throws
    {
        let (loop, context) = (self.loop, self.context("c"))
        let seen = ServiceContext.withValue(context) {
            loop.scheduler.coroutineFuture {
                var seen = [Self.name]
                seen.append(try ServiceContext.withValue(context) { CoFuture { Self.name } }.await())
                seen.append(try ServiceContext.withValue(context) { loop.future { Self.name } }.coFuture().await())
                seen.append(Self.name)
                return seen
            }
        }
        #expect(try await seen.value == [nil, "c", "c", nil])
        // The loop itself keeps nothing of it.
        #expect(try await loop.submit { Self.name }.value() == nil)
    }

    @Test
    func `a coroutine of a task has the task's, also after it has waited for a loop`() async throws {
        let loop = self.loop
        try await ServiceContext.withValue(self.context("d")) {
            let seen = try await withCoroutine {
                _ = try loop.submit { 1 }.coFuture().await()
                return Self.name
            }
            #expect(seen == "d")
        }
    }

    @Test
    func `code behind a bridged channel keeps its own over receiving and sending`() async throws {
        try await withServer(.coroutine) { address in
            try await ServiceContext.withValue(self.context("f")) {
                let client = try await Client(to: address)
                for number in 0..<10 {
                    try await client.say("\(number)")
                    #expect(try await client.hear(1) == ["\(number)"])
                    #expect(Self.name == "f")
                }
            }
        }
    }
}
