// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// Generators that wait, and are dropped, cancelled, or fail: the body ends once, and nothing is left.
@Suite("End of an AsyncGenerator", .timeLimit(.minutes(10)))
struct AsyncGeneratorEndTests {
    let tracker = LifetimeTracker()
    let log = EventLog()

    /// Waits before each element; holds a token in the closure and one in a frame.
    private func generator(_ wait: @escaping () throws -> Void) -> AsyncGenerator<Int> {
        let captured = self.tracker.token("captured")
        return AsyncGenerator { [tracker, log] yield in
            let local = tracker.token("local")
            defer {
                log.record("defer")
                withExtendedLifetime((captured, local)) {}
            }
            for number in 0... {
                do {
                    try wait()
                    try yield(number)
                } catch {
                    log.record(error is CancellationError ? "cancelled" : "failed")
                    throw error
                }
            }
        }
    }

    private static func hop() throws { try Coroutine.await { await Task.yield() } }

    @Test func `after a break`() async throws {
        for try await number in self.generator(Self.hop) where number == 3 { break }
        #expect(self.log.events == ["cancelled", "defer"])
        #expect(self.tracker.aliveLabels == [])
    }

    @Test func `of an iterator that is dropped half way`() async throws {
        do {
            var iterator = self.generator(Self.hop).makeAsyncIterator()
            #expect(try await iterator.next() == 0)
            #expect(try await iterator.next() == 1)
        }
        #expect(self.log.events == ["cancelled", "defer"])
        #expect(self.tracker.aliveLabels == [])
    }

    @Test func `of an iterator that is never used`() {
        _ = self.generator(Self.hop).makeAsyncIterator()
        #expect(self.log.events == [])
        #expect(self.tracker.aliveLabels == [])
    }

    @Test func `by an error in the body`() async throws {
        struct Failure: Error {}
        var numbers: [Int] = []
        await #expect(throws: Failure.self) {
            for try await number in self.generator({ [log] in
                if log.events.count == 2 { throw Failure() }
                log.record("element")
                try Self.hop()
            }) { numbers.append(number) }
        }
        #expect(numbers == [0, 1])
        #expect(self.log.events == ["element", "element", "failed", "defer"])
        #expect(self.tracker.aliveLabels == [])
    }

    @Test func `by an error of the operation`() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            for try await _ in self.generator({
                try Coroutine.await {
                    await Task.yield()
                    throw Failure()
                }
            }) {}
        }
        #expect(self.log.events == ["failed", "defer"])
        #expect(self.tracker.aliveLabels == [])
    }

    /// At each moment: the wait or the `yield` that is pending or comes next throws, and `next()` does.
    @Test(arguments: 0..<12)
    func `by a cancellation`(afterJobs count: Int) async throws {
        let executor = ManualExecutor()
        let task = Task(executorPreference: executor) { [log] in
            for try await number in self.generator(Self.hop) {
                log.record("element \(number)")
                await Task.yield()
            }
        }
        try await executor.run(jobs: count)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await executor.run(untilEndOf: task) }
        #expect(self.log.events.filter { $0 == "defer" }.count == (self.log.events.isEmpty ? 0 : 1))
        #expect(self.log.events.last != "cancelled")
        #expect(self.tracker.aliveLabels == [])
    }

    /// Tasks that take turns at one iterator, each on its own.
    @Test func `iterators of one generator are independent`() async throws {
        let generator = AsyncGenerator { yield in
            for number in 0..<3 {
                try Self.hop()
                try yield(number)
            }
        }
        var (first, second) = (generator.makeAsyncIterator(), generator.makeAsyncIterator())
        for number in 0..<3 {
            #expect(try await first.next() == number)
            #expect(try await second.next() == number)
        }
        #expect(try await first.next() == nil)
        #expect(try await second.next() == nil)
    }

    @Test @MainActor func `the body runs on the actor that iterates`() async throws {
        let generator = AsyncGenerator { yield in
            for number in 0..<10 {
                MainActor.assertIsolated()
                try Self.hop()
                MainActor.assertIsolated()
                try yield(number)
            }
        }
        var count = 0
        for try await _ in generator { count += 1 }
        #expect(count == 10)
    }

    @Test func `within a coroutine`() async throws {
        let sum = try await withCoroutine {
            var sum = 0
            try Coroutine.forEach(
                AsyncGenerator { yield in
                    for number in 1...10 {
                        try Self.hop()
                        try yield(number)
                    }
                }
            ) { sum += $0 }
            return sum
        }
        #expect(sum == 55)
    }
}
