// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension QuoteKit {
    /// Gives all quotations that fit, page by page: see ``QuoteClient``'s function of this name.
    ///
    /// - Returns: The sequence, which has asked for nothing yet.
    public static func allQuotes(
        minLength: Int? = nil,
        maxLength: Int? = nil,
        tags: [String]? = nil,
        type: QuotableTagMatch = .all,
        authors: [String]? = nil,
        sortBy key: QuotesSortType? = nil,
        order: QuotableListOrder? = nil,
        pageSize: Int = 50,
        prefetching pages: Int = 0
    ) -> PagedItems<Quote> {
        self.client.allQuotes(
            minLength: minLength,
            maxLength: maxLength,
            tags: tags,
            type: type,
            authors: authors,
            sortBy: key,
            order: order,
            pageSize: pageSize,
            prefetching: pages
        )
    }

    /// Gives all authors, page by page: see ``QuoteClient``'s function of this name.
    ///
    /// - Returns: The sequence, which has asked for nothing yet.
    public static func allAuthors(
        slugs: [String]? = nil,
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        pageSize: Int = 50,
        prefetching pages: Int = 0
    ) -> PagedItems<Author> {
        self.client.allAuthors(slugs: slugs, sortBy: key, order: order, pageSize: pageSize, prefetching: pages)
    }

    /// Gives all quotations that fit words, the best first: see ``QuoteClient``'s function of this name.
    ///
    /// - Returns: The sequence, which has asked for nothing yet.
    public static func searchAllQuotes(
        for query: String,
        pageSize: Int = 50,
        prefetching pages: Int = 0
    ) -> PagedItems<Quote> {
        self.client.searchAllQuotes(for: query, pageSize: pageSize, prefetching: pages)
    }

    /// Gives all authors whose names fit words, the best first: see ``QuoteClient``'s function of this name.
    ///
    /// - Returns: The sequence, which has asked for nothing yet.
    public static func searchAllAuthors(
        for query: String,
        pageSize: Int = 50,
        prefetching pages: Int = 0
    ) -> PagedItems<Author> {
        self.client.searchAllAuthors(for: query, pageSize: pageSize, prefetching: pages)
    }
}
