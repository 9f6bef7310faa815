// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Something that happens once.
final class Flag: Sendable {
    private let value = Atomic(false)

    init() {}

    func set() { self.value.store(true, ordering: .releasing) }

    var isSet: Bool { self.value.load(ordering: .acquiring) }
}
