// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines

/// The items of a list, from its first page to its last, each page fetched when it is needed.
///
/// ```swift
/// for try await quote in client.allQuotes(tags: ["love"]) { print(quote.content) }
/// ```
///
/// Each iterator begins anew. Nothing is fetched before its first `next()`, and nothing after it has gone.
///
/// ## Cancellation
/// `next()` throws `CancellationError` at once, and the requests under way are cancelled.
///
/// ## Errors
/// `next()` throws ``QuoteFetchError`` once, and answers nil from then on. A page other than the one that was asked for
/// is one.
public struct PagedItems<Item: Codable & Hashable & Sendable>: AsyncSequence, Sendable {
    /// What is iterated over.
    public typealias Element = Item
    /// What `next()` throws.
    public typealias Failure = any Error

    let client: QuoteClient
    let endpoint: QuotableEndpoint
    let pageSize: Int
    let prefetching: Int

    /// Makes an iterator, which has fetched nothing yet.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(Pages(self)) }

    /// One walk through the list.
    ///
    /// Copies share their place.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let pages: Pages<Item>

        init(_ pages: Pages<Item>) { self.pages = pages }

        /// Gives the next item, from the page that is here or from the next one.
        ///
        /// Cancellation: throws at once.
        ///
        /// Isolation: the caller's actor.
        ///
        /// - Returns: The item, or nil at the end.
        /// - Throws: ``QuoteFetchError``; `CancellationError`.
        /// - Complexity: O(1), and a request for each page.
        public mutating func next() async throws -> Item? { try await self.pages.next() }

        /// Gives the next item, on an actor.
        ///
        /// - Parameter actor: The caller's.
        /// - Returns: The item, or nil at the end.
        /// - Throws: ``QuoteFetchError``; `CancellationError`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Item? {
            try await self.pages.next()
        }
    }
}

@available(*, unavailable)
extension PagedItems.AsyncIterator: Sendable {}
