// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Returns `nil` after the end: a stream of the standard library that fails while its consumer waits throws the error
/// twice (Swift 6.3.1).
struct EndingOnce<Base: AsyncSequence>: AsyncSequence where Base.Element == Int {
    let base: Base
    /// Whether it ends like a finished one when it is cancelled.
    var endsWhenCancelled = false

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let endsWhenCancelled: Bool
        var isOver = false

        mutating func next() async throws -> Int? {
            if self.isOver { return nil }
            do {
                if let element = try await self.base.next(isolation: #isolation) { return element }
            } catch is CancellationError where self.endsWhenCancelled {
                // As if the source had finished.
            } catch {
                self.isOver = true
                throw error
            }
            self.isOver = true
            return nil
        }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(base: self.base.makeAsyncIterator(), endsWhenCancelled: self.endsWhenCancelled)
    }
}

/// Gives its elements to the first iterator, and none to the others; or ends the process if there are others.
struct OneIterator<Base: AsyncSequence>: AsyncSequence where Base.Element == Int {
    let base: Base
    /// What the others throw, once; `nil` ends them.
    let refusal: (any Error)?
    private let traps: Bool
    private let isTaken = Taken()

    init(base: Base, refusal: (any Error)?, traps: Bool = false) {
        self.base = base
        self.refusal = refusal
        self.traps = traps
    }

    private final class Taken: Sendable {
        private let isTaken = Atomic(false)

        func take() -> Bool { !self.isTaken.exchange(true, ordering: .sequentiallyConsistent) }
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator?
        var refusal: (any Error)?

        mutating func next() async throws -> Int? {
            if let refusal = self.refusal.take() { throw refusal }
            return try await self.base?.next(isolation: #isolation)
        }
    }

    func makeAsyncIterator() -> Iterator {
        if self.isTaken.take() { return Iterator(base: self.base.makeAsyncIterator()) }
        precondition(!self.traps, "A second iterator was made")
        return Iterator(base: nil, refusal: self.refusal)
    }
}

/// Makes another sequence for each iterator.
struct Cold<Base: AsyncSequence>: AsyncSequence where Base.Element == Int {
    let make: @Sendable () -> Base

    func makeAsyncIterator() -> Base.AsyncIterator { self.make().makeAsyncIterator() }
}

/// A sequence whose type is not known.
struct Erased: AsyncSequence {
    let base: any AsyncSequence<Int, any Error>

    struct Iterator: AsyncIteratorProtocol {
        var base: any AsyncIteratorProtocol<Int, any Error>

        mutating func next() async throws -> Int? { try await self.base.next(isolation: #isolation) }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: Self.makeIterator(self.base)) }

    private static func makeIterator(
        _ base: some AsyncSequence<Int, any Error>
    ) -> any AsyncIteratorProtocol<Int, any Error> { base.makeAsyncIterator() }
}
