// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Something that becomes true once.
final class Flag: Sendable {
    private let isSet = Atomic(false)

    func set() { self.isSet.store(true, ordering: .releasing) }

    var value: Bool { self.isSet.load(ordering: .acquiring) }
}

/// A number that several threads add to.
final class Count: Sendable {
    private let count = Atomic(0)

    @discardableResult
    func add(_ number: Int = 1) -> Int { self.count.add(number, ordering: .acquiringAndReleasing).newValue }

    var value: Int { self.count.load(ordering: .acquiring) }
}
