// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Coroutines

// The third style: a future. Parameters and errors are those of the async forms.

extension QuoteClient {
    /// Asks, and makes a future of the decoded answer.
    ///
    /// ## Cancellation
    /// Cancelling the future cancels the call.
    ///
    /// - Parameter endpoint: The question.
    /// - Returns: The future, whose request is on its way. It fails with ``QuoteFetchError`` or `CancellationError`.
    public func executeFuture<Model: Decodable & Sendable>(with endpoint: QuotableEndpoint) -> CoFuture<Model> {
        CoFuture { try await self.execute(with: endpoint) }
    }

    /// Fetches some quotation, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public func randomQuoteFuture(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil
    ) -> CoFuture<Quote> {
        self.executeFuture(with: .randomQuote(minLength, maxLength, tags, type, authors))
    }

    /// Fetches a page of quotations, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public func quotesFuture(
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
        self.executeFuture(
            with: .quotes(minLength, maxLength, tags, type, authors, key, order).page(page, limit: limit)
        )
    }

    /// Fetches the quotation with an id, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public func quoteFuture(id: String) -> CoFuture<Quote> {
        self.executeFuture(with: QuotableEndpoint(.quote(id)))
    }

    /// Fetches a page of authors, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public func authorsFuture(
        slugs: [String]? = nil,
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1
    ) -> CoFuture<Authors> {
        self.executeFuture(with: .authors(slugs, key, order).page(page, limit: limit))
    }

    /// Fetches the author with an id, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public func authorFuture(id: String) -> CoFuture<Author> {
        self.executeFuture(with: QuotableEndpoint(.author(id)))
    }

    /// Fetches all tags, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public func tagsFuture(
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil
    ) -> CoFuture<Tags> {
        self.executeFuture(with: .tags(key, order))
    }

    /// Fetches a page of quotations that fit words, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public func searchQuotesFuture(for query: String, limit: Int = 20, page: Int = 1) -> CoFuture<Quotes> {
        self.executeFuture(with: .searchQuotes(query).page(page, limit: limit))
    }

    /// Fetches a page of authors whose names fit words, as a future.
    ///
    /// - Returns: The future, whose request is on its way.
    public func searchAuthorsFuture(for query: String, limit: Int = 20, page: Int = 1) -> CoFuture<Authors> {
        self.executeFuture(with: .searchAuthors(query).page(page, limit: limit))
    }
}
