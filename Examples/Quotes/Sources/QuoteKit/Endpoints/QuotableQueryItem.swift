// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Something that narrows or arranges an answer.
public enum QuotableQueryItem: Hashable, Sendable {
    /// Quotations with tags; names and slugs will do.
    case tags([String], QuotableTagMatch = .all)
    /// Quotations of any of these authors; names and slugs will do.
    case authors([String])
    /// Authors with any of these slugs.
    case slugs([String])
    /// Quotations of at least so many characters.
    case minLength(Int)
    /// Quotations of at most so many characters.
    case maxLength(Int)
    /// So many items on a page, at most; the server gives 150 and no more.
    case limit(Int)
    /// Which page, from one.
    case page(Int)
    /// The order of authors and tags.
    case sortBy(AuthorsAndTagsSortType)
    /// The order of quotations.
    case sortQuotesBy(QuotesSortType)
    /// The direction of the order.
    case order(QuotableListOrder)
    /// What is looked for.
    case search(String)
    /// Something that only the server has a name for.
    case other(name: String, value: String)

    var name: String {
        switch self {
        case .tags: "tags"
        case .authors: "author"
        case .slugs: "slug"
        case .minLength: "minLength"
        case .maxLength: "maxLength"
        case .limit: "limit"
        case .page: "page"
        case .sortBy, .sortQuotesBy: "sortBy"
        case .order: "order"
        case .search: "query"
        case .other(let name, _): name
        }
    }

    var value: String {
        switch self {
        case .tags(let tags, .all): tags.joined(separator: ",")
        case .tags(let tags, .either): tags.joined(separator: "|")
        case .authors(let names), .slugs(let names): names.joined(separator: "|")
        case .minLength(let number), .maxLength(let number), .limit(let number), .page(let number): String(number)
        case .sortBy(let key): key.rawValue
        case .sortQuotesBy(let key): key.rawValue
        case .order(let order): order.rawValue
        case .search(let text), .other(_, let text): text
        }
    }
}
