// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

@Suite("Coroutines in a CoScope", .timeLimit(.minutes(10)))
struct CoScopeInCoroutineTests {
    /// Something to cancel.
    private final class Item: CoCancellable {
        private let cancelled: @Sendable () -> Void

        init(whenCancelled cancelled: @escaping @Sendable () -> Void) { self.cancelled = cancelled }

        func cancel() { self.cancelled() }

        func whenComplete(_ callback: @escaping @Sendable () -> Void) {}
    }

    @Test func `coroutines are cancelled in their order`() async throws {
        let scope = CoScope()
        let scheduler = ManualScheduler()
        let gate = Gate()
        let log = EventLog()
        for number in 0..<3 {
            scheduler.startCoroutine(in: scope) {
                try Coroutine.await {
                    try await withTaskCancellationHandler {
                        try await gate.pass()
                    } onCancel: {
                        log.record("\(number)")
                    }
                }
                log.unreached()
            }
        }
        scheduler.run()
        try await gate.arrivals(atLeast: 3)
        scope.cancel()
        #expect(log.events == ["0", "1", "2"])
        try await scheduler.arrivals(atLeast: 6)
        scheduler.run()
        #expect(log.violations.isEmpty)
    }

    @Test(arguments: ["cancelled", "gone"])
    func `what a coroutine waits for may be cancelled before it: that is no error`(end: String) {
        var scope: CoScope? = CoScope()
        let scheduler = ManualScheduler()
        let promise = CoPromise<Int>()
        let errors = Collected<any Error>()
        let item = Item(whenCancelled: {
            promise.cancel()
            scheduler.run()
        })
        scope?.add(item)
        scheduler.startCoroutine(in: scope, onError: { errors.append($0) }) { _ = try promise.await() }
        scheduler.run()
        if end == "cancelled" { scope?.cancel() } else { scope = nil }
        #expect(promise.isCancelled)
        #expect(scheduler.count == 0)
        #expect(errors.all.isEmpty)
    }

    @Test func `a coroutine in a scope, that waits for what others cancel, fails`() {
        let scope = CoScope()
        let scheduler = ManualScheduler()
        let promise = CoPromise<Int>()
        let errors = Collected<any Error>()
        scheduler.startCoroutine(in: scope, onError: { errors.append($0) }) { _ = try promise.await() }
        scheduler.run()
        promise.cancel()
        scheduler.run()
        #expect(errors.all.count == 1)
    }

    @Test func `coroutines leave at their end`() {
        let scope = CoScope()
        let scheduler = ManualScheduler()
        let coroutine = scheduler.startCoroutine(in: scope) { try Coroutine.yield() }
        scheduler.startCoroutine { try Coroutine.yield() }.added(to: scope)
        scheduler.run()
        #expect(scope.isEmpty && !scope.isCancelled)
        scope.cancel()
        #expect(!coroutine.isCancelled)
        #expect(!coroutine.added(to: scope).isCancelled, "it has ended, so there is nothing to cancel")
    }

    @Test func `coroutines are kept alive by themselves`() {
        let scope = CoScope()
        let scheduler = ManualScheduler()
        let tracker = LifetimeTracker()
        do {
            let token = tracker.token("code")
            scheduler.startCoroutine(in: scope) {
                try Coroutine.yield()
                withExtendedLifetime(token) {}
            }
        }
        scheduler.runOne()
        #expect(tracker.alive == 1)
        scheduler.run()
        #expect(tracker.alive == 0)
        #expect(scope.isEmpty)
    }

    /// On whatever thread it is started: the scope was cancelled before, so the code never runs.
    @Test func `a coroutine of the main actor, in a cancelled scope, never runs`() async {
        let scope = CoScope()
        scope.cancel()
        let log = EventLog()
        for _ in 0..<200 { await MainActor.startCoroutine(in: scope) { log.unreached() }.ended() }
        #expect(log.violations.isEmpty)
        #expect(scope.isEmpty)
    }

    @Test func `a coroutine of the main actor is cancelled and leaves`() async throws {
        let scope = CoScope()
        let gate = Gate()
        let coroutine = MainActor.startCoroutine(in: scope) {
            #expect(throws: CancellationError.self) { try Coroutine.await { try await gate.pass() } }
        }
        try await gate.arrivals(atLeast: 1)
        #expect(!scope.isEmpty)
        scope.cancel()
        await coroutine.ended()
        #expect(coroutine.isCancelled)
        #expect(scope.isEmpty)
    }
}
