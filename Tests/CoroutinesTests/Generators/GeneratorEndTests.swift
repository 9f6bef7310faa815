// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// What becomes of a body whose iterator goes away.
@Suite("End of a generator", .timeLimit(.minutes(10)))
struct GeneratorEndTests {
    let tracker = LifetimeTracker()

    /// A generator that notes its steps, and holds a token in the closure and one in a frame.
    private func generator(_ log: EventLog) -> Generator<Int> {
        let captured = self.tracker.token("captured")
        return Generator { [tracker] yield in
            let local = tracker.token("local")
            defer {
                log.record("defer")
                withExtendedLifetime((captured, local)) {}
            }
            for n in 1... {
                do { try yield(n) } catch {
                    log.record("\(error is CancellationError ? "cancelled" : "wrong") at \(n)")
                    throw error
                }
            }
        }
    }

    @Test func `after a break unwinds the body at once`() {
        let log = EventLog()
        for n in self.generator(log) {
            log.record("use \(n)")
            if n == 2 { break }
        }
        log.record("after the loop")
        #expect(log.events == ["use 1", "use 2", "cancelled at 2", "defer", "after the loop"])
        #expect(self.tracker.alive == 0)
    }

    @Test func `after a throw out of the loop unwinds the body at once`() {
        struct Failure: Error {}
        let log = EventLog()
        #expect(throws: Failure.self) {
            for _ in self.generator(log) { throw Failure() }
        }
        #expect(log.events == ["cancelled at 1", "defer"])
        #expect(self.tracker.alive == 0)
    }

    @Test func `before the beginning runs nothing`() {
        let log = EventLog()
        do {
            let iterator = self.generator(log).makeIterator()
            withExtendedLifetime(iterator) {}
        }
        #expect(log.events == [])
        #expect(self.tracker.alive == 0)
    }

    @Test func `of the last copy unwinds the body`() {
        let log = EventLog()
        var iterators = [self.generator(log).makeIterator()]
        #expect(iterators[0].next() == 1)
        iterators.append(iterators[0])
        iterators.removeLast()
        #expect(log.events == [])
        iterators.removeLast()
        #expect(log.events == ["cancelled at 1", "defer"])
        #expect(self.tracker.alive == 0)
    }

    @Test func `unwinds a throwing generator too`() throws {
        let log = EventLog()
        do {
            var iterator = ThrowingGenerator { yield in
                defer { log.record("defer") }
                for n in 1... { try yield(n) }
            }.makeIterator()
            #expect(try iterator.next() == 1)
        }
        #expect(log.events == ["defer"])
    }

    @Test func `reports what the body throws instead`() {
        struct Failure: Error {}
        var errors: [any Error] = []
        for _ in Generator(onError: { errors.append($0) }, { yield in do { try yield(1) } catch { throw Failure() } }) {
            break
        }
        #expect(errors.count == 1)
        #expect(errors.first is Failure)
    }

    @Test func `what nobody handles is written to standard error, by the generator's name`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            struct Failure: Error {}
            for _ in Generator(of: Int.self, { _ in throw Failure() }) {}
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("the Generator made at"))
        #expect(text.contains("GeneratorEndTests.swift:"))
        #expect(text.contains("ended with an error that no iterator throws: Failure()"))
    }

    @Test func `unwinds generators within generators`() {
        let log = EventLog()
        func nested(_ depth: Int) -> Generator<Int> {
            Generator { yield in
                defer { log.record("\(depth)") }
                try yield(depth)
                if depth < 3 { for n in nested(depth + 1) { try yield(n) } } else { try yield(100) }
            }
        }
        for n in nested(1) where n == 100 { break }
        #expect(log.events == ["3", "2", "1"])
    }
}
