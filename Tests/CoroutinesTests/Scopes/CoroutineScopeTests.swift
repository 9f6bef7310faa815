// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

/// Where a scope is opened.
enum ScopePlace: CaseIterable, Sendable {
    case asyncCode
    case coroutineOfATask
    case coroutineOnAScheduler

    func withScope<Value: Sendable>(
        _ policy: CoroutineScope.Policy = .failFast,
        _ body: @escaping @Sendable (CoroutineScope) throws -> Value
    ) -> CoFuture<Value> {
        switch self {
        case .asyncCode: CoFuture { try await withCoroutineScope(policy) { try body($0) } }
        case .coroutineOfATask:
            CoFuture { try await withCoroutine { try Coroutine.withScope(policy) { try body($0) } } }
        case .coroutineOnAScheduler:
            DispatchQueue.global().coroutineFuture { try Coroutine.withScope(policy) { try body($0) } }
        }
    }
}

/// What kind a child is.
enum ChildKind: CaseIterable, Sendable {
    case coroutine
    case task

    /// Starts one that waits until the gate is open, or it is cancelled, then notes its end.
    func start(in scope: CoroutineScope, _ name: String, passing gate: Gate, _ log: EventLog) {
        switch self {
        case .coroutine:
            scope.start(on: DispatchQueue.global()) {
                defer { log.record(name) }
                try Coroutine.await { try await gate.pass() }
            }
        case .task:
            scope.start {
                defer { log.record(name) }
                try await gate.pass()
            }
        }
    }

    func future<Value: Sendable>(
        in scope: CoroutineScope,
        _ body: @escaping @Sendable () throws -> Value
    ) -> CoFuture<Value> {
        switch self {
        case .coroutine: scope.future(on: DispatchQueue.global()) { try body() }
        case .task: scope.future { try body() }
        }
    }
}

@Suite("Scopes that wait for their children", .timeLimit(.minutes(10)))
struct CoroutineScopeTests {
    @Test(arguments: ScopePlace.allCases, ChildKind.allCases)
    func `waits for its children`(place: ScopePlace, kind: ChildKind) async throws {
        let (gate, log) = (Gate(), EventLog())
        let result = place.withScope { scope in
            for _ in 0..<3 { kind.start(in: scope, "child", passing: gate, log) }
            log.record("body")
            return 7
        }
        try await gate.arrivals(atLeast: 3)
        try await log.events(atLeast: 1)
        #expect(result.result == nil)
        #expect(log.events == ["body"])
        gate.open()
        #expect(try await result.value == 7)
        #expect(log.events == ["body", "child", "child", "child"])
    }

    @Test(arguments: ScopePlace.allCases)
    func `without children`(place: ScopePlace) async throws {
        #expect(try await place.withScope { !$0.isCancelled }.value)
        await #expect(throws: Failure(1)) { try await place.withScope { _ in throw Failure(1) }.value }
    }

    @Test(arguments: ScopePlace.allCases, ChildKind.allCases)
    func `children of children`(place: ScopePlace, kind: ChildKind) async throws {
        let (gate, log) = (Gate(), EventLog())
        gate.open()
        try await place.withScope { scope in
            scope.start(on: DispatchQueue.global()) {
                kind.start(in: scope, "grandchild", passing: gate, log)
                scope.start { kind.start(in: scope, "grandchild", passing: gate, log) }
            }
        }.value
        #expect(log.events == ["grandchild", "grandchild"])
    }

    // MARK: Errors

    @Test(arguments: ScopePlace.allCases, ChildKind.allCases)
    func `the first error cancels the others`(place: ScopePlace, kind: ChildKind) async throws {
        let (gate, log) = (Gate(), EventLog())
        let result = place.withScope { scope in
            for other in ChildKind.allCases { other.start(in: scope, "cancelled", passing: gate, log) }
            _ = kind.future(in: scope) { throw Failure(1) }
        }
        await #expect(throws: Failure(1)) { try await result.value }
        // A coroutine that had not begun never does.
        #expect(log.events.allSatisfy { $0 == "cancelled" })
        #expect(log.events.count <= 2)
    }

    @Test(arguments: ScopePlace.allCases, ChildKind.allCases)
    func `a supervisor lets the others go on`(place: ScopePlace, kind: ChildKind) async throws {
        let (gate, log) = (Gate(), EventLog())
        let failed = Collected<CoFuture<Int>>()
        let result = place.withScope(.supervise) { scope in
            failed.append(kind.future(in: scope) { throw Failure(1) })
            for other in ChildKind.allCases { other.start(in: scope, "done", passing: gate, log) }
            return 7
        }
        try await gate.arrivals(atLeast: 2)
        await #expect(throws: Failure(1)) { try await failed.all[0].value }
        #expect(log.events == [])
        gate.open()
        #expect(try await result.value == 7)
        #expect(log.events == ["done", "done"])
    }

    /// In a process of its own, for the handler.
    @Test func `a supervisor's errors are not swallowed`() async {
        await #expect(processExitsWith: .success) {
            let errors = Collected<Int>()
            BridgeDiagnostics.uncaughtErrorHandler = { error, _ in
                if let failure = error as? Failure { errors.append(failure.number) }
            }
            try await withCoroutineScope(.supervise) { scope in
                scope.start { throw Failure(1) }
                scope.start(on: DispatchQueue.global()) { throw Failure(2) }
            }
            precondition(errors.all.sorted() == [1, 2], "\(errors.all)")
        }
    }

    @Test(arguments: ScopePlace.allCases, [CoroutineScope.Policy.failFast, .supervise])
    func `an error of the body cancels the children`(place: ScopePlace, policy: CoroutineScope.Policy) async throws {
        let (gate, log) = (Gate(), EventLog())
        let result = place.withScope(policy) { scope in
            for kind in ChildKind.allCases { kind.start(in: scope, "cancelled", passing: gate, log) }
            throw Failure(1)
        }
        await #expect(throws: Failure(1)) { try await result.value }
        #expect(log.events.count <= 2)
    }

    /// The body waits for a child that is cancelled because another has failed: the first error is the scope's.
    @Test func `the first error wins`() async throws {
        let gate = Gate()
        await #expect(throws: Failure(1)) {
            try await withCoroutineScope { scope in
                let waiting = scope.future { try await gate.pass() }
                try await gate.arrivals(atLeast: 1)
                scope.start { throw Failure(1) }
                try await waiting.value
            }
        }
    }

    // MARK: Cancellation

    @Test(arguments: ScopePlace.allCases)
    func `cancelled outside`(place: ScopePlace) async throws {
        let (gate, log, over) = (Gate(), EventLog(), EventLog())
        let result = place.withScope { scope in
            defer { over.record("body") }
            for kind in ChildKind.allCases { kind.start(in: scope, "cancelled", passing: gate, log) }
        }
        try await gate.arrivals(atLeast: 2)
        result.cancel()
        try await log.events(atLeast: 2)
        #expect(log.events == ["cancelled", "cancelled"])
        #expect(over.events == ["body"])
    }

    @Test(arguments: ScopePlace.allCases)
    func `cancelled inside`(place: ScopePlace) async throws {
        let (gate, log) = (Gate(), EventLog())
        let isCancelled = try await place.withScope { scope in
            for kind in ChildKind.allCases { kind.start(in: scope, "cancelled", passing: gate, log) }
            scope.cancel()
            // What comes now is cancelled too.
            for kind in ChildKind.allCases { kind.start(in: scope, "cancelled", passing: gate, log) }
            return scope.isCancelled
        }.value
        #expect(isCancelled)
        #expect(log.events.count <= 4)
    }

    @Test(arguments: ScopePlace.allCases)
    func `a future is cancelled alone`(place: ScopePlace) async throws {
        let (gate, log) = (Gate(), EventLog())
        let futures = Collected<CoFuture<Void>>()
        let result = place.withScope { scope in
            futures.append(scope.future { try await gate.pass() })
            futures.append(scope.future(on: DispatchQueue.global()) { try Coroutine.await { try await gate.pass() } })
            ChildKind.task.start(in: scope, "done", passing: gate, log)
            return scope
        }
        try await gate.arrivals(atLeast: 3)
        for future in futures.all { future.cancel() }
        for future in futures.all { await #expect(throws: CancellationError.self) { try await future.value } }
        #expect(log.events == [])
        gate.open()
        #expect(try await !result.value.isCancelled)
        #expect(log.events == ["done"])
    }

    // MARK: After the end

    @Test(arguments: ScopePlace.allCases)
    func `a child that is started late is cancelled`(place: ScopePlace) async throws {
        let log = EventLog()
        let scope = try await place.withScope { $0 }.value
        let coroutine = scope.future(on: DispatchQueue.global()) { log.unreached() }
        await #expect(throws: CancellationError.self) { try await coroutine.value }
        try #require(scope.isCancelled)
        let task = scope.future { log.unreached() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.violations == [])
    }

    /// One that was unwound cannot wait for its children, which are cancelled at least.
    @Test func `an abandoned coroutine cancels its children`() {
        let (scheduler, children, log) = (ManualScheduler(), ManualScheduler(), EventLog())
        let channel = CoChannel<Int>()
        scheduler.startCoroutine {
            try Coroutine.withScope { scope in
                scope.start(on: children) {
                    defer { log.record("child") }
                    _ = try channel.awaitReceive()
                }
                // Takes no notice.
                try? Coroutine.yield()
            }
            log.unreached()
        }
        scheduler.runOne()
        children.run()
        scheduler.dropOne()
        children.run()
        #expect(log.events == ["child"])
        #expect(!channel.hasReceivers)
        // If it was not, for the sake of the next tests.
        channel.cancel()
        children.run()
    }

    @Test func `outside a coroutine`() async {
        func open() { #expect(throws: CoroutineError.outsideCoroutine) { try Coroutine.withScope { _ in } } }
        open()
    }

    @Test func `nothing is kept`() async throws {
        let tracker = LifetimeTracker()
        for place in ScopePlace.allCases {
            try await place.withScope { scope in
                for kind in ChildKind.allCases {
                    let token = tracker.token()
                    _ = kind.future(in: scope) { tracker.track(token.label) }
                }
            }.value
        }
        try await tracker.allReleased()
        #expect(tracker.made == 12)
    }

    /// The body of an actor's stays on the actor.
    @Test func `on an actor`() async throws {
        actor Counter {
            var count = 0

            func run() async throws -> Int {
                try await withCoroutineScope { scope in
                    self.assertIsolated()
                    let one = scope.future(on: DispatchQueue.global()) { 1 }
                    self.count += try await one.value
                    self.assertIsolated()
                    self.count += try await scope.future { 1 }.value
                    self.assertIsolated()
                    return self.count
                }
            }
        }
        #expect(try await Counter().run() == 2)
    }
}

@Suite("Scopes under load", .serialized, .timeLimit(.minutes(60)))
struct CoroutineScopeStressTests {
    /// Whatever happens, and however it ends: nothing runs afterwards, and all has ended that began.
    @Test(arguments: ScopePlace.allCases)
    func `nothing runs afterwards`(place: ScopePlace) async throws {
        var random = SplitMix(seed: 0x5C)
        for _ in 0..<StressScale.rounds(300) {
            let state = Locked((running: 0, isOver: false, late: 0))
            let (fails, cancels, count) = (random.next() % 3 == 0, random.next() % 3 == 0, Int(random.next() % 6))
            @Sendable func child(_ number: Int) throws {
                state.withLock { state in
                    state.running += 1
                    if state.isOver { state.late += 1 }
                }
                defer { state.withLock { $0.running -= 1 } }
                if Coroutine.isInsideCoroutine { try Coroutine.yield() }
                if fails, number == 0 { throw Failure(1) }
            }
            let result = CoFuture {
                defer { state.withLock { $0.isOver = true } }
                // Not the future of the scope, which is over as soon as it is cancelled.
                let scope = place.withScope { scope in
                    for number in 0..<count {
                        ChildKind.allCases[number % 2].start(in: scope) { try child(number) }
                    }
                }
                if cancels { scope.cancel() }
                return try await scope.value
            }
            do {
                try await result.value
                #expect(!fails || count == 0)
            } catch {
                #expect(fails || cancels)
            }
            if !cancels { #expect(state.withLock { $0.running } == 0) }
            if !cancels { #expect(state.withLock { $0.late } == 0) }
        }
    }
}

extension ChildKind {
    fileprivate func start(in scope: CoroutineScope, _ body: @escaping @Sendable () throws -> Void) {
        switch self {
        case .coroutine: scope.start(on: DispatchQueue.global()) { try body() }
        case .task: scope.start { try body() }
        }
    }
}
