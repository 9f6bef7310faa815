// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What can be asked for.
public enum QuotablePath: Hashable, Sendable {
    /// A list of quotations.
    case quotes
    /// Some quotation.
    case randomQuote
    /// A list of authors.
    case authors
    /// All tags.
    case tags
    /// The quotation with an id.
    case quote(String)
    /// The author with an id.
    case author(String)
    /// A picture of the author with a slug: the length of its sides in pixels, the slug.
    case authorProfile(Int, String)
    /// Quotations that fit words.
    case searchQuotes
    /// Authors whose names fit words.
    case searchAuthors

    /// The parts between the slashes, as they are meant.
    var components: [String] {
        switch self {
        case .quotes: ["quotes"]
        case .randomQuote: ["random"]
        case .authors: ["authors"]
        case .tags: ["tags"]
        case .quote(let id): ["quotes", id]
        case .author(let id): ["authors", id]
        case .authorProfile(let size, let slug): ["profile", String(size), "\(slug).jpg"]
        case .searchQuotes: ["search", "quotes"]
        case .searchAuthors: ["search", "authors"]
        }
    }
}
