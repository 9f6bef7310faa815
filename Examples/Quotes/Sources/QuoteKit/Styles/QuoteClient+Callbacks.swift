// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// Gets the result of a call, once.
public typealias QuoteCompletion<Value> = @Sendable @isolated(any) (Result<Value, any Error>) -> Void

// The second style: a completion handler. Parameters and errors are those of the async forms.

extension QuoteClient {
    /// Asks, and gives the decoded answer to a completion handler.
    ///
    /// ## Exactly one call
    /// The completion is called once, on every path, with ``QuoteFetchError`` or `CancellationError` if there is no
    /// answer.
    ///
    /// ## Cancellation
    /// By the handle; dropping it cancels nothing.
    ///
    /// ## Isolation
    /// The completion runs where it was written: on the caller's actor, if there is one.
    ///
    /// - Parameters:
    ///   - endpoint: The question.
    ///   - completion: Gets the answer.
    /// - Returns: A handle to cancel with.
    @discardableResult
    public func execute<Model: Decodable & Sendable>(
        with endpoint: QuotableEndpoint,
        @_inheritActorContext completion: @escaping QuoteCompletion<Model>
    ) -> CallHandle {
        callAsync({ try await self.execute(with: endpoint) }, completion: completion)
    }

    /// Fetches some quotation, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public func randomQuote(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil,
        @_inheritActorContext completion: @escaping QuoteCompletion<Quote>
    ) -> CallHandle {
        self.execute(with: .randomQuote(minLength, maxLength, tags, type, authors), completion: completion)
    }

    /// Fetches a page of quotations, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public func quotes(
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
        self.execute(
            with: .quotes(minLength, maxLength, tags, type, authors, key, order).page(page, limit: limit),
            completion: completion
        )
    }

    /// Fetches the quotation with an id, for a completion handler.
    ///
    /// The value is never nil: an unknown id is an error.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public func quote(
        id: String,
        @_inheritActorContext completion: @escaping QuoteCompletion<Quote?>
    ) -> CallHandle {
        self.execute(with: QuotableEndpoint(.quote(id)), completion: completion)
    }

    /// Fetches a page of authors, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public func authors(
        slugs: [String]? = nil,
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1,
        @_inheritActorContext completion: @escaping QuoteCompletion<Authors>
    ) -> CallHandle {
        self.execute(with: .authors(slugs, key, order).page(page, limit: limit), completion: completion)
    }

    /// Fetches the author with an id, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public func author(
        id: String,
        @_inheritActorContext completion: @escaping QuoteCompletion<Author>
    ) -> CallHandle {
        self.execute(with: QuotableEndpoint(.author(id)), completion: completion)
    }

    /// Fetches all tags, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public func tags(
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        @_inheritActorContext completion: @escaping QuoteCompletion<Tags>
    ) -> CallHandle {
        self.execute(with: .tags(key, order), completion: completion)
    }

    /// Fetches a page of quotations that fit words, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public func searchQuotes(
        for query: String,
        limit: Int = 20,
        page: Int = 1,
        @_inheritActorContext completion: @escaping QuoteCompletion<Quotes>
    ) -> CallHandle {
        self.execute(with: .searchQuotes(query).page(page, limit: limit), completion: completion)
    }

    /// Fetches a page of authors whose names fit words, for a completion handler.
    ///
    /// - Returns: A handle to cancel with.
    @discardableResult
    public func searchAuthors(
        for query: String,
        limit: Int = 20,
        page: Int = 1,
        @_inheritActorContext completion: @escaping QuoteCompletion<Authors>
    ) -> CallHandle {
        self.execute(with: .searchAuthors(query).page(page, limit: limit), completion: completion)
    }
}
