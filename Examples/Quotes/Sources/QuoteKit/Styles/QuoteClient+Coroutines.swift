// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines

// The fourth style: synchronous code in a coroutine. Parameters are those of the async forms.

extension QuoteClient {
    /// Asks, in a coroutine, and waits for the decoded answer without blocking the thread.
    ///
    /// ## Cancellation
    /// Cancelling the coroutine ends the call at once.
    ///
    /// - Parameter endpoint: The question.
    /// - Returns: The answer.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await execute(with:)` in async code")
    public func awaitExecute<Model: Decodable & Sendable>(with endpoint: QuotableEndpoint) throws -> Model {
        try Coroutine.await { try await self.execute(with: endpoint) }
    }

    /// Fetches some quotation, in a coroutine.
    ///
    /// - Returns: The quotation. None that fits is a status of 404.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await randomQuote` in async code")
    public func awaitRandomQuote(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil
    ) throws -> Quote {
        try self.awaitExecute(with: .randomQuote(minLength, maxLength, tags, type, authors))
    }

    /// Fetches a page of quotations, in a coroutine.
    ///
    /// - Returns: The page, which is empty past the end.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await quotes` in async code")
    public func awaitQuotes(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil,
        sortBy key: QuotesSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1
    ) throws -> Quotes {
        try self.awaitExecute(
            with: .quotes(minLength, maxLength, tags, type, authors, key, order).page(page, limit: limit)
        )
    }

    /// Fetches the quotation with an id, in a coroutine.
    ///
    /// - Returns: The quotation. An unknown id is a status of 404.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await quote` in async code")
    public func awaitQuote(id: String) throws -> Quote {
        try self.awaitExecute(with: QuotableEndpoint(.quote(id)))
    }

    /// Fetches a page of authors, in a coroutine.
    ///
    /// - Returns: The page, which is empty past the end.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await authors` in async code")
    public func awaitAuthors(
        slugs: [String]? = nil,
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1
    ) throws -> Authors {
        try self.awaitExecute(with: .authors(slugs, key, order).page(page, limit: limit))
    }

    /// Fetches the author with an id, in a coroutine.
    ///
    /// - Returns: The author, with all quotations. An unknown id is a status of 404.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await author` in async code")
    public func awaitAuthor(id: String) throws -> Author {
        try self.awaitExecute(with: QuotableEndpoint(.author(id)))
    }

    /// Fetches all tags, in a coroutine.
    ///
    /// - Returns: The tags.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await tags` in async code")
    public func awaitTags(
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil
    ) throws -> Tags {
        try self.awaitExecute(with: .tags(key, order))
    }

    /// Fetches a page of quotations that fit words, in a coroutine.
    ///
    /// - Returns: The page, the best fit first.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await searchQuotes` in async code")
    public func awaitSearchQuotes(for query: String, limit: Int = 20, page: Int = 1) throws -> Quotes {
        try self.awaitExecute(with: .searchQuotes(query).page(page, limit: limit))
    }

    /// Fetches a page of authors whose names fit words, in a coroutine.
    ///
    /// - Returns: The page, the best fit first.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await searchAuthors` in async code")
    public func awaitSearchAuthors(for query: String, limit: Int = 20, page: Int = 1) throws -> Authors {
        try self.awaitExecute(with: .searchAuthors(query).page(page, limit: limit))
    }
}
