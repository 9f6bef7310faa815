// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
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

/// Begins with the element that the iterator before got last.
struct Replaying<Base: AsyncSequence>: AsyncSequence where Base.Element == Int {
    let base: Base
    private let last = Last()

    init(base: Base) { self.base = base }

    fileprivate final class Last: Sendable {
        let element = Mutex<Int?>(nil)
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var first: Int?
        fileprivate let last: Last

        mutating func next() async throws -> Int? {
            if let first = self.first.take() { return first }
            let element = try await self.base.next(isolation: #isolation)
            self.last.element.withLock { $0 = element }
            return element
        }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(base: self.base.makeAsyncIterator(), first: self.last.element.withLock { $0 }, last: self.last)
    }
}

/// Pauses its source by a count beside the buffer, in which elements remain that went to a waiting consumer.
struct Miscounting: AsyncSequence {
    private let base: CallbackSequence<Int, any Error>
    private let level: Level

    init(_ source: SequenceSource) {
        let level = Level(source)
        self.level = level
        self.base = CallbackSequence { sink in
            let handle = source.start(
                onElement: {
                    level.come()
                    sink.yield($0)
                },
                onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
            )
            return { handle.cancel() }
        }
    }

    fileprivate final class Level: Sendable {
        struct State {
            var count = 0
            var buffered = 0
            var isWaiting = false
            var isPaused = false
        }

        private let source: SequenceSource
        private let state = Mutex(State())

        init(_ source: SequenceSource) { self.source = source }

        func come() {
            let pauses = self.state.withLock { state in
                state.count += 1
                if state.isWaiting { state.isWaiting = false } else { state.buffered += 1 }
                guard state.count >= 64, !state.isPaused else { return false }
                state.isPaused = true
                return true
            }
            if pauses { self.source.pause() }
        }

        func ask() {
            let resumes = self.state.withLock { state in
                if state.buffered > 0 {
                    state.buffered -= 1
                    state.count -= 1
                } else {
                    state.isWaiting = true
                }
                guard state.isPaused, state.count <= 16 else { return false }
                state.isPaused = false
                return true
            }
            if resumes { self.source.resume() }
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: CallbackSequence<Int, any Error>.AsyncIterator
        fileprivate let level: Level

        mutating func next() async throws -> Int? {
            self.level.ask()
            return try await self.base.next()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: self.base.makeAsyncIterator(), level: self.level) }
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
