// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Coroutines
import Testing

/// The forms of `Coroutine.await` are told apart without annotations.
///
/// That this compiles is most of the test.
@Suite("Coroutine.await is not ambiguous")
struct OverloadTests {
    struct OldAPI {
        func none(_ done: @escaping @Sendable () -> Void) { done() }
        func one(_ done: @escaping @Sendable (Int) -> Void) { done(1) }
        func two(_ done: @escaping @Sendable (Int, String) -> Void) { done(1, "two") }
        func three(_ done: @escaping @Sendable (Int, String, Bool) -> Void) { done(1, "two", true) }
        func four(_ done: @escaping @Sendable (Int, String, Bool, Double) -> Void) { done(1, "two", true, 4) }
        func five(_ done: @escaping @Sendable (Int, String, Bool, Double, Int) -> Void) { done(1, "two", true, 4, 5) }
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
        let (four, five, annotated) = try await withCoroutine {
            (
                try Coroutine.await { self.api.four($0) },
                try Coroutine.await { done in self.api.five(done) },
                try Coroutine.await { (done: @escaping @Sendable (Int, String, Bool, Double) -> Void) in
                    self.api.four { done($0 + 1, $1, $2, $3) }
                }
            )
        }
        #expect(four == (1, "two", true, 4))
        #expect(five == (1, "two", true, 4, 5))
        #expect(annotated == (2, "two", true, 4))
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
