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
}

/// All subjects: they come without pages.
public typealias Tags = [Tag]
