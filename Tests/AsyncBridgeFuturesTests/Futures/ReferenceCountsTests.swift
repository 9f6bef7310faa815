// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

/// What the runtime says of an object's references, and what is done if it says something else.
@Suite("References to a future in a chain", .timeLimit(.minutes(10)))
struct ReferenceCountsTests {
    /// If this fails with a new compiler, loops of `flatMap` keep some memory for each round: see `ReferenceCounts`.
    @Test func `are counted as expected`() { #expect(ReferenceCounts.areAsExpected) }

    /// A loop whose rounds wait, one after the other.
    private final class Loop: @unchecked Sendable {
        // Safe: used by one thread.
        var current = CoPromise<Int>()

        func round(_ rest: Int) -> CoFuture<Int> {
            let promise = CoPromise<Int>()
            self.current = promise
            return promise.flatMap { sum in rest == 0 ? CoFuture(result: .success(sum)) : self.round(rest - 1) }
        }

        /// Goes through all rounds, and returns what the last one gave.
        static func run(_ count: Int) -> Int? {
            let loop = Loop()
            let end = loop.round(count)
            for number in 0...count { loop.current.success(number) }
            return try? end.result?.get()
        }

        /// Cancels the loop in the middle; returns whether the round that waits was cancelled.
        static func cancel(after count: Int) -> Bool {
            let loop = Loop()
            let end = loop.round(count)
            for number in 0..<count / 2 { loop.current.success(number) }
            end.cancel()
            return loop.current.isCancelled
        }
    }

    @Test func `a loop ends, and is cancelled, with the counts`() {
        #expect(Loop.run(1000) == 1000)
        #expect(Loop.cancel(after: 1000))
    }

    @Test func `a loop ends, and is cancelled, without the counts`() async {
        await #expect(processExitsWith: .success) {
            ReferenceCounts.ignore()
            #expect(Loop.run(10_000) == 10_000)
            #expect(Loop.cancel(after: 10_000))
        }
    }
}
