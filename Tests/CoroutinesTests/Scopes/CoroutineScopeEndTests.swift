// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

/// Runs each job in the call that brings it: what is resumed goes on before the call that resumed it returns.
private final class InPlaceExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        unsafe UnownedJob(job).runSynchronously(on: self.asUnownedTaskExecutor())
    }
}

@Suite("How scopes that wait for their children end", .timeLimit(.minutes(10)))
struct CoroutineScopeEndTests {
    // MARK: Cancelled from outside

    /// Runs a scope in a task or coroutine that can be cancelled, and says how it ended.
    private func outcome(
        _ place: ScopePlace,
        _ body: @escaping @Sendable (CoroutineScope) throws -> Int,
        cancelWhen isTime: () async throws -> Void
    ) async throws -> String {
        let log = EventLog()
        @Sendable func note(_ result: Result<Int, any Error>) {
            switch result {
            case .success(let value): log.record("\(value)")
            case .failure(is CancellationError): log.record("cancelled")
            case .failure(let error): log.record("\(error)")
            }
        }
        let cancel: @Sendable () -> Void
        switch place {
        case .asyncCode:
            let task = Task {
                do { note(.success(try await withCoroutineScope { try body($0) })) } catch { note(.failure(error)) }
            }
            cancel = { task.cancel() }
        case .coroutineOfATask:
            let task = Task {
                try await withCoroutine { note(Result { try Coroutine.withScope { try body($0) } }) }
            }
            cancel = { task.cancel() }
        case .coroutineOnAScheduler:
            let coroutine = DispatchQueue.global().startCoroutine {
                note(Result { try Coroutine.withScope { try body($0) } })
            }
            cancel = { coroutine.cancel() }
        }
        try await isTime()
        cancel()
        try await log.events(atLeast: 1)
        return log.events[0]
    }

    @Test(arguments: ScopePlace.allCases, ChildKind.allCases)
    func `cancelled while a child runs, the result is not returned`(place: ScopePlace, kind: ChildKind) async throws {
        let (gate, log) = (Gate(), EventLog())
        let outcome = try await self.outcome(place) { scope in
            kind.start(in: scope, "child", passing: gate, log)
            return 7
        } cancelWhen: {
            try await gate.arrivals(atLeast: 1)
        }
        #expect(outcome == "cancelled")
        #expect(log.events == ["child"])
    }

    /// The children are cancelled later, on another thread; what ends before that was cut short all the same.
    @Test func `cancelled before the last child ends`() async throws {
        for _ in 0..<StressScale.rounds(1000) {
            let (started, work) = (CoPromise<Void>(), CoPromise<Int>())
            let task = Task {
                try await withCoroutineScope { scope in
                    scope.start {
                        started.success(())
                        _ = try await work.value(cancellation: .ignore)
                    }
                    return 7
                }
            }
            try await started.value
            task.cancel()
            work.success(1)
            let outcome = await task.result
            guard case .failure(is CancellationError) = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
    }

    /// Nothing was cut short: the result is there, and is returned.
    @Test func `cancelled without children, the result is returned`() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let task = Task {
            try await withCoroutineScope { scope in
                try await scope.future { 7 }.value + 0
            }
        }
        #expect(try await task.value == 7)
        let late = Task {
            try await withCoroutineScope { _ in
                async let arrival: Void? = try? arrived.pass()
                await gate.passUncancelled()
                _ = await arrival
                return Task.isCancelled ? 7 : 0
            }
        }
        try await arrived.arrivals(atLeast: 1)
        late.cancel()
        gate.open()
        #expect(try await late.value == 7)
    }

    /// A child that has an error of its own says more than the cancellation.
    @Test(arguments: ScopePlace.allCases)
    func `an error is more than a cancellation`(place: ScopePlace) async throws {
        let gate = Gate()
        let outcome = try await self.outcome(place) { scope in
            scope.start { do { try await gate.pass() } catch { throw Failure(1) } }
            return 7
        } cancelWhen: {
            try await gate.arrivals(atLeast: 1)
        }
        #expect(outcome == "\(Failure(1))")
    }

    /// The body has what it wants.
    @Test(arguments: ScopePlace.allCases)
    func `cancelled by the body, the result is returned`(place: ScopePlace) async throws {
        let (gate, log) = (Gate(), EventLog())
        let result = place.withScope { scope in
            for kind in ChildKind.allCases { kind.start(in: scope, "cancelled", passing: gate, log) }
            scope.cancel()
            return 7
        }
        #expect(try await result.value == 7)
    }

    // MARK: The first error

    /// Somebody who hears of a child's error at once, and fails of it, is not the first.
    @Test(arguments: ChildKind.allCases)
    func `the first error is not a derived one`(kind: ChildKind) async throws {
        await #expect(throws: Failure(1)) {
            try await withCoroutineScope { scope in
                let gate = Gate()
                let failing: CoFuture<Void> =
                    switch kind {
                    case .task:
                        scope.future {
                            try await gate.pass()
                            throw Failure(1)
                        }
                    case .coroutine:
                        scope.future(on: DispatchQueue.global()) {
                            try Coroutine.await { try await gate.pass() }
                            throw Failure(1)
                        }
                    }
                failing.whenFailure { _ in scope.start(on: ImmediateScheduler()) { throw Failure(2) } }
                gate.open()
            }
        }
    }

    // MARK: Futures

    /// Code that sees that the scope has returned sees the results of its children.
    @Test func `all futures are settled when the scope returns`() async throws {
        let (scheduler, log) = (ManualScheduler(), EventLog())
        let task = Task(executorPreference: InPlaceExecutor()) {
            let future = try await withCoroutineScope { scope in
                let future = scope.future(on: scheduler) { log.unreached() }
                log.record("body")
                return future
            }
            log.record(future.result == nil ? "no result" : "result")
        }
        try await log.events(atLeast: 1)
        // The scope waits when its task has left this thread, or soon after.
        for _ in 0..<100 { await Task.yield() }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                scheduler.dropOne()
                continuation.resume()
            }
        }
        try await task.value
        #expect(log.events == ["body", "result"])
        #expect(log.violations == [])
    }

    // MARK: Children of a cancelled scope

    @Test func `a task does not begin in a cancelled scope`() async throws {
        let log = EventLog()
        try await withCoroutineScope { scope in
            scope.cancel()
            for _ in 0..<StressScale.rounds(3000) { scope.start { log.unreached() } }
            await #expect(throws: CancellationError.self) { try await scope.future { log.unreached() }.value }
        }
        #expect(log.violations == [])
    }

    @Test func `a task does not begin after the end of its scope`() async throws {
        let log = EventLog()
        let scope = try await withCoroutineScope { $0 }
        let futures = (0..<StressScale.rounds(3000)).map { _ in scope.future { log.unreached() } }
        for future in futures { await #expect(throws: CancellationError.self) { try await future.value } }
        #expect(log.violations == [])
    }

    @Test func `a coroutine of the main actor does not begin in a cancelled scope`() async {
        let (scope, log) = (CoScope(), EventLog())
        scope.cancel()
        let coroutines = (0..<1000).map { _ in MainActor.startCoroutine(in: scope) { log.unreached() } }
        for coroutine in coroutines { await coroutine.ended() }
        #expect(coroutines.allSatisfy { $0.isCancelled })
        #expect(log.violations == [])
    }
}
