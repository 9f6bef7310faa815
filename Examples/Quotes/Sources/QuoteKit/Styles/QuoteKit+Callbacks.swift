// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

extension QuoteKit {
    /// Asks, and gives the decoded answer to a completion handler: see ``QuoteClient/execute(with:completion:)``.
    @discardableResult
    public static func execute<Model: Decodable & Sendable>(
        with endpoint: QuotableEndpoint,
        @_inheritActorContext completion: @escaping QuoteCompletion<Model>
    ) -> CallHandle {
        self.client.execute(with: endpoint, completion: completion)
    }

    /// Fetches some quotation, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public static func randomQuote(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil,
        @_inheritActorContext completion: @escaping QuoteCompletion<Quote>
    ) -> CallHandle {
        self.client.randomQuote(
            minLength: minLength,
            maxLength: maxLength,
            tags: tags,
            type: type,
            authors: authors,
            completion: completion
        )
    }

    /// Fetches a page of quotations, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public static func quotes(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil,
        sortBy key: QuotesSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1,
        @_inheritActorContext completion: @escaping QuoteCompletion<Quotes>
    ) -> CallHandle {
        self.client.quotes(
            minLength: minLength,
            maxLength: maxLength,
            tags: tags,
            type: type,
            authors: authors,
            sortBy: key,
            order: order,
            limit: limit,
            page: page,
            completion: completion
        )
    }

    /// Fetches the quotation with an id, for a completion handler.
    ///
    /// The value is never nil: an unknown id is an error.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public static func quote(
        id: String,
        @_inheritActorContext completion: @escaping QuoteCompletion<Quote?>
    ) -> CallHandle {
        self.client.quote(id: id, completion: completion)
    }

    /// Fetches a page of authors, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public static func authors(
        slugs: [String]? = nil,
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1,
        @_inheritActorContext completion: @escaping QuoteCompletion<Authors>
    ) -> CallHandle {
        self.client.authors(
            slugs: slugs,
            sortBy: key,
            order: order,
            limit: limit,
            page: page,
            completion: completion
        )
    }

    /// Fetches the author with an id, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public static func author(
        id: String,
        @_inheritActorContext completion: @escaping QuoteCompletion<Author>
    ) -> CallHandle {
        self.client.author(id: id, completion: completion)
    }

    /// Fetches all tags, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public static func tags(
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        @_inheritActorContext completion: @escaping QuoteCompletion<Tags>
    ) -> CallHandle {
        self.client.tags(sortBy: key, order: order, completion: completion)
    }

    /// Fetches a page of quotations that fit words, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public static func searchQuotes(
        for query: String,
        limit: Int = 20,
        page: Int = 1,
        @_inheritActorContext completion: @escaping QuoteCompletion<Quotes>
    ) -> CallHandle {
        self.client.searchQuotes(for: query, limit: limit, page: page, completion: completion)
    }

    /// Fetches a page of authors whose names fit words, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public static func searchAuthors(
        for query: String,
        limit: Int = 20,
        page: Int = 1,
        @_inheritActorContext completion: @escaping QuoteCompletion<Authors>
    ) -> CallHandle {
        self.client.searchAuthors(for: query, limit: limit, page: page, completion: completion)
    }
}
