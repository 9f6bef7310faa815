// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Something that is true or not; all flags change in one order, which each thread sees.
package final class Flag: Sendable {
    private let isSet = Atomic(false)

    package init() {}

    package func set(_ value: Bool = true) { self.isSet.store(value, ordering: .sequentiallyConsistent) }

    package var value: Bool { self.isSet.load(ordering: .sequentiallyConsistent) }
}

/// A number that several threads add to.
package final class Count: Sendable {
    private let count = Atomic(0)

    package init() {}

    @discardableResult
    package func add(_ number: Int = 1) -> Int { self.count.add(number, ordering: .acquiringAndReleasing).newValue }

    package var value: Int { self.count.load(ordering: .acquiring) }
}
