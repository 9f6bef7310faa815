// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines
import Testing

/// Observers that end the next future, whose observers end the next, further than any stack is deep.
@Suite("Futures: observers that call each other", .serialized, .timeLimit(.minutes(10)))
struct ObserverDepthTests {
    private static let depth = 100_000

    @Test("an observer completes the next promise, and so on", arguments: [false, true])
    func promisesThatObserversComplete(isOnAThread: Bool) async throws {
        let promises = (0..<Self.depth).map { _ in CoPromise<Int>() }
        for (promise, next) in zip(promises, promises.dropFirst()) { promise.whenComplete { next.complete(with: $0) } }
        let first = promises[0]
        if isOnAThread {
            first.success(7)
        } else {
            try await withCoroutine(stackSize: StackSize(kibibytes: 64)) { _ = first.success(7) }
        }
        #expect(try await promises[Self.depth - 1].value == 7)
    }

    @Test("an observer cancels the next promise, and so on")
    func promisesThatObserversCancel() async throws {
        let promises = (0..<Self.depth).map { _ in CoPromise<Int>() }
        for (promise, next) in zip(promises, promises.dropFirst()) { promise.whenCanceled { next.cancel() } }
        let first = promises[0]
        try await withCoroutine(stackSize: StackSize(kibibytes: 64)) { first.cancel() }
        await #expect(throws: CancellationError.self) { try await promises[Self.depth - 1].value }
    }
}
