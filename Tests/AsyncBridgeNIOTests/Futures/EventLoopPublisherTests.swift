// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO && Combine
import AsyncBridgeCombine
import AsyncBridgeFutures
import AsyncBridgeNIO
import NIOCore
import NIOPosix
import OpenCombineShim
import Testing

@Suite("Event loops' futures as publishers", .timeLimit(.minutes(10)))
struct EventLoopPublisherTests {
    @Test
    func `a value and an error arrive; a cancelled subscription gets nothing, and the future goes on`() async throws {
        try await withLoops { group in
            let loop = group.next()
            let value = try await loop.submit { 7 }.coFuture().publisher().singleValue()
            #expect(value == 7)
            await #expect(throws: LoopError()) {
                try await loop.submit { () throws -> Int in throw LoopError() }.coFuture().publisher().singleValue()
            }
            let promise = loop.makePromise(of: Int.self)
            let received = Count()
            let subscription = promise.futureResult.coFuture().publisher().sink(
                receiveCompletion: { _ in received.add() },
                receiveValue: { _ in received.add() }
            )
            subscription.cancel()
            promise.succeed(8)
            let other = try await promise.futureResult.value()
            #expect(other == 8)
            #expect(received.value == 0)
        }
    }
}
#endif
