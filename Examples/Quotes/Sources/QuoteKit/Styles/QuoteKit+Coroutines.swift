// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension QuoteKit {
    /// Asks, in a coroutine: see ``QuoteClient/awaitExecute(with:)``.
    @available(*, noasync, message: "Write `try await execute(with:)` in async code")
    public static func awaitExecute<Model: Decodable & Sendable>(with endpoint: QuotableEndpoint) throws -> Model {
        try self.client.awaitExecute(with: endpoint)
    }

    /// Fetches some quotation, in a coroutine.
    ///
    /// - Returns: The quotation. None that fits is a status of 404.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await randomQuote` in async code")
    public static func awaitRandomQuote(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil
    ) throws -> Quote {
        try self.client.awaitRandomQuote(
            minLength: minLength,
            maxLength: maxLength,
            tags: tags,
            type: type,
            authors: authors
        )
    }

    /// Fetches a page of quotations, in a coroutine.
    ///
    /// - Returns: The page, which is empty past the end.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await quotes` in async code")
    public static func awaitQuotes(
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
        try self.client.awaitQuotes(
            minLength: minLength,
            maxLength: maxLength,
            tags: tags,
            type: type,
            authors: authors,
            sortBy: key,
            order: order,
            limit: limit,
            page: page
        )
    }

    /// Fetches the quotation with an id, in a coroutine.
    ///
    /// - Returns: The quotation. An unknown id is a status of 404.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await quote` in async code")
    public static func awaitQuote(id: String) throws -> Quote {
        try self.client.awaitQuote(id: id)
    }

    /// Fetches a page of authors, in a coroutine.
    ///
    /// - Returns: The page, which is empty past the end.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await authors` in async code")
    public static func awaitAuthors(
        slugs: [String]? = nil,
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1
    ) throws -> Authors {
        try self.client.awaitAuthors(slugs: slugs, sortBy: key, order: order, limit: limit, page: page)
    }

    /// Fetches the author with an id, in a coroutine.
    ///
    /// - Returns: The author, with all quotations. An unknown id is a status of 404.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await author` in async code")
    public static func awaitAuthor(id: String) throws -> Author {
        try self.client.awaitAuthor(id: id)
    }

    /// Fetches all tags, in a coroutine.
    ///
    /// - Returns: The tags.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await tags` in async code")
    public static func awaitTags(
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil
    ) throws -> Tags {
        try self.client.awaitTags(sortBy: key, order: order)
    }

    /// Fetches a page of quotations that fit words, in a coroutine.
    ///
    /// - Returns: The page, the best fit first.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await searchQuotes` in async code")
    public static func awaitSearchQuotes(for query: String, limit: Int = 20, page: Int = 1) throws -> Quotes {
        try self.client.awaitSearchQuotes(for: query, limit: limit, page: page)
    }

    /// Fetches a page of authors whose names fit words, in a coroutine.
    ///
    /// - Returns: The page, the best fit first.
    /// - Throws: ``QuoteFetchError``; `CancellationError`; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await searchAuthors` in async code")
    public static func awaitSearchAuthors(for query: String, limit: Int = 20, page: Int = 1) throws -> Authors {
        try self.client.awaitSearchAuthors(for: query, limit: limit, page: page)
    }
}
