// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A subject of quotations.
public struct Tag: Codable, Hashable, Sendable, Identifiable {
    enum CodingKeys: String, CodingKey {
        case id = "_id"
        case name, slug, quoteCount, dateAdded, dateModified
    }

    /// What the server knows it by.
    public var id: String
    /// Its name.
    public var name: String
    /// The name, as it stands in an address.
    public var slug: String
    /// How many quotations have it.
    public var quoteCount: Int
    /// The day, as yyyy-mm-dd.
    public var dateAdded: String
    /// The day, as yyyy-mm-dd.
    public var dateModified: String

    /// Makes a tag, for tests and previews.
    public init(
        id: String,
        name: String,
        slug: String,
        quoteCount: Int,
        dateAdded: String,
        dateModified: String
    ) {
        self.id = id
        self.name = name
        self.slug = slug
        self.quoteCount = quoteCount
        self.dateAdded = dateAdded
        self.dateModified = dateModified
    }
}

extension Tag {
    /// The name for a title, with blanks instead of hyphens and each word with a capital.
    public var capitalisedName: String {
        self.name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }
}

/// All subjects: they come without pages.
public typealias Tags = [Tag]
