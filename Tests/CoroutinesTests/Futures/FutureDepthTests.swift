// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Synchronization
import Testing

/// Chains of futures that are longer than any stack is deep, in a coroutine with the smallest stack that most would
/// choose.
@Suite("Futures: deep chains in a small stack", .serialized, .timeLimit(.minutes(10)))
struct FutureDepthTests {
    /// A tenth of it for each kind of link: the chain of all kinds has them all.
    private static func depth(of link: Link) -> Int { link == .mixed ? Self.depth : max(1000, Self.depth / 10) }
    private static let depth = ChainDepth.standard

    /// How a future is made from the one before it.
    enum Link: CaseIterable {
        case map
        case mapResult
        case recover
        case flatMap
        case flatMapError
        case flatMapResult
        case completing
        case all
        case any
        case race
        case settled
        case mixed

        func next(_ future: CoFuture<Int>, _ number: Int) -> CoFuture<Int> {
            switch self {
            case .map:
                return future.map { $0 + 1 }
            case .mapResult:
                return future.mapResult { $0.map { $0 + 1 } }
            case .recover:
                return future.recover { throw $0 }
            case .flatMap:
                return future.flatMap { CoFuture(result: .success($0 + 1)) }
            case .flatMapError:
                return future.flatMapError { CoFuture(result: .failure($0)) }
            case .flatMapResult:
                return future.flatMapResult { CoFuture(result: $0.map { $0 + 1 }) }
            case .completing:
                let promise = CoPromise<Int>()
                promise.complete(with: future)
                return promise
            case .all:
                return CoFuture.all([future]).map { $0[0] + 1 }
            case .any:
                return CoFuture.any([future])
            case .race:
                return CoFuture.race([future])
            case .settled:
                return CoFuture.settled([future]).map { try $0[0].get() + 1 }
            case .mixed:
                let links = Self.allCases.dropLast()
                return links[number % links.count].next(future, number)
            }
        }

        /// How much the value grows in a chain.
        func growth(_ depth: Int) -> Int {
            switch self {
            case .map, .mapResult, .flatMap, .flatMapResult, .all, .settled: depth
            case .recover, .flatMapError, .completing, .any, .race: 0
            case .mixed: (0..<depth).reduce(0) { $0 + Self.allCases[$1 % (Self.allCases.count - 1)].growth(1) }
            }
        }
    }

    private static func inASmallStack(_ body: () throws -> Void) async throws {
        try await withCoroutine(stackSize: StackSize(kibibytes: 64)) { try body() }
    }

    private static func chain(_ link: Link, from promise: CoFuture<Int>) -> CoFuture<Int> {
        var last = promise
        for number in 0..<Self.depth(of: link) { last = link.next(last, number) }
        return last
    }

    @Test(arguments: Link.allCases)
    func `is completed`(link: Link) async throws {
        try await Self.inASmallStack {
            let promise = CoPromise<Int>()
            let last = Self.chain(link, from: promise)
            #expect(last.result == nil)
            promise.success(1)
            let value = try last.result?.get()
            #expect(value == 1 + link.growth(Self.depth(of: link)))
        }
    }

    @Test(arguments: Link.allCases)
    func fails(link: Link) async throws {
        try await Self.inASmallStack {
            let promise = CoPromise<Int>()
            let last = Self.chain(link, from: promise)
            promise.fail(Failure(3))
            guard case .failure(let error)? = last.result, error as? Failure == Failure(3) else {
                Issue.record("\(String(describing: last.result))")
                return
            }
        }
    }

    @Test(arguments: Link.allCases)
    func `is cancelled, from its end`(link: Link) async throws {
        try await Self.inASmallStack {
            let promise = CoPromise<Int>()
            let last = Self.chain(link, from: promise)
            last.cancel()
            #expect(last.isCancelled)
            // Cancelling one promise does not cancel the one that completes it.
            #expect(promise.isCancelled == (link != .completing && link != .mixed))
        }
    }

    @Test(arguments: Link.allCases)
    func `is dropped`(link: Link) async throws {
        let tracker = LifetimeTracker()
        try await Self.inASmallStack {
            var promise: CoPromise<Int>? = CoPromise<Int>()
            let log = EventLog()
            do {
                let token = tracker.token()
                let first = promise?.map { number in withExtendedLifetime(token) { number } }
                let last = first.map { Self.chain(link, from: $0) }
                last?.whenFailure { log.record($0 is CoFutureError ? "dropped" : "\($0)") }
            }
            promise = nil
            #expect(log.events == ["dropped"])
        }
        #expect(tracker.alive == 0)
    }

    @Test
    func `the inner future of each is the next: a loop that waits in each of its rounds`() async throws {
        let tracker = LifetimeTracker()
        let steps = Steps()
        try await Self.inASmallStack {
            let last = steps.loop(Self.depth, tracker)
            var most = 0
            while let step = steps.takeStep() {
                step.success(())
                most = max(most, tracker.alive)
            }
            let value = try last.result?.get()
            #expect(value == "done")
            // What has been gone through is released: such a loop may go on forever.
            #expect(most <= 4)
        }
        #expect(tracker.alive == 0)
    }

    /// A loop whose steps are there at once: each round calls the next through `flatMap`.
    private static func loop(_ count: Int) -> CoFuture<Int> {
        CoFuture(result: .success(count)).flatMap { $0 == 0 ? CoFuture(result: .success(7)) : Self.loop($0 - 1) }
    }

    @Test
    func `the inner future of each is the next, and no round has to wait`() async throws {
        #expect(try await Self.loop(Self.depth).value == 7)
        try await Self.inASmallStack {
            let value = try Self.loop(Self.depth).await()
            #expect(value == 7)
        }
    }

    @Test
    func `the same on a scheduler, which goes on with it`() async throws {
        let (scheduler, log) = (ManualScheduler(), EventLog())
        let last = scheduler.coroutineFuture { try Self.loop(10_000).await() }
        last.whenSuccess { log.record("\($0)") }
        scheduler.run()
        #expect(log.events == ["7"])
    }

    @Test
    func `the same on a scheduler that drops what it is to run`() async throws {
        let (scheduler, tracker) = (ManualScheduler(), LifetimeTracker())
        let rounds = Mutex(0)
        do {
            let token = tracker.token()
            @Sendable func loop(_ count: Int) -> CoFuture<Int> {
                rounds.withLock { $0 += 1 }
                return CoFuture(result: .success(count)).flatMap { [token] count in
                    withExtendedLifetime(token) { count == 0 ? CoFuture(result: .success(7)) : loop(count - 1) }
                }
            }
            scheduler.startCoroutine(stackSize: StackSize(kibibytes: 64)) { _ = loop(10_000) }
            scheduler.runOne()
            #expect(rounds.withLock { $0 } < 10_000, "the stack was too small")
            while scheduler.count > 0 { scheduler.dropOne() }
        }
        // A drop runs it where it was dropped: nothing is lost.
        try await tracker.allReleased()
        #expect(rounds.withLock { $0 } == 10_001)
    }

    @Test
    func `cancelling a chain of coroutines that wait for each other`() async throws {
        let started = CoSemaphore(permits: 0)
        let first = CoPromise<Int>()
        var last: CoFuture<Int> = first
        for _ in 0..<3000 {
            last = DispatchQueue.global().coroutineFuture { [last] in
                started.release()
                return try last.await(cancellation: .propagate)
            }
        }
        for _ in 0..<3000 { try await started.acquire() }
        last.cancel()
        try await first.whenCancelled()
    }

    @Test
    func `the inner future of each is the next, and all complete at once, from the innermost`() async throws {
        try await Self.inASmallStack {
            let innermost = CoPromise<Int>()
            let gates = (0..<Self.depth).map { _ in CoPromise<Void>() }
            var last: CoFuture<Int> = innermost
            for gate in gates { last = gate.flatMap { [last] in last } }
            for gate in gates.reversed() { gate.success(()) }
            innermost.success(7)
            let value = try last.result?.get()
            #expect(value == 7)
        }
    }

    @Test
    func `the inner future of each is the next, and the outermost is cancelled`() async throws {
        try await Self.inASmallStack {
            let innermost = CoPromise<Int>()
            let gates = (0..<Self.depth).map { _ in CoPromise<Void>() }
            var futures: [CoFuture<Int>] = [innermost]
            for gate in gates { futures.append(gate.flatMap { [last = futures[futures.count - 1]] in last }) }
            for gate in gates.reversed() { gate.success(()) }
            futures[futures.count - 1].cancel()
            #expect(innermost.isCancelled)
            let areAllCanceled = futures.allSatisfy { $0.isCancelled }
            #expect(areAllCanceled)
        }
    }

    @Test
    func `each that fails cancels what the next waits for`() async throws {
        try await Self.inASmallStack {
            let promises = (0...Self.depth).map { _ in CoPromise<Int>() }
            let pairs = (0..<Self.depth).map { CoFuture.all([promises[$0], promises[$0 + 1]] as [CoFuture<Int>]) }
            promises[0].fail(Failure())
            #expect(promises[Self.depth].isCancelled)
            #expect(pairs[Self.depth - 1].isCancelled)
        }
    }

    /// Promises that a loop waits for, one after the other.
    private final class Steps: Sendable {
        private let step = Mutex<CoPromise<Void>?>(nil)

        func takeStep() -> CoPromise<Void>? { self.step.withLock { $0.take() } }

        func loop(_ count: Int, _ tracker: LifetimeTracker) -> CoFuture<String> {
            if count == 0 { return CoFuture(result: .success("done")) }
            let step = CoPromise<Void>()
            self.step.withLock { $0 = step }
            return step.flatMap { [token = tracker.token()] in
                withExtendedLifetime(token) { self.loop(count - 1, tracker) }
            }
        }
    }
}
