// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

@Suite("AsyncGenerator", .timeLimit(.minutes(10)))
struct AsyncGeneratorTests {
    @Test func `yields and awaits`() async throws {
        let generator = AsyncGenerator { yield in
            for n in 1...5 {
                let square = try Coroutine.await {
                    await Task.yield()
                    return n * n
                }
                try yield(square)
                try Coroutine.yield()
            }
        }
        var squares: [Int] = []
        for try await square in generator { squares.append(square) }
        #expect(squares == [1, 4, 9, 16, 25])
    }

    @Test func `throws the error of its body once`() async throws {
        struct Failure: Error {}
        var iterator = AsyncGenerator { yield in
            try yield(1)
            try Coroutine.await { throw Failure() }
        }.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await #expect(throws: Failure.self) { try await iterator.next() }
        for _ in 0..<3 { #expect(try await iterator.next() == nil) }
    }

    @Test func `is unwound when the loop is left`() async throws {
        let log = EventLog()
        let generator = AsyncGenerator { yield in
            defer {
                do { try Coroutine.await { log.unreached() } } catch {
                    log.record(error is CancellationError ? "cancelled" : "wrong")
                }
            }
            for n in 1... { try yield(n) }
        }
        for try await n in generator where n == 3 { break }
        log.record("after the loop")
        #expect(log.events == ["cancelled", "after the loop"])
        #expect(log.violations == [])
    }
}
