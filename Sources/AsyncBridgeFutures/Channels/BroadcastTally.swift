// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The lock around the count of the subscribers that one send waits for.
///
/// Nothing of it is inlined: a coroutine parks between two of its functions (Scripts/check-thread-locals).
@usableFromInline
package final class BroadcastTally: Sendable {
    private let state = Mutex(BroadcastTallyState())

    @inline(never)
    package var isOver: Bool { self.state.withLock { $0.isOver } }

    /// Whether the broadcast ended before a subscriber took the element.
    @inline(never)
    var wasClosed: Bool { self.state.withLock { $0.wasClosed } }

    @inline(never)
    func settle(isClosed: Bool) { self.state.withLock { $0.settle(isClosed: isClosed) }?.wake() }

    @inline(never)
    func begin(_ count: Int) { self.state.withLock { $0.begin(count) } }

    @inline(never)
    package func enlist(_ sender: ParkerReference) -> BroadcastTallyState.Enlistment {
        self.state.withLock { $0.enlist(sender) }
    }

    @inline(never)
    package func leave() { self.state.withLock { $0.leave() } }
}
