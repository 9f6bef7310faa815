// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

@Suite("Many generators", .timeLimit(.minutes(10)))
struct GeneratorDepthTests {
    /// A tree, walked by generators within generators.
    indirect enum Tree {
        case leaf
        case node(Tree, Int, Tree)

        func elements(_ log: EventLog) -> Generator<Int> {
            Generator(stackSize: StackSize(kibibytes: 64)) { yield in
                guard case .node(let left, let element, let right) = self else { return }
                defer { log.record("") }
                for element in left.elements(log) { try yield(element) }
                try yield(element)
                for element in right.elements(log) { try yield(element) }
            }
        }

        /// A tree of all numbers of a range, as flat as can be.
        static func balanced(_ range: Range<Int>) -> Tree {
            guard !range.isEmpty else { return .leaf }
            let middle = range.lowerBound + range.count / 2
            return .node(.balanced(range.lowerBound..<middle), middle, .balanced(middle + 1..<range.upperBound))
        }

        /// A tree that is a list.
        static func list(_ count: Int) -> Tree {
            (0..<count).reduce(.leaf) { .node($0, $1, .leaf) }
        }
    }

    @Test func `walk a tree`() {
        let log = EventLog()
        #expect(Array(Tree.balanced(0..<1000).elements(log)) == Array(0..<1000))
        #expect(log.events.count == 1000)
    }

    @Test
    func `run one within the other, a thousand deep, on small stacks`() {
        let log = EventLog()
        #expect(Array(Tree.list(1000).elements(log)) == Array(0..<1000))
        #expect(log.events.count == 1000)
    }

    @Test
    func `are unwound a thousand deep`() {
        let log = EventLog()
        for element in Tree.list(1000).elements(log) where element == 0 { break }
        #expect(log.events.count == 1000)
    }

    @Test
    func `stand still side by side, ten thousand of them`() {
        let tracker = LifetimeTracker()
        var ends = 0
        /// Keeps sixteen words in its frame, and looks at them after each step.
        func generator(_ seed: Int) -> Generator<Int> {
            Generator(stackSize: StackSize(kibibytes: 64)) { yield in
                let token = tracker.token()
                defer {
                    ends += 1
                    withExtendedLifetime(token) {}
                }
                var words = SIMD16<Int>(repeating: seed)
                for step in 0... {
                    try yield(words.indices.reduce(0) { $0 &+ words[$1] })
                    for index in words.indices { words[index] &+= step &* index }
                }
            }
        }
        let count = 10_000
        var iterators = (0..<count).map { generator($0).makeIterator() }
        for step in 0..<4 {
            // The sum of the indices is 120; the sum of the steps so far is 0, 0, 1, 3.
            let added = 120 * (0..<step).reduce(0, +)
            let wrong = iterators.indices.filter { iterators[$0].next() != 16 * $0 + added }
            #expect(wrong == [])
        }
        #expect(tracker.alive == count)
        iterators.shuffle()
        iterators.removeLast(count / 2)
        #expect(ends == count / 2)
        iterators = []
        #expect(ends == count)
        #expect(tracker.alive == 0)
    }
}
