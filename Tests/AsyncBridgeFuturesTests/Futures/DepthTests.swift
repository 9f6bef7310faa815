// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import Synchronization
import Testing

/// Chains that are longer than any stack is deep.
@Suite("Deep chains of scopes and callbacks", .serialized, .timeLimit(.minutes(10)))
struct DepthTests {
    private static let depth = ChainDepth.standard

    @Test
    func `cancelling a scope of a scope of a scope`() async throws {
        let last = CoPromise<Int>()
        let scopes = (0..<Self.depth).map { _ in CoScope() }
        for (outer, inner) in zip(scopes, scopes.dropFirst()) { outer.add(inner) }
        scopes[Self.depth - 1].add(last)
        scopes[0].cancel()
        try await last.whenCancelled()
    }

    @Test
    func `a promise whose observer has the last reference to the next one, and so on`() async throws {
        final class Holder: Sendable {
            private let promise: Mutex<CoPromise<Int>?>

            init(_ promise: consuming CoPromise<Int>?) { self.promise = Mutex(promise) }

            func release() { releaseHere(self.promise.withLock { $0.take() }) }
        }
        let heard = Atomic(0)
        var next: CoPromise<Int>? = CoPromise<Int>()
        let last = try #require(next?.future)
        for _ in 0..<Self.depth {
            let promise = CoPromise<Int>()
            let holder = Holder(next)
            promise.whenComplete { (_: Result<Int, any Error>) in
                heard.add(1, ordering: .relaxed)
                holder.release()
            }
            // Kept by the closure alone.
            next = promise
        }
        next = nil
        await #expect(throws: CoFutureError.self) { try await last.value }
        #expect(heard.load(ordering: .relaxed) == Self.depth)
    }

    @Test
    func `a closure receives the next element, and so on`() async throws {
        let channel = CoChannel<Int>(buffering: .unbounded)
        let done = CoPromise<Int>()
        for number in 1...Self.depth { channel.offer(number) }
        @Sendable func receive() {
            channel.whenReceive { result in
                guard case .success(let number) = result, number < Self.depth else {
                    done.complete(with: result)
                    return
                }
                receive()
            }
        }
        receive()
        #expect(try await done.value == Self.depth)
    }
}
