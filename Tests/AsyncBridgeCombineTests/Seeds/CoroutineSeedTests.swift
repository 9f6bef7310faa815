// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeFutures
import Coroutines
import Dispatch
import OpenCombineShim
import Testing

// What the README of SwiftCoroutine shows of Combine, with its names.

@Suite("SwiftCoroutine's README on Combine", .timeLimit(.minutes(10)))
struct CoroutineSeedTests {
    @Test func `a future subscribes to a publisher`() async throws {
        let text = try await withCallback { done in
            DispatchQueue.global().startCoroutine(onError: { done.resume(throwing: $0) }) {
                // Publishers of OpenCombine are not `Sendable`, so it is made in here.
                let publisher = Just("data").delay(for: .milliseconds(1), scheduler: DispatchQueue.global().scheduler)

                // Subscribe a future to the publisher.
                let future = publisher.subscribeCoFuture()

                // Await the data without blocking the thread.
                let data = try future.await()
                done.resume(returning: data)
            }
        }
        #expect(text == "data")
    }

    @Test func `a channel subscribes to a publisher`() async throws {
        let sum = try await withCallback { done in
            DispatchQueue.global().startCoroutine(onError: { done.resume(throwing: $0) }) {
                var sum = 0
                for number in (1...100).publisher.subscribeCoChannel(buffering: .bounded(capacity: 3)).makeIterator() {
                    sum += number
                }
                done.resume(returning: sum)
            }
        }
        #expect(sum == 5050)
    }

    @Test func `a future's publisher`() async throws {
        let promise = CoPromise<Int>()
        let publisher = promise.publisher().map { $0 + 1 }
        let future = publisher.subscribeCoFuture()
        promise.success(1)
        #expect(try await future.value == 2)
    }

    @Test func `a channel's publisher`() async throws {
        let channel = CoChannel<Int>()
        for number in 1...3 { channel.offer(number) }
        channel.close()
        #expect(try await channel.publisher().collect().singleValue() == [1, 2, 3])
    }
}
#endif
