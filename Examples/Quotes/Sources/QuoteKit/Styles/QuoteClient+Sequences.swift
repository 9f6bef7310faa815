// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The fifth style: whole lists.

extension QuoteClient {
    /// Gives all quotations that fit, page by page.
    ///
    /// - Parameters:
    ///   - minLength: The minimum number of characters.
    ///   - maxLength: The maximum number of characters.
    ///   - tags: Names or slugs of tags.
    ///   - type: Whether all of the tags are wanted, or any.
    ///   - authors: Names or slugs of authors, any of whom will do.
    ///   - key: By what they are sorted; nil leaves it to the server.
    ///   - order: Which end comes first; nil leaves it to the server.
    ///   - pageSize: So many are fetched at once; 150 and no more.
    ///   - pages: How many pages are fetched ahead.
    /// - Returns: The sequence, which has asked for nothing yet.
    public func allQuotes(
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
        PagedItems(
            client: self,
            endpoint: .quotes(minLength, maxLength, tags, type, authors, key, order),
            pageSize: pageSize,
            prefetching: pages
        )
    }

    /// Gives all authors, page by page.
    ///
    /// - Parameters:
    ///   - slugs: Slugs of authors; nil is everybody.
    ///   - key: By what they are sorted; nil leaves it to the server.
    ///   - order: Which end comes first; nil leaves it to the server.
    ///   - pageSize: So many are fetched at once; 150 and no more.
    ///   - pages: How many pages are fetched ahead.
    /// - Returns: The sequence, which has asked for nothing yet.
    public func allAuthors(
        slugs: [String]? = nil,
        sortBy key: AuthorsAndTagsSortType? = nil,
        order: QuotableListOrder? = nil,
        pageSize: Int = 50,
        prefetching pages: Int = 0
    ) -> PagedItems<Author> {
        PagedItems(
            client: self,
            endpoint: .authors(slugs, key, order),
            pageSize: pageSize,
            prefetching: pages
        )
    }

    /// Gives all quotations that fit words, the best first.
    ///
    /// - Parameters:
    ///   - query: Words; in quotation marks, these very words.
    ///   - pageSize: So many are fetched at once; 150 and no more.
    ///   - pages: How many pages are fetched ahead.
    /// - Returns: The sequence, which has asked for nothing yet.
    public func searchAllQuotes(
        for query: String,
        pageSize: Int = 50,
        prefetching pages: Int = 0
    ) -> PagedItems<Quote> {
        PagedItems(
            client: self,
            endpoint: .searchQuotes(query),
            pageSize: pageSize,
            prefetching: pages
        )
    }

    /// Gives all authors whose names fit words, the best first.
    ///
    /// - Parameters:
    ///   - query: A name, or the beginning of one.
    ///   - pageSize: So many are fetched at once; 150 and no more.
    ///   - pages: How many pages are fetched ahead.
    /// - Returns: The sequence, which has asked for nothing yet.
    public func searchAllAuthors(
        for query: String,
        pageSize: Int = 50,
        prefetching pages: Int = 0
    ) -> PagedItems<Author> {
        PagedItems(
            client: self,
            endpoint: .searchAuthors(query),
            pageSize: pageSize,
            prefetching: pages
        )
    }
}
