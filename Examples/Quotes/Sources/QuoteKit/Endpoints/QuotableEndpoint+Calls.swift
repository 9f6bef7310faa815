// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What each function of the client asks, said once for all styles.

extension QuotableEndpoint {
    static func randomQuote(
        _ minLength: Int?,
        _ maxLength: Int?,
        _ tags: [String]?,
        _ type: QuotableTagMatch,
        _ authors: [String]?
    ) -> Self {
        Self(.randomQuote, queryItems: self.filter(minLength, maxLength, tags, type, authors))
    }

    static func quotes(
        _ minLength: Int?,
        _ maxLength: Int?,
        _ tags: [String]?,
        _ type: QuotableTagMatch,
        _ authors: [String]?,
        _ key: QuotesSortType?,
        _ order: QuotableListOrder?
    ) -> Self {
        var items = self.filter(minLength, maxLength, tags, type, authors)
        if let key { items.append(.sortQuotesBy(key)) }
        if let order { items.append(.order(order)) }
        return Self(.quotes, queryItems: items)
    }

    static func authors(_ slugs: [String]?, _ key: AuthorsAndTagsSortType?, _ order: QuotableListOrder?) -> Self {
        var items: [QuotableQueryItem] = []
        if let slugs { items.append(.slugs(slugs)) }
        if let key { items.append(.sortBy(key)) }
        if let order { items.append(.order(order)) }
        return Self(.authors, queryItems: items)
    }

    static func tags(_ key: AuthorsAndTagsSortType?, _ order: QuotableListOrder?) -> Self {
        var items: [QuotableQueryItem] = []
        if let key { items.append(.sortBy(key)) }
        if let order { items.append(.order(order)) }
        return Self(.tags, queryItems: items)
    }

    static func searchQuotes(_ query: String) -> Self { Self(.searchQuotes, queryItems: [.search(query)]) }

    static func searchAuthors(_ query: String) -> Self { Self(.searchAuthors, queryItems: [.search(query)]) }

    /// The same list, a page of it.
    func page(_ page: Int, limit: Int) -> Self {
        var endpoint = self
        endpoint.queryItems += [.limit(limit), .page(page)]
        return endpoint
    }

    private static func filter(
        _ minLength: Int?,
        _ maxLength: Int?,
        _ tags: [String]?,
        _ type: QuotableTagMatch,
        _ authors: [String]?
    ) -> [QuotableQueryItem] {
        var items: [QuotableQueryItem] = []
        if let minLength { items.append(.minLength(minLength)) }
        if let maxLength { items.append(.maxLength(maxLength)) }
        if let tags { items.append(.tags(tags, type)) }
        if let authors { items.append(.authors(authors)) }
        return items
    }
}
