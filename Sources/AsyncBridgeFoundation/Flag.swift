// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Something that happens once.
final class Flag: Sendable {
    private let value = Atomic(false)

    init() {}

    func set() { self.value.store(true, ordering: .releasing) }

    /// - Returns: Whether this call has set it.
    func setFirst() -> Bool { !self.value.exchange(true, ordering: .acquiringAndReleasing) }

    var isSet: Bool { self.value.load(ordering: .acquiring) }
}
