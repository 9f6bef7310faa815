// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

// For code that puts its addresses together itself.

extension URLQueryItem {
    /// Quotations with tags; names and slugs will do.
    public static func tags(_ tags: [String], _ match: QuotableTagMatch = .all) -> Self { Self(.tags(tags, match)) }

    /// Quotations of any of these authors; names and slugs will do.
    public static func authors(_ authors: [String]) -> Self { Self(.authors(authors)) }

    /// Authors with any of these slugs.
    public static func slugs(_ slugs: [String]) -> Self { Self(.slugs(slugs)) }

    /// Quotations of at least so many characters.
    public static func minLength(_ length: Int) -> Self { Self(.minLength(length)) }

    /// Quotations of at most so many characters.
    public static func maxLength(_ length: Int) -> Self { Self(.maxLength(length)) }

    /// So many items on a page, at most; the server gives 150 and no more.
    public static func limit(_ limit: Int) -> Self { Self(.limit(limit)) }

    /// Which page, from one.
    public static func page(_ page: Int) -> Self { Self(.page(page)) }

    /// The order of quotations.
    public static func sortQuotesBy(_ key: QuotesSortType) -> Self { Self(.sortQuotesBy(key)) }

    /// The order of authors and tags.
    public static func sortBy(_ key: AuthorsAndTagsSortType) -> Self { Self(.sortBy(key)) }

    /// The direction of the order.
    public static func order(_ order: QuotableListOrder) -> Self { Self(.order(order)) }

    /// What is looked for.
    public static func search(_ query: String) -> Self { Self(.search(query)) }

    private init(_ item: QuotableQueryItem) { self.init(name: item.name, value: item.value) }
}
