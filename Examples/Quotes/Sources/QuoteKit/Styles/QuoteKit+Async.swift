// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

extension QuoteKit {
    /// Asks, and decodes the answer: see ``QuoteClient/execute(with:)``.
    public static func execute<Model: Decodable & Sendable>(with endpoint: QuotableEndpoint) async throws -> Model {
        try await self.client.execute(with: endpoint)
    }

    /// Fetches some quotation: see ``QuoteClient``'s function of this name.
    public static func randomQuote(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil
    ) async throws -> Quote {
        try await self.client.randomQuote(
            minLength: minLength,
            maxLength: maxLength,
            tags: tags,
            type: type,
            authors: authors
        )
    }

    /// Fetches a page of quotations: see ``QuoteClient``'s function of this name.
    public static func quotes(
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
        try await self.client.quotes(
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

    /// Fetches the quotation with an id: see ``QuoteClient``'s function of this name.
    public static func quote(id: String) async throws -> Quote {
        try await self.client.quote(id: id)
    }

    /// Fetches a page of authors: see ``QuoteClient``'s function of this name.
    public static func authors(
        slugs: [String]? = nil,
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        limit: Int = 20,
        page: Int = 1
    ) async throws -> Authors {
        try await self.client.authors(slugs: slugs, sortBy: key, order: order, limit: limit, page: page)
    }

    /// Fetches the author with an id: see ``QuoteClient``'s function of this name.
    public static func author(id: String) async throws -> Author {
        try await self.client.author(id: id)
    }

    /// Fetches all tags: see ``QuoteClient``'s function of this name.
    public static func tags(
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil
    ) async throws -> Tags {
        try await self.client.tags(sortBy: key, order: order)
    }

    /// Fetches a page of quotations that fit words: see ``QuoteClient``'s function of this name.
    public static func searchQuotes(for query: String, limit: Int = 20, page: Int = 1) async throws -> Quotes {
        try await self.client.searchQuotes(for: query, limit: limit, page: page)
    }

    /// Fetches a page of authors whose names fit words: see ``QuoteClient``'s function of this name.
    public static func searchAuthors(for query: String, limit: Int = 20, page: Int = 1) async throws -> Authors {
        try await self.client.searchAuthors(for: query, limit: limit, page: page)
    }

    /// Makes the address of an author's picture.
    ///
    /// - Parameters:
    ///   - slug: The author's slug.
    ///   - size: The length of its sides, in pixels.
    /// - Returns: The address, at the public server of pictures.
    public static func authorImage(with slug: String, size: Int = 700) -> URL {
        QuotableEndpoint(.authorProfile(size, slug), host: .images).url
    }
}
