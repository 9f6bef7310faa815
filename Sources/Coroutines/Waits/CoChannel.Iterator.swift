// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoChannel {
    /// The elements still to come, for a loop in a coroutine; outside a coroutine, only those available now.
    ///
    /// It counts as a receiver: as long as it lives, senders do not get the error that all receivers were released.
    ///
    /// Isolation: may be used by one coroutine or thread at a time; several iterators share the elements between them.
    public struct Iterator: IteratorProtocol, Sequence {
        @usableFromInline let receiver: Receiver

        @usableFromInline
        init(_ receiver: Receiver) { self.receiver = receiver }

        /// Receives the next element, in a coroutine, which is suspended while there is none.
        ///
        /// - Returns: The element; `nil` if the channel has ended, or if a wait cannot begin: outside a coroutine, or
        ///   in a cancelled one.
        /// - Complexity: O(1) amortised.
        @inlinable
        public func next() -> Element? { try? self.receiver.awaitReceive() }
    }
}
