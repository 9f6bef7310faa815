// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// One sequence of a history: the bridge's sequence, its source, and its iterators.
final class PlayedSequence: Sendable {
    let number: Int
    let source: SequenceSourceCore
    let sequence = Watched(OneThreadSequence?.none)
    private let iterators = Mutex<[Int: PlayedIterator]>([:])
    private let count = Mutex(0)

    init(_ number: Int, _ lifetimes: LifetimeTracker) {
        self.number = number
        self.source = SequenceSourceCore(lifetimes, suffix: " of sequence \(number)")
    }

    /// What is alive of a sequence, among all that the tracker has made.
    func labels(in state: LifetimeTracker.State) -> Set<String> {
        Set(state.alive.values.filter { $0.hasSuffix(" of sequence \(self.number)") })
    }

    subscript(iterator: Int) -> PlayedIterator? {
        get { self.iterators.withLock { $0[iterator] } }
        set { self.iterators.withLock { $0[iterator] = newValue } }
    }

    var allIterators: [(number: Int, iterator: PlayedIterator)] {
        self.iterators.withLock { $0 }.sorted { $0.key < $1.key }.map { (number: $0.key, iterator: $0.value) }
    }

    // MARK: Elements

    /// The elements of sequence 2 begin with 2000001.
    static let range = 1_000_000

    /// How many elements the source has sent.
    var sent: Int { self.count.withLock { $0 } }

    /// Sends the next elements on this thread.
    func send(_ count: Int) {
        let first = self.count.withLock { sent in
            defer { sent += count }
            return self.number * Self.range + sent + 1
        }
        self.source.send(first..<first + count)
    }

    /// An element in words.
    static func text(of element: Int) -> String {
        "element \(element % Self.range) of sequence \(element / Self.range)"
    }
}

/// A sequence of any type.
///
/// Safe: it is used on the thread of the scenario only.
final class OneThreadSequence: @unchecked Sendable {
    private var makeIterator: (() -> OneThreadIterator)?

    init<S: AsyncSequence>(_ sequence: S) where S.Element == Int {
        self.makeIterator = { OneThreadIterator(sequence.makeAsyncIterator()) }
    }

    func makeAsyncIterator() -> OneThreadIterator? { self.makeIterator?() }

    /// Releases the sequence.
    func release() { self.makeIterator = nil }
}
