// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Counts objects that have been made and not released: more tells of a leak, fewer of a double release.
final class Lifetimes: Sendable {
    private let living = Atomic<Int>(0)

    /// How many probes live at this moment.
    var alive: Int { self.living.load(ordering: .sequentiallyConsistent) }

    /// Makes an object that is counted as long as it lives.
    func probe(_ number: Int = 0) -> Probe { Probe(number, in: self) }

    final class Probe: Sendable {
        let number: Int
        private let lifetimes: Lifetimes

        fileprivate init(_ number: Int, in lifetimes: Lifetimes) {
            self.number = number
            self.lifetimes = lifetimes
            lifetimes.living.add(1, ordering: .sequentiallyConsistent)
        }

        deinit { self.lifetimes.living.subtract(1, ordering: .sequentiallyConsistent) }

        /// Does nothing, but keeps the object alive where it is called.
        func touch() {}
    }
}
