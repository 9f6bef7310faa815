// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Coroutines

extension QuoteKit {
    /// Asks, and makes a future of the decoded answer: see ``QuoteClient/executeFuture(with:)``.
    public static func executeFuture<Model: Decodable & Sendable>(with endpoint: QuotableEndpoint) -> CoFuture<Model> {
        self.client.executeFuture(with: endpoint)
    }

    /// Fetches some quotation, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public static func randomQuoteFuture(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil
    ) -> CoFuture<Quote> {
        self.client.randomQuoteFuture(
            minLength: minLength,
            maxLength: maxLength,
            tags: tags,
            type: type,
            authors: authors
        )
    }

    /// Fetches a page of quotations, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public static func quotesFuture(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil,
        sortBy key: QuotesSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1
    ) -> CoFuture<Quotes> {
        self.client.quotesFuture(
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

    /// Fetches the quotation with an id, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public static func quoteFuture(id: String) -> CoFuture<Quote> {
        self.client.quoteFuture(id: id)
    }

    /// Fetches a page of authors, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public static func authorsFuture(
        slugs: [String]? = nil,
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1
    ) -> CoFuture<Authors> {
        self.client.authorsFuture(slugs: slugs, sortBy: key, order: order, limit: limit, page: page)
    }

    /// Fetches the author with an id, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public static func authorFuture(id: String) -> CoFuture<Author> {
        self.client.authorFuture(id: id)
    }

    /// Fetches all tags, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public static func tagsFuture(
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil
    ) -> CoFuture<Tags> {
        self.client.tagsFuture(sortBy: key, order: order)
    }

    /// Fetches a page of quotations that fit words, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public static func searchQuotesFuture(for query: String, limit: Int = 20, page: Int = 1) -> CoFuture<Quotes> {
        self.client.searchQuotesFuture(for: query, limit: limit, page: page)
    }

    /// Fetches a page of authors whose names fit words, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public static func searchAuthorsFuture(for query: String, limit: Int = 20, page: Int = 1) -> CoFuture<Authors> {
        self.client.searchAuthorsFuture(for: query, limit: limit, page: page)
    }
}
