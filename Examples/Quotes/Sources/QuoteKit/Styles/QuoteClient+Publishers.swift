// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridgeCombine

// The sixth style: a publisher. Parameters and errors are those of the async forms. Whole lists need no form here:
// `allQuotes().publisher()` is one.

extension QuoteClient {
    /// Makes a publisher that asks anew for each subscriber, and sends the decoded answer.
    ///
    /// ## Cancellation
    /// Cancelling the subscription cancels the call.
    ///
    /// - Parameter endpoint: The question.
    /// - Returns: The publisher, which has asked for nothing yet. It fails with ``QuoteFetchError`` or
    ///   `CancellationError`.
    public func executePublisher<Model: Decodable & Sendable>(
        with endpoint: QuotableEndpoint
    ) -> TaskPublisher<Model, any Error> {
        TaskPublisher { try await self.execute(with: endpoint) }
    }

    /// Fetches some quotation for each subscriber.
    ///
    /// - Returns: The publisher, which has asked for nothing yet.
    public func randomQuotePublisher(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil
    ) -> TaskPublisher<Quote, any Error> {
        self.executePublisher(with: .randomQuote(minLength, maxLength, tags, type, authors))
    }

    /// Fetches a page of quotations for each subscriber.
    ///
    /// - Returns: The publisher, which has asked for nothing yet.
    public func quotesPublisher(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil,
        sortBy key: QuotesSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1
    ) -> TaskPublisher<Quotes, any Error> {
        self.executePublisher(
            with: .quotes(minLength, maxLength, tags, type, authors, key, order).page(page, limit: limit)
        )
    }

    /// Fetches the quotation with an id for each subscriber.
    ///
    /// - Returns: The publisher, which has asked for nothing yet.
    public func quotePublisher(id: String) -> TaskPublisher<Quote, any Error> {
        self.executePublisher(with: QuotableEndpoint(.quote(id)))
    }

    /// Fetches a page of authors for each subscriber.
    ///
    /// - Returns: The publisher, which has asked for nothing yet.
    public func authorsPublisher(
        slugs: [String]? = nil,
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1
    ) -> TaskPublisher<Authors, any Error> {
        self.executePublisher(with: .authors(slugs, key, order).page(page, limit: limit))
    }

    /// Fetches the author with an id for each subscriber.
    ///
    /// - Returns: The publisher, which has asked for nothing yet.
    public func authorPublisher(id: String) -> TaskPublisher<Author, any Error> {
        self.executePublisher(with: QuotableEndpoint(.author(id)))
    }

    /// Fetches all tags for each subscriber.
    ///
    /// - Returns: The publisher, which has asked for nothing yet.
    public func tagsPublisher(
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil
    ) -> TaskPublisher<Tags, any Error> {
        self.executePublisher(with: .tags(key, order))
    }

    /// Fetches a page of quotations that fit words, for each subscriber.
    ///
    /// - Returns: The publisher, which has asked for nothing yet.
    public func searchQuotesPublisher(
        for query: String,
        limit: Int = 20,
        page: Int = 1
    ) -> TaskPublisher<Quotes, any Error> {
        self.executePublisher(with: .searchQuotes(query).page(page, limit: limit))
    }

    /// Fetches a page of authors whose names fit words, for each subscriber.
    ///
    /// - Returns: The publisher, which has asked for nothing yet.
    public func searchAuthorsPublisher(
        for query: String,
        limit: Int = 20,
        page: Int = 1
    ) -> TaskPublisher<Authors, any Error> {
        self.executePublisher(with: .searchAuthors(query).page(page, limit: limit))
    }
}
