// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// A coroutine that has its data for itself.
@Suite("withCoroutine(sending:)", .timeLimit(.minutes(10)))
struct SendingCoroutineTests {
    final class Counter { var value = 0 }

    actor Store {
        var items = ["a": 1]
        var seen = 0

        /// Others replace the state while the code waits: it goes on with its own, in memory of its own.
        func double(_ gate: Gate) async throws -> [String: Int] {
            let mine = try await withCoroutine(sending: self.items) { items in
                self.assertIsolated()
                var items = items
                for key in items.keys {
                    try Coroutine.await { try await gate.pass() }
                    items[key]? *= 2
                }
                self.assertIsolated()
                return items
            }
            self.assertIsolated()
            return mine
        }

        func replace() { self.items = [:] }
        func note() -> Int {
            self.seen += 1
            return self.seen
        }

        func asking() async throws -> Int {
            try await withCoroutine(sending: 40) { number in
                let first = try Coroutine.await { await self.note() }
                let second = try Coroutine.await { await self.note() }
                return number + second - first + 1
            }
        }
    }

    @Test func `works on a copy while others replace the state`() async throws {
        let (store, gate) = (Store(), Gate())
        let task = Task { try await store.double(gate) }
        try await gate.arrivals(atLeast: 1)
        await store.replace()
        gate.open()
        #expect(try await task.value == ["a": 2])
        #expect(await store.items.isEmpty)
    }

    @Test func `its operations run on the actor`() async throws { #expect(try await Store().asking() == 42) }

    @Test func `what is not sendable goes in and comes out`() async throws {
        let counter = try await withCoroutine(sending: Counter()) { counter in
            for _ in 0..<10 {
                try Coroutine.yield()
                counter.value += 1
            }
            return counter
        }
        #expect(counter.value == 10)
    }

    @Test func `several values`() async throws {
        let (names, counter) = try await withCoroutine(sending: (["b", "a"], Counter())) { input in
            let (names, counter) = input
            let sorted = try names.sorted { first, second in
                counter.value += 1
                return try Coroutine.await { first < second }
            }
            return (sorted, counter)
        }
        #expect(names == ["a", "b"])
        #expect(counter.value == 1)
    }

    @Test func `errors come out`() async {
        await #expect(throws: Failure.self) {
            try await withCoroutine(sending: 1) { _ in
                try Coroutine.yield()
                throw Failure()
            }
        }
    }

    @Test func `cancelling the task ends its wait`() async throws {
        let gate = Gate()
        let tracker = LifetimeTracker()
        let token = tracker.token()
        let task = Task {
            try await withCoroutine(sending: token) { token in
                defer { withExtendedLifetime(token) {} }
                try Coroutine.await { try await gate.pass() }
            }
        }
        try await gate.arrivals(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// The input is gone when nobody has it any more, also if the code did not keep it.
    @Test func `the input is released`() async throws {
        let tracker = LifetimeTracker()
        try await withCoroutine(sending: tracker.token()) { _ in try Coroutine.yield() }
        try await tracker.allReleased()
    }
}
