// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// The bytes of a body.
///
/// For one consumer; a second one gets `BridgeFault.Code.secondConsumer`. Dropping it ends the transfer.
public struct TransferBytes: AsyncSequence, Sendable {
    /// A byte.
    public typealias Element = UInt8

    /// The type of the transfer's errors.
    public typealias Failure = any Error

    private let chunks: TransferChunks

    init(_ chunks: TransferChunks) { self.chunks = chunks }

    /// Starts reading.
    ///
    /// - Returns: An iterator; dropping it ends the transfer.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: self.chunks.makeAsyncIterator()) }

    /// The reading of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var chunks: TransferChunks.AsyncIterator
        private var rest = Data().makeIterator()

        init(chunks: TransferChunks.AsyncIterator) { self.chunks = chunks }

        /// The next byte, waiting for it if necessary.
        ///
        /// ## Cancellation
        /// Ends the transfer and throws `CancellationError`, after the rest of the current piece.
        ///
        /// - Returns: The byte, or `nil` at the end.
        /// - Throws: The transfer's error, once.
        /// - Complexity: O(1) amortised.
        public nonisolated(nonsending) mutating func next() async throws -> UInt8? {
            while true {
                if let byte = self.rest.next() { return byte }
                guard let chunk = try await self.chunks.next() else { return nil }
                self.rest = chunk.makeIterator()
            }
        }

        /// The next byte, waiting for it if necessary, on a given actor.
        ///
        /// ## Cancellation
        /// Ends the transfer and throws `CancellationError`, after the rest of the current piece.
        ///
        /// - Parameter actor: The actor on which the caller runs.
        /// - Returns: The byte, or `nil` at the end.
        /// - Throws: The transfer's error, once.
        /// - Complexity: O(1) amortised.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> UInt8? {
            try await self.next()
        }
    }
}
