// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A quotation.
public struct Quote: Codable, Hashable, Sendable, Identifiable {
    enum CodingKeys: String, CodingKey {
        case id = "_id"
        case tags, content, author, authorSlug, length, work, place, dateAdded, dateModified
    }

    /// What the server knows it by.
    public var id: String
    /// Its subjects.
    public var tags: [String]
    /// The words.
    public var content: String
    /// The author's full name.
    public var author: String
    /// What the server knows the author by.
    public var authorSlug: String
    /// The number of characters of the content.
    public var length: Int
    /// Where it was printed, if the server says so; the public one does not.
    public var work: String?
    /// Where in the work, if the server says so.
    public var place: String?
    /// The day, as yyyy-mm-dd.
    public var dateAdded: String
    /// The day, as yyyy-mm-dd.
    public var dateModified: String
}

/// A page of quotations.
public typealias Quotes = QuoteItemCollection<Quote>
