// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import Synchronization

/// How many single writes were begun, on any thread: those that are on their way to the loop count.
///
/// The end of the senders is seen on the loop at once, and may overtake a write that was made before it.
@usableFromInline
final class BegunWrites: Sendable {
    // Relaxed: a write is begun before its bridge is released, and the loop looks after it has seen that.
    private let number = Atomic<Int>(0)

    @usableFromInline
    init() {}

    @usableFromInline
    func begin() { self.number.add(1, ordering: .relaxed) }

    var total: Int { self.number.load(ordering: .relaxed) }
}
#endif
