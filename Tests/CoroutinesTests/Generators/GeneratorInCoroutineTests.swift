// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

@Suite("Generators in coroutines", .timeLimit(.minutes(10)))
struct GeneratorInCoroutineTests {
    @Test func `await in the body suspends the coroutine that iterates`() async throws {
        let generator = Generator { yield in
            for n in 1...10 {
                try yield(
                    try Coroutine.await {
                        await Task.yield()
                        return n
                    }
                )
            }
        }
        let sum = try await withCoroutine {
            try generator.map { n in
                try Coroutine.await {
                    await Task.yield()
                    return n * 10
                }
            }.reduce(0, +)
        }
        #expect(sum == 550)
    }

    @Test func `await in the body fails outside a coroutine`() {
        let generator = ThrowingGenerator { yield in try yield(try Coroutine.await { 1 }) }
        var iterator = generator.makeIterator()
        #expect(throws: CoroutineError.outsideCoroutine) { try iterator.next() }
    }
}
