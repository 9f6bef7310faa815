// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoChannel {
    /// The elements to come, for a loop in a coroutine; outside a coroutine those that are there.
    ///
    /// It is a receiver: as long as it lives, those who send are not told that nobody is left who could receive.
    ///
    /// Isolation: may be used by one coroutine or thread at a time; several iterators share the elements between them.
    public struct Iterator: IteratorProtocol, Sequence {
        @usableFromInline let receiver: Receiver

        @usableFromInline
        init(_ receiver: Receiver) { self.receiver = receiver }

        /// Receives the next element, in a coroutine, which is suspended while there is none.
        ///
        /// - Returns: The element; nothing if the channel has ended, or where a wait cannot begin: outside a coroutine,
        ///   and in one that is cancelled.
        /// - Complexity: O(1) amortised.
        @inlinable
        public func next() -> Element? { try? self.receiver.awaitReceive() }
    }
}
