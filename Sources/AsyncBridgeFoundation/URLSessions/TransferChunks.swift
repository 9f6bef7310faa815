// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
public import Foundation

/// The pieces of a body, in the sizes in which they arrive.
///
/// For one consumer; a second one gets `BridgeFault.Code.secondConsumer`. Dropping it ends the transfer.
public struct TransferChunks: AsyncSequence, Sendable {
    /// A piece.
    public typealias Element = Data

    /// The type of the transfer's errors.
    public typealias Failure = any Error

    private let base: CallbackSequence<Data, any Error>

    init(_ base: CallbackSequence<Data, any Error>) { self.base = base }

    /// Starts reading.
    ///
    /// - Returns: An iterator; dropping it ends the transfer.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: self.base.makeAsyncIterator()) }

    /// The reading of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: CallbackSequence<Data, any Error>.AsyncIterator

        /// The next piece, waiting for it if necessary.
        ///
        /// ## Cancellation
        /// Ends the transfer and throws `CancellationError`.
        ///
        /// - Returns: The piece, or `nil` at the end.
        /// - Throws: The transfer's error, once.
        /// - Complexity: O(1).
        public nonisolated(nonsending) mutating func next() async throws -> Data? { try await self.base.next() }

        /// The next piece, waiting for it if necessary, on a given actor.
        ///
        /// ## Cancellation
        /// Ends the transfer and throws `CancellationError`.
        ///
        /// - Parameter actor: The actor on which the caller runs.
        /// - Returns: The piece, or `nil` at the end.
        /// - Throws: The transfer's error, once.
        /// - Complexity: O(1).
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            try await self.base.next()
        }
    }
}
