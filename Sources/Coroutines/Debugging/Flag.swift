// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Something that happens once.
struct Flag: ~Copyable, Sendable {
    private let isSet = Atomic(false)

    /// Tells whether this is the first call.
    func set() -> Bool { !self.isSet.exchange(true, ordering: .acquiringAndReleasing) }
}
