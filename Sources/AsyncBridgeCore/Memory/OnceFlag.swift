// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import Synchronization

/// Something that happens once.
package struct OnceFlag: ~Copyable, Sendable {
    @usableFromInline let value = Atomic(false)

    @inlinable
    package init() {}

    @inlinable
    package func set() { self.value.store(true, ordering: .releasing) }

    /// - Returns: Whether this call has set it.
    @inlinable
    package func setFirst() -> Bool { !self.value.exchange(true, ordering: .acquiringAndReleasing) }

    @inlinable package var isSet: Bool { self.value.load(ordering: .acquiring) }
}
