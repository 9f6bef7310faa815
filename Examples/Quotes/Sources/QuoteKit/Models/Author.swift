// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Someone who is quoted.
public struct Author: Codable, Hashable, Sendable, Identifiable {
    enum CodingKeys: String, CodingKey {
        case id = "_id"
        case link, bio, description, name, quoteCount, slug, dateAdded, dateModified, quotes
    }

    /// What the server knows the author by.
    public var id: String
    /// An article about the author.
    public var link: String
    /// A paragraph.
    public var bio: String
    /// A line.
    public var description: String
    /// The full name.
    public var name: String
    /// How many quotations the server has.
    public var quoteCount: Int
    /// The name, as it stands in an address.
    public var slug: String
    /// The day, as yyyy-mm-dd.
    public var dateAdded: String
    /// The day, as yyyy-mm-dd.
    public var dateModified: String
    /// All quotations, where one author was asked for; nil in lists.
    public var quotes: [Quote]?
}

/// A page of authors.
public typealias Authors = QuoteItemCollection<Author>
