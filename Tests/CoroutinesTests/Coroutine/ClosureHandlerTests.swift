// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Coroutines
import Testing
import UnannotatedLibrary

/// Against a library that says nothing of its threads, in code of the main actor.
@MainActor
@Suite("Handlers made out of a closure", .timeLimit(.minutes(10)))
struct ClosureHandlerTests {
    private let library = OldLibrary()

    @Test func `of the callback of a wait`() async throws {
        let library = self.library
        let (text, rank) = try await withCoroutine {
            try Coroutine.await { callback in
                library.ranked(
                    "a",
                    nil,
                    callback.handler { text, rank, error in
                        if let error { throw error }
                        return (text ?? "", rank)
                    }
                )
            }
        }
        #expect(text == "a")
        #expect(rank == 3)
    }

    @Test func `of the callback of a wait, that throw`() async {
        let library = self.library
        await #expect(throws: Failure(5)) {
            try await withCoroutine {
                try Coroutine.await(of: Int.self) { callback in
                    library.ranked(
                        nil,
                        Failure(5),
                        callback.handler { _, rank, error in
                            if let error { throw error }
                            return rank
                        }
                    )
                }
            }
        }
    }

    private func ranked(_ text: String?, _ error: Failure?) -> CoFuture<String> {
        let promise = CoPromise<String>()
        self.library.ranked(
            text,
            error,
            promise.handler { text, rank, error in
                if let error { throw error }
                return "\(rank). \(text ?? "")"
            }
        )
        return promise.future
    }

    @Test func `of a promise`() async throws {
        #expect(try await self.ranked("a", nil).value == "3. a")
        await #expect(throws: Failure(6)) { try await self.ranked(nil, Failure(6)).value }
    }

    @Test func `of a promise, complete it once and keep it alive`() throws {
        var promise: CoPromise<Int>? = CoPromise<Int>()
        let future = try #require(promise?.future)
        var handler: (@Sendable (Int, Int) -> Void)? = promise?.handler { $0 + $1 }
        promise = nil
        #expect(future.result == nil)
        handler?(1, 2)
        handler?(3, 4)
        handler = nil
        #expect(try future.result?.get() == 3)
    }

    @Test func `of a promise, drop it when they go`() {
        var promise: CoPromise<Int>? = CoPromise<Int>()
        let future = promise?.future
        var handler: (@Sendable () -> Void)? = promise?.handler { 1 }
        promise = nil
        #expect(future?.result == nil)
        handler = nil
        #expect(throws: CoFutureError.self) { try future?.result?.get() }
        _ = handler
    }
}
