// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// The lines of a body, without their ends.
///
/// A line ends with LF or CR LF, or with the body; empty ones count. Invalid UTF-8 is repaired. For one consumer; a
/// second one gets `BridgeFault.Code.secondConsumer`. Dropping it ends the transfer.
public struct TransferLines: AsyncSequence, Sendable {
    /// A line.
    public typealias Element = String

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
        private var splitter = LineSplitter()

        init(chunks: TransferChunks.AsyncIterator) { self.chunks = chunks }

        /// The next line, waiting for it if necessary.
        ///
        /// ## Cancellation
        /// Ends the transfer and throws `CancellationError`, after the lines that have already arrived.
        ///
        /// - Returns: The line, or `nil` at the end.
        /// - Throws: The transfer's error, once; an incomplete line is then lost.
        /// - Complexity: O(*n*) in the size of the line and of the piece in which it came.
        public nonisolated(nonsending) mutating func next() async throws -> String? {
            while true {
                if let line = self.splitter.line() { return line }
                let chunk: Data?
                do { chunk = try await self.chunks.next() } catch {
                    // An incomplete line is not a line.
                    self.splitter = LineSplitter()
                    throw error
                }
                guard let chunk else { return self.splitter.rest() }
                self.splitter.append(chunk)
            }
        }

        /// The next line, waiting for it if necessary, on a given actor.
        ///
        /// ## Cancellation
        /// Ends the transfer and throws `CancellationError`, after the lines that have already arrived.
        ///
        /// - Parameter actor: The actor on which the caller runs.
        /// - Returns: The line, or `nil` at the end.
        /// - Throws: The transfer's error, once; an incomplete line is then lost.
        /// - Complexity: O(*n*) in the size of the line and of the piece in which it came.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> String? {
            try await self.next()
        }
    }
}
