// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Synchronization
import Testing

/// Waits whose closure leaves the coroutine itself before the wait begins: with a wait of its own, or with a `yield` of
/// a generator that goes on elsewhere.
@Suite("Waits whose closures leave the coroutine", .timeLimit(.minutes(10)))
struct LeftWaitTests {
    private let log = EventLog()
    private let scheduler = ManualScheduler()

    /// A body whose `yield` is the last that anybody asks for.
    private func breakOff(_ body: @escaping (Generator<Int>.Yielder) throws -> Void) {
        for _ in Generator(of: Int.self, body) { break }
    }

    // MARK: Unwound meanwhile

    @Test func `a callback, whose start is unwound, cancels the work`() async throws {
        let (log, callbacks) = (self.log, Collected<Callback<Int, any Error>>())
        try await withCoroutine {
            self.breakOff { yield in
                #expect(throws: CancellationError.self) {
                    _ = try Coroutine.await(of: Int.self) { callback in
                        callbacks.append(callback)
                        callback.onCancel { log.record("the work is cancelled") }
                        try? yield(1)
                        log.record("unwound")
                    }
                }
                log.record("refused")
            }
        }
        #expect(log.events == ["unwound", "the work is cancelled", "refused"])
        let callback = try #require(callbacks.all.first)
        #expect(!callback.isWaiting)
        #expect(!callback.resume(returning: 7))
        callback.onCancel { log.record("at once") }
        #expect(log.events.last == "at once")
    }

    @Test func `a callback, whose start is unwound, takes no answer afterwards`() async throws {
        let (log, tracker) = (self.log, LifetimeTracker())
        let callbacks = Collected<Callback<LifetimeTracker.Token, any Error>>()
        let coroutine = self.scheduler.startCoroutine {
            #expect(throws: CancellationError.self) {
                _ = try Coroutine.await(of: LifetimeTracker.Token.self) { callback in
                    callbacks.append(callback)
                    callback.onCancel { log.record("the work is cancelled") }
                    try? Coroutine.yield()
                }
            }
            log.record("refused")
        }
        self.scheduler.runOne()
        self.scheduler.dropOne()
        await coroutine.ended()
        #expect(log.events == ["the work is cancelled", "refused"])
        #expect(callbacks.all.first?.resume(returning: tracker.token()) == false)
        #expect(tracker.alive == 0)
    }

    @Test func `a scope is cancelled, and does not wait`() async throws {
        let (log, gate) = (self.log, Gate())
        let children = Collected<CoFuture<Void>>()
        let coroutine = self.scheduler.startCoroutine {
            #expect(throws: CancellationError.self) {
                try Coroutine.withScope { scope in
                    children.append(scope.future { try await gate.pass() })
                    try? Coroutine.yield()
                }
            }
            log.record("refused")
        }
        self.scheduler.runOne()
        try await gate.arrivals(atLeast: 1)
        self.scheduler.dropOne()
        await coroutine.ended()
        #expect(log.events == ["refused"])
        await #expect(throws: CancellationError.self) { try await children.all.first?.value }
    }

    @Test func `a scope in a generator is cancelled, and does not wait`() async throws {
        let (log, gate) = (self.log, Gate())
        let children = Collected<CoFuture<Void>>()
        try await withCoroutine {
            self.breakOff { yield in
                try Coroutine.withScope { scope in
                    defer { log.record("unwound") }
                    children.append(scope.future { try await gate.pass() })
                    try yield(1)
                }
                log.unreached()
            }
            log.record("goes on")
        }
        #expect(log.events == ["unwound", "goes on"])
        await #expect(throws: CancellationError.self) { try await children.all.first?.value }
    }

    // MARK: Gone on elsewhere

    /// An iterator that is taken from one coroutine to another.
    private final class Moved: @unchecked Sendable {
        var iterator: ThrowingGenerator<Int>.Iterator

        init(_ body: @escaping (Generator<Int>.Yielder) throws -> Void) {
            self.iterator = ThrowingGenerator(of: Int.self, body).makeIterator()
        }
    }

    /// Has a body begin in a coroutine that ends, and go on in another one, where its wait is over with `finish`.
    private func goOnElsewhere(_ moved: Moved, finish: () throws -> Void) async throws -> [Int?] {
        let elements = Collected<Int?>()
        try await withCoroutine(stackSize: StackSize(kibibytes: 64)) { elements.append(try moved.iterator.next()) }
        // On a stack of another size, which cannot be the one that the first has left.
        let coroutine = self.scheduler.startCoroutine(stackSize: StackSize(kibibytes: 128)) {
            elements.append(try moved.iterator.next())
        }
        self.scheduler.runOne()
        #expect(elements.all == [1])
        try finish()
        try await self.scheduler.arrivals(atLeast: 2)
        self.scheduler.run()
        await coroutine.ended()
        return elements.all
    }

    @Test func `the end of a scope waits in the coroutine that runs it`() async throws {
        let gate = Gate()
        let moved = Moved { yield in
            try Coroutine.withScope { scope in
                scope.start { await gate.passUncancelled() }
                try yield(1)
            }
            try yield(2)
        }
        #expect(try await self.goOnElsewhere(moved) { gate.open() } == [1, 2])
    }

    @Test func `a callback is waited for in the coroutine that runs the code`() async throws {
        let callbacks = Collected<Callback<Int, any Error>>()
        let moved = Moved { yield in
            let value = try Coroutine.await(of: Int.self) { callback in
                callbacks.append(callback)
                try yield(1)
            }
            try yield(value)
        }
        let elements = try await self.goOnElsewhere(moved) {
            #expect(callbacks.all.first?.resume(returning: 2) == true)
            callbacks.removeAll()
        }
        #expect(elements == [1, 2])
    }

    /// A scheduler must not do this; it does not damage anything.
    @Test func `a scheduler that leaves the coroutine`() async throws {
        let other = ManualScheduler()
        nonisolated(unsafe) var leave: () throws -> Void = {}
        // It holds the generator, whose code holds it.
        defer { unsafe leave = {} }
        struct Leaving: CoroutineScheduler {
            let other: ManualScheduler
            let leave: @Sendable () -> Void

            func scheduleTask(_ task: @escaping @Sendable () -> Void) {
                self.other.scheduleTask(task)
                self.leave()
            }
        }
        let leaving = Leaving(other: other) { unsafe try? leave() }
        let moved = Moved { yield in
            unsafe leave = { try yield(1) }
            try yield(try leaving.await { 2 })
        }
        #expect(try await self.goOnElsewhere(moved) { other.run() } == [1, 2])
    }

    @Test func `without a coroutine afterwards, the scope is cancelled`() async throws {
        let gate = Gate()
        let children = Collected<CoFuture<Void>>()
        let moved = Moved { yield in
            try Coroutine.withScope { scope in
                children.append(scope.future { try await gate.pass() })
                try yield(1)
            }
        }
        try await withCoroutine { try #expect(moved.iterator.next() == 1) }
        #expect(throws: CoroutineError.outsideCoroutine) { try moved.iterator.next() }
        await #expect(throws: CancellationError.self) { try await children.all.first?.value }
    }

    @Test func `without a coroutine afterwards, the work of a callback is cancelled`() async throws {
        let (log, callbacks, place) = (self.log, Collected<Callback<Int, any Error>>(), MisusePlace())
        let moved = Moved { yield in
            _ = try Coroutine.await(of: Int.self, fileID: place.fileID, line: place.line) { callback in
                callbacks.append(callback)
                callback.onCancel { log.record("the work is cancelled") }
                try yield(1)
            }
        }
        try await withCoroutine { try #expect(moved.iterator.next() == 1) }
        #expect(throws: CoroutineError.outsideCoroutine) { try moved.iterator.next() }
        #expect(log.events == ["the work is cancelled"])
        #expect(place.reports.map(\.kind) == [.waitedOutsideCoroutine])
        #expect(callbacks.all.first?.resume(returning: 7) == false)
    }
}
