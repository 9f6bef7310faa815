// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoChannel: AsyncSequence {
    /// Receives, one element after the other, until the channel has ended.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let storage: ChannelStorage<Element>
        // So that the channel does not end while somebody iterates over it.
        private let handle: AnyObject

        init(_ storage: ChannelStorage<Element>, keeping handle: AnyObject) {
            self.storage = storage
            self.handle = handle
        }

        /// Receives the next element.
        ///
        /// - Returns: The element; nothing if the channel was closed.
        /// - Throws: ``CoChannelError/senderDropped(_:)``; `CancellationError` if the task or the channel was cancelled.
        /// - Complexity: O(1) amortised.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> sending Element? {
            try await self.storage.receiveNext()
        }

        /// Receives the next element.
        ///
        /// - Returns: The element; nothing if the channel was closed.
        /// - Throws: ``CoChannelError/senderDropped(_:)``; `CancellationError` if the task or the channel was cancelled.
        /// - Complexity: O(1) amortised.
        @inlinable
        public nonisolated(nonsending) mutating func next() async throws -> sending Element? {
            try await self.storage.receiveNext()
        }
    }

    /// Makes an iterator; several share the elements between them.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self.storage, keeping: self) }
}
