// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

extension CoChannel: AsyncSequence {
    /// Receives elements, one after another, until the channel has ended.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let storage: ChannelStorage<Element>
        // A receiver like any other. Not the channel itself: that counts as a sender too, and the loop would wait for
        // it forever.
        @usableFromInline let receiver: Receiver
        /// Whether it has thrown: then it has no more elements.
        @usableFromInline var isOver = false

        init(_ storage: ChannelStorage<Element>) {
            self.storage = storage
            self.receiver = Receiver(storage)
        }

        /// Receives the next element.
        ///
        /// ## Cancellation
        /// Ends the iteration, even if there are elements: they stay in the channel. If the channel has already ended,
        /// and nothing is left in it, its own end comes instead.
        ///
        /// - Returns: The element; `nil` if the channel was closed, and after an error.
        /// - Throws: ``CoChannelError/senderDropped(_:)``; the error of ``CoChannel/close(throwing:)``;
        ///   `CancellationError` if the task or the channel was cancelled.
        /// - Complexity: O(1) amortised.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> sending Element? {
            defer { withExtendedLifetime(self.receiver) {} }
            if self.isOver { return nil }
            if CurrentTask.isCancelled, !self.receiver.isExhausted {
                self.isOver = true
                throw CancellationError()
            }
            // An available element needs no call of an async function, which costs more than the rest.
            if let element = self.storage.poll() { return element }
            do { return try await self.storage.receiveNext() } catch {
                self.isOver = true
                throw error
            }
        }

        /// Receives the next element.
        ///
        /// ## Cancellation
        /// Ends the iteration, even if there are elements: they stay in the channel. If the channel has already ended,
        /// and nothing is left in it, its own end comes instead.
        ///
        /// - Returns: The element; `nil` if the channel was closed, and after an error.
        /// - Throws: ``CoChannelError/senderDropped(_:)``; the error of ``CoChannel/close(throwing:)``;
        ///   `CancellationError` if the task or the channel was cancelled.
        /// - Complexity: O(1) amortised.
        @inlinable
        public nonisolated(nonsending) mutating func next() async throws -> sending Element? {
            defer { withExtendedLifetime(self.receiver) {} }
            if self.isOver { return nil }
            if CurrentTask.isCancelled, !self.receiver.isExhausted {
                self.isOver = true
                throw CancellationError()
            }
            // An available element needs no call of an async function, which costs more than the rest.
            if let element = self.storage.poll() { return element }
            do { return try await self.storage.receiveNext() } catch {
                self.isOver = true
                throw error
            }
        }
    }

    /// Makes an iterator; several iterators share the elements between them.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self.storage) }
}
