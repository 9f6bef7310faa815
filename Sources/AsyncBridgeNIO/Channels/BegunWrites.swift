// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import Synchronization

/// Numbers single writes, on any thread: those that are on their way to the loop count.
///
/// The end of the senders is seen on the loop at once, and may overtake a write that was made before it. Who has a
/// number up to that of the end is still written.
@usableFromInline
final class BegunWrites: Sendable {
    // Relaxed: a write is begun before its bridge is released, and the number is read by who has seen that.
    private let number = Atomic<Int>(0)

    @usableFromInline
    init() {}

    /// - Returns: The number of the write, from 1 on.
    @usableFromInline
    func begin() -> Int { self.number.add(1, ordering: .relaxed).newValue }

    var total: Int { self.number.load(ordering: .relaxed) }
}
#endif
