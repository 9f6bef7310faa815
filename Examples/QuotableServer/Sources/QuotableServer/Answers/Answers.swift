// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import GRDB
import Hummingbird

/// A quotation as the API gives it.
struct Quote: Equatable, Codable, ResponseEncodable {
    enum CodingKeys: String, CodingKey {
        case id = "_id"
        case content, author, authorSlug, length, tags, work, place, dateAdded, dateModified
    }

    var id: String
    var content: String
    var author: String
    var authorSlug: String
    /// In characters.
    var length: Int
    var tags: [String]
    /// Ours: the public API never said where a quotation comes from.
    var work: String
    var place: String
    var dateAdded: String
    var dateModified: String
}

/// An author, with all quotations where one author was asked for.
struct Author: Equatable, Codable, ResponseEncodable {
    enum CodingKeys: String, CodingKey {
        case id = "_id"
        case name, slug, description, bio, link, quoteCount, dateAdded, dateModified, quotes
    }

    var id: String
    var name: String
    var slug: String
    var description: String
    var bio: String
    var link: String
    var quoteCount: Int
    var dateAdded: String
    var dateModified: String
    /// Not in lists.
    var quotes: [Quote]?
}

/// A subject.
struct Tag: Equatable, Codable, ResponseEncodable {
    enum CodingKeys: String, CodingKey {
        case id = "_id"
        case name, slug, quoteCount, dateAdded, dateModified
    }

    var id: String
    var name: String
    var slug: String
    var quoteCount: Int
    var dateAdded: String
    var dateModified: String
}

/// How much there is.
struct Counts: Equatable, Codable, ResponseEncodable, FetchableRecord {
    var quotes: Int
    var authors: Int
    var tags: Int
}

/// What the health route says.
struct Health: Equatable, Codable, ResponseEncodable {
    var status: String
}
