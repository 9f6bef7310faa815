// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Foundation
import Synchronization
import Testing

@Suite("CoScope", .timeLimit(.minutes(10)))
struct CoScopeTests {
    /// Something to cancel, which ends when it is cancelled or told to end.
    final class Item: CoCancellable {
        private enum State {
            case going([@Sendable () -> Void])
            case ended
        }

        private let state = Mutex(State.going([]))
        private let cancelled: @Sendable () -> Void

        init(whenCancelled cancelled: @escaping @Sendable () -> Void = {}) { self.cancelled = cancelled }

        func cancel() {
            self.cancelled()
            self.end()
        }

        func end() {
            let observers = self.state.withLock { state -> [@Sendable () -> Void] in
                defer { state = .ended }
                switch state {
                case .going(let observers): return observers
                case .ended: return []
                }
            }
            for observer in observers { observer() }
        }

        func whenComplete(_ callback: @escaping @Sendable () -> Void) {
            let hasEnded = self.state.withLock { state in
                switch state {
                case .going(let observers):
                    state = .going(observers + [callback])
                    return false
                case .ended:
                    return true
                }
            }
            if hasEnded { callback() }
        }
    }

    // MARK: Cancelling

    @Test func `cancels the oldest first, then tells its observers`() {
        let scope = CoScope()
        let log = EventLog()
        scope.whenComplete { log.record("observer") }
        let items = (0..<20).map { number in Item { log.record("\(number)") }.added(to: scope) }
        #expect(!scope.isEmpty && !scope.isCancelled)
        scope.cancel()
        #expect(log.events == items.indices.map { "\($0)" } + ["observer"])
        #expect(scope.isEmpty && scope.isCancelled)
    }

    @Test func `cancels once`() {
        let scope = CoScope()
        let log = EventLog()
        let item = Item { log.record("cancelled") }.added(to: scope)
        scope.whenComplete { log.record("observer") }
        scope.cancel()
        scope.cancel()
        withExtendedLifetime(item) {}
        #expect(log.events == ["cancelled", "observer"])
    }

    @Test func `what comes later is cancelled at once`() {
        let scope = CoScope()
        scope.cancel()
        let log = EventLog()
        let item = Item { log.record("cancelled") }.added(to: scope)
        #expect(log.events == ["cancelled"])
        scope.whenComplete { log.record("observer") }
        withExtendedLifetime(item) {}
        #expect(log.events == ["cancelled", "observer"])
    }

    @Test func `when it goes, cancels what it holds`() {
        let log = EventLog()
        var scope: CoScope? = CoScope()
        let items = (0..<3).map { number in Item { log.record("\(number)") } }
        for item in items { scope?.add(item) }
        scope?.whenComplete { log.record("observer") }
        #expect(log.events == [])
        scope = nil
        withExtendedLifetime(items) {}
        #expect(log.events == ["0", "1", "2", "observer"])
    }

    /// Actions run outside the lock, and see a cancelled scope.
    @Test func `what is cancelled may use the scope`() {
        let scope = CoScope()
        let log = EventLog()
        let late = Item { log.record("late") }
        let item = Item { [unowned scope] in
            log.record("\(scope.isCancelled) \(scope.isEmpty)")
            scope.cancel()
            scope.add(late)
            scope.whenComplete { log.record("observer") }
        }
        scope.add(item)
        scope.cancel()
        #expect(log.events == ["true true", "late", "observer"])
    }

    // MARK: Leaving

    @Test func `what has ended leaves`() {
        let scope = CoScope()
        let log = EventLog()
        let (first, second) = (Item { log.record("first") }, Item { log.record("second") })
        scope.add(first)
        scope.add(second)
        first.end()
        #expect(!scope.isEmpty)
        second.end()
        #expect(scope.isEmpty && !scope.isCancelled)
        scope.cancel()
        #expect(log.events == [])
    }

    @Test func `what had ended before leaves at once`() {
        let scope = CoScope()
        let item = Item()
        item.end()
        scope.add(item)
        #expect(scope.isEmpty)
    }

    @Test func `what was added twice leaves at once`() {
        let scope = CoScope()
        let item = Item().added(to: scope).added(to: scope)
        item.end()
        #expect(scope.isEmpty)
    }

    // MARK: Lifetimes

    @Test func `keeps no item alive`() {
        let tracker = LifetimeTracker()
        let scope = CoScope()
        do {
            let token = tracker.token("item")
            scope.add(Item { withExtendedLifetime(token) {} })
        }
        #expect(tracker.alive == 0)
        scope.cancel()
    }

    @Test func `is kept alive by no item`() {
        let item = Item()
        weak var weakScope: CoScope?
        do {
            let scope = CoScope()
            scope.add(item)
            weakScope = scope
        }
        #expect(weakScope == nil)
        item.end()
    }

    @Test(arguments: ["cancelled", "gone"])
    func `releases what it was given`(end: String) {
        let tracker = LifetimeTracker()
        var scope: CoScope? = CoScope()
        do {
            let token = tracker.token("observer")
            scope?.whenComplete { withExtendedLifetime(token) {} }
        }
        #expect(tracker.alive == 1)
        if end == "cancelled" { scope?.cancel() } else { scope = nil }
        #expect(tracker.alive == 0)
        withExtendedLifetime(scope) {}
    }

    // MARK: Scopes in scopes

    @Test func `a scope in a scope is cancelled with it`() {
        let (outer, inner) = (CoScope(), CoScope().added(to: CoScope()))
        #expect(inner.isCancelled, "the temporary scope has gone")
        let log = EventLog()
        let scope = CoScope().added(to: outer)
        let item = Item { log.record("cancelled") }.added(to: scope)
        outer.cancel()
        withExtendedLifetime(item) {}
        #expect(scope.isCancelled)
        #expect(log.events == ["cancelled"])
    }

    @Test func `a scope in a scope leaves when it is cancelled or goes`() {
        let outer = CoScope()
        let inner = CoScope().added(to: outer)
        #expect(!outer.isEmpty)
        inner.cancel()
        #expect(outer.isEmpty && !outer.isCancelled)
        do {
            let other = CoScope().added(to: outer)
            #expect(!outer.isEmpty)
            withExtendedLifetime(other) {}
        }
        #expect(outer.isEmpty)
    }

    @Test func `a scope in itself is cancelled once`() {
        let log = EventLog()
        weak var weakScope: CoScope?
        do {
            let scope = CoScope()
            scope.add(scope)
            scope.whenComplete { log.record("observer") }
            weakScope = scope
        }
        #expect(weakScope == nil)
        #expect(log.events == ["observer"])
    }

    // MARK: Threads

    /// Added (1) and ended (2) while the scope is cancelled (3): no item is forgotten, and each is cancelled at most
    /// once.
    @Test func `added on threads, while it is cancelled`() async throws {
        for _ in 0..<StressScale.rounds(50) {
            let scope = CoScope()
            let ended = EventLog()
            let cancellations = Collected<Int>()
            let endings = Collected<Int>()
            let items = (0..<40).map { number in Item { cancellations.append(number) } }
            for lane in 0..<4 {
                Thread.detachNewThread {
                    for number in stride(from: lane, to: items.count, by: 4) {
                        scope.add(items[number])  // (1)
                        guard number % 3 == 0 else { continue }
                        endings.append(number)
                        items[number].end()  // (2)
                    }
                    ended.record("lane")
                }
            }
            Thread.detachNewThread {
                scope.cancel()  // (3)
                ended.record("cancelled")
            }
            try await ended.events(atLeast: 5)
            let cancelled = cancellations.all
            #expect(Set(cancelled).count == cancelled.count, "an item was cancelled twice")
            #expect(Set(cancelled).union(endings.all) == Set(items.indices), "an item was forgotten")
            #expect(scope.isEmpty && scope.isCancelled)
        }
    }
}
