// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Something that becomes true once.
package final class Flag: Sendable {
    private let isSet = Atomic(false)

    package init() {}

    package func set() { self.isSet.store(true, ordering: .sequentiallyConsistent) }

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
