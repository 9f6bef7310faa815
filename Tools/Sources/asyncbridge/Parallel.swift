// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Synchronization

/// Work on many files at a time.
enum Parallel {
    /// The stack of each thread: code can be nested, and calls be chained, as long as its author likes.
    ///
    /// Only what is used of it takes memory.
    private static let stackSize = 1 << 30

    /// How deep the parser may go on such a stack.
    static let nesting = 256

    /// The results of `transform`, in the order of the elements.
    static func map<Element: Sendable, Result: Sendable>(
        _ elements: [Element],
        jobs: Int,
        _ transform: @escaping @Sendable (Element) -> Result
    ) -> [Result] {
        let work = Work<Result>()
        let group = DispatchGroup()
        for _ in 0..<max(1, min(jobs, elements.count)) {
            group.enter()
            let thread = Thread {
                while let index = work.next(below: elements.count) { work.put(transform(elements[index]), at: index) }
                group.leave()
            }
            thread.stackSize = stackSize
            thread.start()
        }
        group.wait()
        return work.results
    }

    /// What the threads share.
    private final class Work<Result: Sendable>: Sendable {
        private struct State {
            var next = 0
            var results: [Int: Result] = [:]
        }

        private let state = Mutex(State())

        func next(below end: Int) -> Int? {
            state.withLock { state in
                guard state.next < end else { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }

        func put(_ result: Result, at index: Int) { state.withLock { $0.results[index] = result } }

        var results: [Result] {
            state.withLock { state in state.results.sorted { $0.key < $1.key }.map(\.value) }
        }
    }
}
