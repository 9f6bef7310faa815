// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

@Suite("Futures together", .timeLimit(.minutes(10)))
struct CombinedFutureTests {
    private let promises = (0..<3).map { _ in CoPromise<Int>() }

    @Test func all() throws {
        let whole = CoFuture.all(self.promises)
        for (index, promise) in self.promises.enumerated().reversed() { promise.success(index) }
        #expect(try whole.result?.get() == [0, 1, 2])
    }

    @Test func `all but one`() {
        let whole = CoFuture.all(self.promises)
        self.promises[0].success(1)
        self.promises[1].fail(Failure())
        #expect(throws: Failure.self) { try whole.result?.get() }
        #expect(self.promises[2].isCancelled)
    }

    @Test func any() throws {
        let whole = CoFuture.any(self.promises)
        self.promises[0].fail(Failure())
        #expect(whole.result == nil)
        self.promises[2].success(2)
        #expect(try whole.result?.get() == 2)
        #expect(self.promises[1].isCancelled)
    }

    @Test func `any of failures`() {
        let whole = CoFuture.any(self.promises)
        for (index, promise) in self.promises.enumerated() { promise.fail(Failure(index)) }
        #expect(throws: Failure(2)) { try whole.result?.get() }
    }

    @Test func race() {
        let whole = CoFuture.race(self.promises)
        self.promises[1].fail(Failure(1))
        #expect(throws: Failure(1)) { try whole.result?.get() }
        #expect(self.promises[0].isCancelled && self.promises[2].isCancelled)
    }

    @Test func settled() throws {
        let whole = CoFuture.settled(self.promises)
        self.promises[0].success(1)
        self.promises[1].fail(Failure())
        #expect(whole.result == nil)
        self.promises[2].cancel()
        let results = try #require(try whole.result?.get())
        #expect(try results[0].get() == 1)
        #expect(throws: Failure.self) { try results[1].get() }
        #expect(throws: CancellationError.self) { try results[2].get() }
    }

    @Test func `of none`() throws {
        #expect(try CoFuture<Int>.all([]).result?.get() == [])
        #expect(try CoFuture<Int>.settled([]).result?.get().isEmpty == true)
        #expect(throws: CoFutureError.noFutures) { try CoFuture<Int>.any([]).result?.get() }
        #expect(throws: CoFutureError.noFutures) { try CoFuture<Int>.race([]).result?.get() }
    }

    @Test func `a promise that is dropped`() {
        var promises: [CoPromise<Int>] = [CoPromise(), CoPromise()]
        let whole = CoFuture.all(promises)
        promises.removeLast()
        #expect(throws: CoFutureError.self) { try whole.result?.get() }
        #expect(promises[0].isCancelled)
    }

    @Test(arguments: 0..<4)
    func `cancelling the whole cancels each`(kind: Int) {
        let promises = self.promises
        switch kind {
        case 0: CoFuture.all(promises).cancel()
        case 1: CoFuture.any(promises).cancel()
        case 2: CoFuture.race(promises).cancel()
        default: CoFuture.settled(promises).cancel()
        }
        for promise in promises { #expect(promise.isCancelled) }
    }
}
