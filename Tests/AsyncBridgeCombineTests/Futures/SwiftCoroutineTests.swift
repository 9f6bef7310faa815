// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import Dispatch
import OpenCombineShim
import SwiftCoroutine
import Testing

/// SwiftCoroutine's names for publishers: its module is all that this file imports of the package, as its users do.
@Suite("SwiftCoroutine's publishers", .timeLimit(.minutes(10)))
struct SwiftCoroutineTests {
    @Test(
        arguments: [
            (.none, [1, 2, 3]), (.buffered(capacity: 2), [1, 2, 3]), (.unlimited, [1, 2, 3]), (.conflated, [3]),
        ] as [(CoChannel<Int>.BufferType, [Int])]
    )
    func `a channel takes a publisher's elements`(_ buffer: CoChannel<Int>.BufferType, _ kept: [Int]) async throws {
        let receiver = [1, 2, 3].publisher.subscribeCoChannel(buffer: buffer)
        let received = DispatchQueue.global().coroutineFuture {
            var received: [Int] = []
            for element in receiver.makeIterator() { received.append(element) }
            return received
        }
        #expect(try await received.value == kept)
    }

    @Test func `a channel is a publisher`() async throws {
        let channel = CoChannel<Int>(bufferType: .unlimited)
        let all = channel.publisher().collect().subscribeCoFuture()
        for element in 1...3 { channel.offer(element) }
        channel.close()
        #expect(try await all.value == [1, 2, 3])
    }

    @Test func `a future is a publisher, and takes the value of one`() async throws {
        let promise = CoPromise<Int>()
        let doubled = promise.publisher().map { $0 * 2 }.subscribeCoFuture()
        promise.success(21)
        let result = DispatchQueue.global().coroutineFuture { try doubled.await() }
        #expect(try await result.value == 42)
    }
}
#endif
