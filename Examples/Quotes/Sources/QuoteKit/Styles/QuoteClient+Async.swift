// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The first style: await it.

extension QuoteClient {
    /// Fetches some quotation.
    ///
    /// Cancellation: ends the call at once.
    ///
    /// - Parameters:
    ///   - minLength: The minimum number of characters.
    ///   - maxLength: The maximum number of characters.
    ///   - tags: Names or slugs of tags.
    ///   - type: Whether all of the tags are wanted, or any.
    ///   - authors: Names or slugs of authors, any of whom will do.
    /// - Returns: The quotation. None that fits is a status of 404.
    /// - Throws: ``QuoteFetchError``; `CancellationError`.
    public func randomQuote(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil
    ) async throws -> Quote {
        try await self.execute(with: .randomQuote(minLength, maxLength, tags, type, authors))
    }

    /// Fetches a page of quotations.
    ///
    /// Cancellation: ends the call at once.
    ///
    /// - Parameters:
    ///   - minLength: The minimum number of characters.
    ///   - maxLength: The maximum number of characters.
    ///   - tags: Names or slugs of tags.
    ///   - type: Whether all of the tags are wanted, or any.
    ///   - authors: Names or slugs of authors, any of whom will do.
    ///   - key: By what they are sorted; nil leaves it to the server.
    ///   - order: Which end comes first; nil leaves it to the server.
    ///   - limit: So many on a page; 150 and no more.
    ///   - page: Which page, from one.
    /// - Returns: The page, which is empty past the end.
    /// - Throws: ``QuoteFetchError``; `CancellationError`.
    public func quotes(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil,
        sortBy key: QuotesSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1
    ) async throws -> Quotes {
        try await self.execute(
            with: .quotes(minLength, maxLength, tags, type, authors, key, order).page(page, limit: limit)
        )
    }

    /// Fetches the quotation with an id.
    ///
    /// Cancellation: ends the call at once.
    ///
    /// - Parameter id: What the server knows it by.
    /// - Returns: The quotation. An unknown id is a status of 404.
    /// - Throws: ``QuoteFetchError``; `CancellationError`.
    public func quote(id: String) async throws -> Quote {
        try await self.execute(with: QuotableEndpoint(.quote(id)))
    }

    /// Fetches a page of authors.
    ///
    /// Cancellation: ends the call at once.
    ///
    /// - Parameters:
    ///   - slugs: Slugs of authors; nil is everybody.
    ///   - key: By what they are sorted; nil leaves it to the server.
    ///   - order: Which end comes first; nil leaves it to the server.
    ///   - limit: So many on a page; 150 and no more.
    ///   - page: Which page, from one.
    /// - Returns: The page, which is empty past the end.
    /// - Throws: ``QuoteFetchError``; `CancellationError`.
    public func authors(
        slugs: [String]? = nil,
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1
    ) async throws -> Authors {
        try await self.execute(with: .authors(slugs, key, order).page(page, limit: limit))
    }

    /// Fetches the author with an id.
    ///
    /// Cancellation: ends the call at once.
    ///
    /// - Parameter id: What the server knows them by.
    /// - Returns: The author, with all quotations. An unknown id is a status of 404.
    /// - Throws: ``QuoteFetchError``; `CancellationError`.
    public func author(id: String) async throws -> Author {
        try await self.execute(with: QuotableEndpoint(.author(id)))
    }

    /// Fetches all tags.
    ///
    /// Cancellation: ends the call at once.
    ///
    /// - Parameters:
    ///   - key: By what they are sorted; nil leaves it to the server.
    ///   - order: Which end comes first; nil leaves it to the server.
    /// - Returns: The tags.
    /// - Throws: ``QuoteFetchError``; `CancellationError`.
    public func tags(
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil
    ) async throws -> Tags {
        try await self.execute(with: .tags(key, order))
    }

    /// Fetches a page of quotations that fit words.
    ///
    /// Cancellation: ends the call at once.
    ///
    /// - Parameters:
    ///   - query: Words; in quotation marks, these very words.
    ///   - limit: So many on a page; 150 and no more.
    ///   - page: Which page, from one.
    /// - Returns: The page, the best fit first.
    /// - Throws: ``QuoteFetchError``; `CancellationError`.
    public func searchQuotes(for query: String, limit: Int = 20, page: Int = 1) async throws -> Quotes {
        try await self.execute(with: .searchQuotes(query).page(page, limit: limit))
    }

    /// Fetches a page of authors whose names fit words.
    ///
    /// Cancellation: ends the call at once.
    ///
    /// - Parameters:
    ///   - query: A name, or the beginning of one.
    ///   - limit: So many on a page; 150 and no more.
    ///   - page: Which page, from one.
    /// - Returns: The page, the best fit first.
    /// - Throws: ``QuoteFetchError``; `CancellationError`.
    public func searchAuthors(for query: String, limit: Int = 20, page: Int = 1) async throws -> Authors {
        try await self.execute(with: .searchAuthors(query).page(page, limit: limit))
    }
}
