// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("CoScope", .timeLimit(.minutes(1)))
struct CoScopeTests {
    private let log = EventLog()

    /// Something that ends when it is told to.
    private final class Item: CoCancellable {
        private let log: EventLog
        private let name: String
        private let observers = Mutex<[@Sendable () -> Void]>([])
        private let cancellations = Atomic(0)

        init(_ name: String, _ log: EventLog) {
            self.name = name
            self.log = log
        }

        var timesCancelled: Int { self.cancellations.load(ordering: .acquiring) }

        func cancel() {
            self.cancellations.add(1, ordering: .acquiringAndReleasing)
            self.log.record(self.name)
        }

        func whenComplete(_ callback: @escaping @Sendable () -> Void) {
            self.observers.withLock { $0.append(callback) }
        }

        func end() {
            let observers = self.observers.withLock { observers in
                defer { observers = [] }
                return observers
            }
            for observer in observers { observer() }
        }
    }

    @Test func cancelsItsItems_theFirstFirst_once() {
        let scope = CoScope()
        let items = (1...3).map { Item("\($0)", self.log).added(to: scope) }
        scope.cancel()
        scope.cancel()
        #expect(self.log.events == ["1", "2", "3"])
        #expect(scope.isCanceled)
        #expect(scope.isEmpty)
        withExtendedLifetime(items) {}
    }

    @Test func cancelsWhenItGoesAway() {
        let item = Item("item", self.log)
        do {
            let scope = CoScope()
            scope.add(item)
            #expect(self.log.events == [])
            withExtendedLifetime(scope) {}
        }
        #expect(self.log.events == ["item"])
    }

    @Test func cancelsAtOnceWhatIsAddedLater() {
        let scope = CoScope()
        scope.cancel()
        let item = Item("late", self.log).added(to: scope)
        #expect(self.log.events == ["late"])
        #expect(scope.isEmpty)
        withExtendedLifetime(item) {}
    }

    @Test func forgetsWhatHasEnded() {
        let scope = CoScope()
        let item = Item("item", self.log).added(to: scope)
        #expect(!scope.isEmpty)
        item.end()
        #expect(scope.isEmpty)
        scope.cancel()
        #expect(self.log.events == [])
    }

    @Test func doesNotKeepAnItemAlive() {
        let scope = CoScope()
        weak var item: Item?
        do {
            let made = Item("item", self.log).added(to: scope)
            item = made
            withExtendedLifetime(made) {}
        }
        #expect(item == nil)
        scope.cancel()
        #expect(self.log.events == [])
    }

    @Test func tellsItsObserversAfterTheItems_andNewOnesAtOnce() {
        let scope = CoScope()
        scope.whenComplete { [log] in log.record("observer") }
        let item = Item("item", self.log).added(to: scope)
        scope.cancel()
        scope.whenComplete { [log] in log.record("late observer") }
        #expect(self.log.events == ["item", "observer", "late observer"])
        withExtendedLifetime(item) {}
    }

    @Test func isAnItemOfAnotherScope() {
        let (outer, inner) = (CoScope(), CoScope())
        inner.added(to: outer)
        let item = Item("item", self.log).added(to: inner)
        outer.cancel()
        #expect(inner.isCanceled)
        #expect(self.log.events == ["item"])
        withExtendedLifetime(item) {}
    }

    /// An action of the user's, called outside the lock, may use the scope.
    @Test func anItemMayUseTheScopeThatCancelsIt() {
        final class Curious: CoCancellable {
            let scope: CoScope
            let log: EventLog
            init(_ scope: CoScope, _ log: EventLog) {
                self.scope = scope
                self.log = log
            }
            func cancel() {
                self.scope.cancel()
                self.log.record("cancelled \(self.scope.isCanceled), empty \(self.scope.isEmpty)")
            }
            func whenComplete(_ callback: @escaping @Sendable () -> Void) {}
        }
        let scope = CoScope()
        let item = Curious(scope, self.log).added(to: scope)
        scope.cancel()
        #expect(self.log.events == ["cancelled true, empty true"])
        withExtendedLifetime(item) {}
    }

    @Test func endsCoroutinesWithTheirOwner() async throws {
        final class Screen: Sendable {
            let scope = CoScope()
        }
        let gate = Gate()
        var screen: Screen? = Screen()
        let handle = DispatchQueue.global().startCoroutine(in: screen?.scope) { [log] in
            defer { log.record("defer") }
            try Coroutine.await { try await gate.pass() }
            log.unreached()
        }
        try await gate.arrivals(atLeast: 1)
        screen = nil
        await handle.ended()
        #expect(self.log.events == ["defer"])
        #expect(self.log.violations == [])
    }

    /// From several threads: each item is cancelled once, or has ended.
    @Test func addingAgainstCancelling() async throws {
        for _ in 0..<200 {
            let scope = CoScope()
            let items = (0..<8).map { Item("\($0)", self.log) }
            await withTaskGroup(of: Void.self) { group in
                for item in items { group.addTask { scope.add(item) } }
                group.addTask { scope.cancel() }
            }
            #expect(items.map(\.timesCancelled) == Array(repeating: 1, count: 8))
            #expect(scope.isEmpty)
        }
    }

    @Test func endingAgainstCancelling() async throws {
        for _ in 0..<200 {
            let scope = CoScope()
            let items = (0..<8).map { Item("\($0)", self.log).added(to: scope) }
            await withTaskGroup(of: Void.self) { group in
                for item in items { group.addTask { item.end() } }
                group.addTask { scope.cancel() }
            }
            #expect(items.allSatisfy { $0.timesCancelled <= 1 })
            #expect(scope.isEmpty)
        }
    }
}
