// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Coroutines
import Testing

/// The forms of `Coroutine.await` are told apart without annotations.
///
/// That this compiles is most of the test.
@Suite("Coroutine.await is not ambiguous", .timeLimit(.minutes(10)))
struct OverloadTests {
    struct OldAPI {
        func none(_ done: @escaping @Sendable () -> Void) { done() }
        func one(_ done: @escaping @Sendable (Int) -> Void) { done(1) }
        func two(_ done: @escaping @Sendable (Int, String) -> Void) { done(1, "two") }
        func three(_ done: @escaping @Sendable (Int, String, Bool) -> Void) { done(1, "two", true) }
        func four(_ done: @escaping @Sendable (Int, String, Bool, Double) -> Void) { done(1, "two", true, 4) }
        func five(_ done: @escaping @Sendable (Int, String, Bool, Double, Int) -> Void) { done(1, "two", true, 4, 5) }
        func six(_ done: @escaping @Sendable (Int, Int, Int, Int, Int, Int) -> Void) { done(1, 2, 3, 4, 5, 6) }
        func seven(_ done: @escaping @Sendable (Int, Int, Int, Int, Int, Int, Int) -> Void) {
            done(1, 2, 3, 4, 5, 6, 7)
        }
        func pairAfterThree(_ done: @escaping @Sendable (Int, Int, Int, (Int, Int)) -> Void) { done(1, 2, 3, (4, 5)) }
        func pairAfterFour(_ done: @escaping @Sendable (Int, Int, Int, Int, (Int, Int)) -> Void) {
            done(1, 2, 3, 4, (5, 6))
        }
        func nothingAfterFive(_ done: @escaping @Sendable (Int, Int, Int, Int, Int, Void) -> Void) {
            done(1, 2, 3, 4, 5, ())
        }
        typealias Number = @Sendable () -> Int
        func closureAfterFive(_ done: @escaping @Sendable (Int, Int, Int, Int, Int, @escaping Number) -> Void) {
            done(1, 2, 3, 4, 5) { 6 }
        }
        func result(_ done: @escaping @Sendable (Result<Int, any Error>) -> Void) { done(.success(1)) }
        func pair(_ done: @escaping @Sendable (Int?, (any Error)?) -> Void) { done(1, nil) }
        func cancellable(_ done: @escaping @Sendable (Int) -> Void) -> OldAPI {
            done(1)
            return self
        }
    }

    private let api = OldAPI()

    private func number() async -> Int { 1 }

    private func mayFail() async throws -> Int { 1 }

    private func work() async {}

    @Test func operations() async throws {
        let results = try await withCoroutine {
            try Coroutine.await { await self.work() }
            let single = try Coroutine.await { await self.number() }
            let throwing = try Coroutine.await { try await self.mayFail() }
            let synchronous = try Coroutine.await { 1 }
            let several = try Coroutine.await {
                let first = await self.number()
                let second = try await self.mayFail()
                return first + second
            }
            return [single, throwing, synchronous, several]
        }
        #expect(results == [1, 1, 1, 2])
    }

    @Test func `callback without value`() async throws {
        try await withCoroutine {
            try Coroutine.await { self.api.none($0) }
            try Coroutine.await { done in self.api.none(done) }
            try Coroutine.await { done in self.api.none { done() } }
            try Coroutine.await { done in
                let api = self.api
                api.none { done() }
            }
        }
    }

    @Test func `callback with one value`() async throws {
        let results = try await withCoroutine {
            let shorthand = try Coroutine.await { self.api.one($0) }
            let passedOn = try Coroutine.await { done in self.api.one(done) }
            let called = try Coroutine.await { done in self.api.one { done($0) } }
            let several = try Coroutine.await { done in
                let more = 1
                self.api.one { done($0 + more) }
            }
            let discarding = try Coroutine.await { done in _ = self.api.cancellable(done) }
            return [shorthand, passedOn, called, several, discarding]
        }
        #expect(results == [1, 1, 1, 2, 1])
    }

    @Test func `callback with two values`() async throws {
        let results = try await withCoroutine {
            let shorthand = try Coroutine.await { self.api.two($0) }
            let passedOn = try Coroutine.await { done in self.api.two(done) }
            let called = try Coroutine.await { done in self.api.two { done($0, $1) } }
            let several = try Coroutine.await { done in
                let more = 1
                self.api.two { done($0 + more, $1) }
            }
            return [shorthand, passedOn, called, several].map { "\($0.0) \($0.1)" }
        }
        #expect(results == ["1 two", "1 two", "1 two", "2 two"])
    }

    @Test func `callback with three values`() async throws {
        let results = try await withCoroutine {
            let shorthand = try Coroutine.await { self.api.three($0) }
            let passedOn = try Coroutine.await { done in self.api.three(done) }
            let called = try Coroutine.await { done in self.api.three { done($0, $1, $2) } }
            let several = try Coroutine.await { done in
                let more = 1
                self.api.three { done($0 + more, $1, $2) }
            }
            return [shorthand, passedOn, called, several].map { "\($0.0) \($0.1) \($0.2)" }
        }
        #expect(results == ["1 two true", "1 two true", "1 two true", "2 two true"])
    }

    @Test func `callback with more values`() async throws {
        let (four, five, annotated, called) = try await withCoroutine {
            (
                try Coroutine.await { self.api.four($0) },
                try Coroutine.await { done in self.api.five(done) },
                try Coroutine.await { (done: @escaping @Sendable (Int, String, Bool, Double) -> Void) in
                    self.api.four { done($0 + 1, $1, $2, $3) }
                },
                try Coroutine.await { done in self.api.five { done($0 + 1, $1, $2, $3, $4) } }
            )
        }
        #expect(four == (1, "two", true, 4))
        #expect(five == (1, "two", true, 4, 5))
        #expect(annotated == (2, "two", true, 4))
        #expect(called == (2, "two", true, 4, 5))
        let (six, seven) = try await withCoroutine {
            (try Coroutine.await { self.api.six($0) }, try Coroutine.await { self.api.seven($0) })
        }
        #expect(six == (1, 2, 3, 4, 5, 6))
        #expect("\(seven)" == "(1, 2, 3, 4, 5, 6, 7)")
    }

    /// With one form for any number of values the compiler crashed.
    @Test func `more values, of which one is a tuple, Void or a closure`() async throws {
        let numbers = try await withCoroutine {
            let (a, b, c, d) = try Coroutine.await { self.api.pairAfterThree($0) }
            let (e, f, g, h, i) = try Coroutine.await { self.api.pairAfterFour($0) }
            let nothing = try Coroutine.await { self.api.nothingAfterFive($0) }
            let closure = try Coroutine.await { self.api.closureAfterFive($0) }
            return [a + b + c + d.0 + d.1, e + f + g + h + i.0 + i.1, nothing.4, closure.5()]
        }
        #expect(numbers == [15, 21, 5, 6])
    }

    @Test func `callback object`() async throws {
        let results = try await withCoroutine {
            let withResult = try Coroutine.await { callback in self.api.result { callback.resume(with: $0) } }
            let withValue = try Coroutine.await { callback in self.api.one { callback.resume(returning: $0) } }
            let handler = try Coroutine.await { callback in self.api.pair(callback.handler()) }
            let several = try Coroutine.await { callback in
                let more = 1
                self.api.one { callback.resume(returning: $0 + more) }
            }
            let typed = try Coroutine.await(of: Int.self) { callback in
                self.api.pair { value, error in
                    if let error { callback.resume(throwing: error) } else { callback.resume(returning: value ?? 0) }
                }
            }
            return [withResult, withValue, handler, several, typed]
        }
        #expect(results == [1, 1, 1, 2, 1])
    }
}
