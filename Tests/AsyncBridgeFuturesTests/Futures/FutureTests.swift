// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import Synchronization
import Testing

@Suite("Futures: results and observers", .timeLimit(.minutes(10)))
struct FutureTests {
    @Test func `a result`() throws {
        #expect(try CoFuture<Int>(result: .success(1)).result?.get() == 1)
        #expect(throws: Failure.self) { try CoFuture<Int>(result: .failure(Failure())).result?.get() }
        #expect(CoPromise<Int>().result == nil)
    }

    @Test
    func `the first completion counts`() throws {
        let promise = CoPromise<Int>()
        #expect(promise.success(1))
        #expect(!promise.success(2))
        #expect(!promise.fail(Failure()))
        #expect(!promise.complete(with: .success(3)))
        promise.cancel()
        #expect(try promise.result?.get() == 1)
        #expect(!promise.isCancelled)
    }

    @Test func `observers come in their order`() {
        let promise = CoPromise<Int>()
        let log = EventLog()
        for number in 0..<5 { promise.whenSuccess { log.record("\(number): \($0)") } }
        promise.success(7)
        #expect(log.events == ["0: 7", "1: 7", "2: 7", "3: 7", "4: 7"])
        promise.whenSuccess { log.record("late: \($0)") }
        #expect(log.events.last == "late: 7")
    }

    @Test func `observers of a future made from this one come in its place`() {
        let promise = CoPromise<Int>()
        let log = EventLog()
        promise.whenSuccess { _ in log.record("first") }
        promise.map { $0 + 1 }.whenSuccess { log.record("mapped \($0)") }
        promise.whenSuccess { _ in log.record("last") }
        promise.success(1)
        #expect(log.events == ["first", "mapped 2", "last"])
    }

    enum Ending: CaseIterable {
        case success
        case failure
        case cancellation

        var called: [String] {
            switch self {
            case .success: ["complete", "result", "success"]
            case .failure: ["complete", "result", "failure"]
            case .cancellation: ["complete", "result", "failure", "canceled"]
            }
        }
    }

    @Test(arguments: Ending.allCases, [false, true])
    func `each observer hears of what concerns it`(of ending: Ending, isLate: Bool) {
        let promise = CoPromise<Int>()
        let log = EventLog()
        func observe() {
            promise.whenComplete { log.record("complete") }
            promise.whenComplete { (_: Result<Int, any Error>) in log.record("result") }
            promise.whenSuccess { _ in log.record("success") }
            promise.whenFailure { _ in log.record("failure") }
            promise.whenCancelled { log.record("canceled") }
        }
        if !isLate { observe() }
        switch ending {
        case .success: promise.success(1)
        case .failure: promise.fail(Failure())
        case .cancellation: promise.cancel()
        }
        if isLate { observe() }
        #expect(log.events == ending.called)
        #expect(promise.isCancelled == (ending == .cancellation))
    }

    @Test
    func `an observer may complete, observe and cancel other futures, and this one`() {
        let promise = CoPromise<Int>()
        let other = CoPromise<Int>()
        let log = EventLog()
        promise.whenSuccess { _ in
            promise.whenSuccess { _ in log.record("added") }
            promise.cancel()
            other.success(2)
            log.record("first")
        }
        promise.whenSuccess { _ in log.record("second") }
        other.whenSuccess { _ in log.record("other") }
        promise.success(1)
        #expect(log.events == ["added", "other", "first", "second"])
    }

    @Test func identity() {
        let promise = CoPromise<Int>()
        let futures: Set<AnyCoFuture> = [promise, promise, CoPromise<Int>(), CoPromise<String>()]
        #expect(futures.count == 3)
        #expect(promise == promise)
    }

    @Test func `a chain of a hundred thousand`() throws {
        let promise = CoPromise<Int>()
        var last: CoFuture<Int> = promise
        for _ in 0..<100_000 { last = last.map { $0 + 1 } }
        promise.success(0)
        #expect(try last.result?.get() == 100_000)
    }

    @Test func `a chain of a hundred thousand that nobody completes`() {
        var promise: CoPromise<Int>? = CoPromise<Int>()
        var last: CoFuture<Int>? = promise
        for _ in 0..<100_000 { last = last?.map { $0 + 1 } }
        promise = nil
        #expect(throws: CoFutureError.self) { try last?.result?.get() }
    }

    @Test
    func `values of every size are kept, and released once`() throws {
        let tracker = LifetimeTracker()
        struct Large: Sendable {
            var words = (1, 2, 3, 4, 5)
            let token: LifetimeTracker.Token
        }
        do {
            let promise = CoPromise<Large>()
            let copy = promise.map { $0.words.4 }
            promise.success(Large(token: tracker.token()))
            #expect(try promise.result?.get().words.0 == 1)
            #expect(try copy.result?.get() == 5)
            #expect(tracker.alive == 1)
            let text = CoPromise<String>()
            text.success("a text that is too long to be stored in the sixteen bytes of a string")
            #expect(try text.map(\.count).result?.get() == 69)
        }
        #expect(tracker.alive == 0)
    }

    @Test func `existentials are values too`() throws {
        let promise = CoPromise<any Error & Sendable>()
        promise.success(Failure(3))
        #expect(try promise.result?.get() as? Failure == Failure(3))
    }
}

@Suite("Futures made from futures", .timeLimit(.minutes(10)))
struct FutureTransformTests {
    @Test func map() throws {
        let promise = CoPromise<Int>()
        let mapped = promise.map { "\($0)" }
        let failed = promise.map { _ -> Int in throw Failure(1) }
        promise.success(1)
        #expect(try mapped.result?.get() == "1")
        #expect(throws: Failure(1)) { try failed.result?.get() }
    }

    @Test func `map passes errors on`() {
        let promise = CoPromise<Int>()
        let mapped = promise.map { _ -> Int in fatalError("not to be called") }
        promise.fail(Failure(2))
        #expect(throws: Failure(2)) { try mapped.result?.get() }
    }

    @Test func `map result and recover`() throws {
        let promise = CoPromise<Int>()
        let mapped = promise.mapResult { result in result.mapError { _ in Failure(3) } }
        let recovered = promise.recover { _ in 7 }
        let rethrown = promise.recover { _ in throw Failure(4) }
        promise.fail(Failure())
        #expect(throws: Failure(3)) { try mapped.result?.get() }
        #expect(try recovered.result?.get() == 7)
        #expect(throws: Failure(4)) { try rethrown.result?.get() }
        #expect(try CoFuture<Int>(result: .success(1)).recover { _ in 7 }.result?.get() == 1)
    }

    @Test func `flat maps`() throws {
        let (first, second) = (CoPromise<Int>(), CoPromise<Int>())
        let flat = first.flatMap { value in second.map { value + $0 } }
        let error = first.flatMapError { _ in second }
        let result = first.flatMapResult { _ in second }
        first.success(1)
        #expect(flat.result == nil)
        #expect(try error.result?.get() == 1)
        second.success(2)
        #expect(try flat.result?.get() == 3)
        #expect(try result.result?.get() == 2)
    }

    @Test func `flat maps of an error`() throws {
        let (first, second) = (CoPromise<Int>(), CoPromise<Int>())
        let flat = first.flatMap { _ in second }
        let error = first.flatMapError { _ in second }
        first.fail(Failure(5))
        #expect(throws: Failure(5)) { try flat.result?.get() }
        second.success(2)
        #expect(try error.result?.get() == 2)
    }

    @Test func `of a future that has its result`() throws {
        let future = CoFuture<Int>(result: .success(1))
        #expect(try future.map { $0 + 1 }.result?.get() == 2)
        #expect(try future.flatMap { CoFuture(result: .success($0 + 2)) }.result?.get() == 3)
    }

    @Test func `completing with a future`() throws {
        let (first, second) = (CoPromise<Int>(), CoPromise<Int>())
        first.complete(with: second)
        second.success(1)
        #expect(try first.result?.get() == 1)
    }
}

@Suite("Cancelling futures", .timeLimit(.minutes(10)))
struct FutureCancellationTests {
    @Test
    func `cancelling the last of a chain cancels the first, and all made from it`() {
        let promise = CoPromise<Int>()
        let log = EventLog()
        promise.whenCancelled { log.record("work") }
        let (left, right) = (promise.map { $0 + 1 }, promise.map { $0 + 2 })
        let last = left.map { $0 + 1 }
        last.cancel()
        #expect(promise.isCancelled && left.isCancelled && right.isCancelled && last.isCancelled)
        #expect(log.events == ["work"])
    }

    @Test
    func `no transform turns the cancellation of its own future into something else`() {
        let promise = CoPromise<Int>()
        let recovered = promise.recover { _ in 1 }
        recovered.cancel()
        #expect(recovered.isCancelled && promise.isCancelled)
    }

    @Test func abandoning() throws {
        let promise = CoPromise<Int>()
        let (left, right) = (promise.map { $0 + 1 }, promise.map { $0 + 2 })
        left.abandon()
        #expect(left.isCancelled && !promise.isCancelled)
        promise.success(1)
        #expect(try right.result?.get() == 3)
    }

    @Test
    func `a flat map cancels what it waits for`() {
        let (first, second) = (CoPromise<Int>(), CoPromise<Int>())
        first.flatMap { _ in second }.cancel()
        #expect(first.isCancelled && !second.isCancelled)
        let (third, fourth) = (CoPromise<Int>(), CoPromise<Int>())
        let flat = third.flatMap { _ in fourth }
        third.success(1)
        flat.cancel()
        #expect(fourth.isCancelled && flat.isCancelled)
    }

    @Test
    func `a transform that cancels its own future does not get a result in`() {
        let promise = CoPromise<Int>()
        let slot = Mutex<CoFuture<Int>?>(nil)
        let mapped = promise.map { value in
            slot.withLock { $0 }?.abandon()
            return value
        }
        slot.withLock { $0 = mapped }
        promise.success(1)
        #expect(mapped.isCancelled)
        slot.withLock { $0 = nil }
    }

    @Test func `an error for all`() {
        let future = CoFuture<Int>(result: .failure(CancellationError()))
        #expect(future.isCancelled)
        guard case .failure(let error)? = future.result, error is CancellationError else {
            Issue.record("not matched")
            return
        }
    }
}

@Suite("Promises that are dropped", .timeLimit(.minutes(10)))
struct DroppedPromiseTests {
    @Test
    func `everybody hears of it, with the place`() {
        let log = EventLog()
        var promise: CoPromise<Int>? = CoPromise<Int>(fileID: "Tests/Here.swift", line: 7)
        let (future, mapped) = (promise?.future, promise?.map { $0 + 1 })
        promise?.whenFailure { log.record("\($0)") }
        promise = nil
        let expected = CoFutureError.promiseDropped(CallSite(fileID: "Tests/Here.swift", line: 7))
        #expect(throws: expected) { try future?.result?.get() }
        #expect(throws: expected) { try mapped?.result?.get() }
        #expect(log.events.count == 1)
        #expect(log.events.first?.contains("Tests/Here.swift:7") == true)
    }

    @Test
    func `cancelling what a dropped promise has left does nothing`() {
        var promise: CoPromise<Int>? = CoPromise<Int>()
        let future = promise?.future
        promise = nil
        future?.cancel()
        #expect(future?.isCancelled == false)
    }

    @Test func callbacks() throws {
        let answered = CoFuture<Int>(promise: { $0(.success(1)) })
        #expect(try answered.result?.get() == 1)
        let dropped = CoFuture<Int>(fileID: "Tests/Here.swift", line: 8, promise: { _ in })
        #expect(throws: CoFutureError.promiseDropped(CallSite(fileID: "Tests/Here.swift", line: 8))) {
            try dropped.result?.get()
        }
    }

    /// A part that goes away in the call that tells of its result.
    @Test func `as a part of others`() throws {
        func combine<Whole>(_ make: ([CoFuture<Int>]) -> CoFuture<Whole>) -> CoFuture<Whole> {
            let other = CoPromise<Int>()
            defer { other.success(1) }
            return make([CoPromise<Int>(), other])
        }
        #expect(throws: CoFutureError.self) { try combine { CoFuture.all($0) }.result?.get() }
        #expect(throws: CoFutureError.self) { try combine { CoFuture.race($0) }.result?.get() }
        #expect(try combine { CoFuture.any($0) }.result?.get() == 1)
        let results = try #require(try combine { CoFuture.settled($0) }.result?.get())
        #expect(throws: CoFutureError.self) { try results[0].get() }
        #expect(try results[1].get() == 1)
    }

    @Test func `as the only part`() throws {
        let settled = CoFuture.settled([CoPromise<Int>()])
        #expect(throws: CoFutureError.self) { try settled.result?.get().first?.get() }
    }

    @Test
    func `a future that is dropped releases what it was made from`() {
        let tracker = LifetimeTracker()
        do {
            let promise = CoPromise<Int>()
            let token = tracker.token()
            _ = promise.map { [token] in withExtendedLifetime((token, $0)) { $0.1 } }
            promise.whenSuccess { [token] _ in withExtendedLifetime(token) {} }
        }
        #expect(tracker.alive == 0)
    }
}
