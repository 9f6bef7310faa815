// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import GRDB

/// Something by which a list can be sorted.
protocol SortKey: CaseIterable, RawRepresentable<String>, Sendable {
    static var `default`: Self { get }
    /// A term of SQL. Never holds anything that came from outside.
    var column: SQL { get }
    /// Whether its values are text, which is sorted upwards unless the client says otherwise.
    var isText: Bool { get }
}

/// The keys for quotations.
enum QuoteSortKey: String, SortKey {
    case dateAdded
    case dateModified
    case author
    case content

    static let `default` = dateAdded
    var isText: Bool { self == .author || self == .content }
    var column: SQL {
        switch self {
        case .dateAdded: "quote.dateAdded"
        case .dateModified: "quote.dateModified"
        case .author: "author.name COLLATE NOCASE"
        case .content: "quote.content COLLATE NOCASE"
        }
    }
}

/// The keys for authors and for tags.
enum NameSortKey: String, SortKey {
    case name
    case dateAdded
    case dateModified
    case quoteCount

    static let `default` = name
    var isText: Bool { self == .name }
    var column: SQL {
        switch self {
        case .name: "name COLLATE NOCASE"
        case .dateAdded: "dateAdded"
        case .dateModified: "dateModified"
        case .quoteCount: "quoteCount"
        }
    }
}

/// A key and a direction.
struct Sorting<Key: SortKey>: Sendable {
    var key: Key
    var isAscending: Bool

    init(_ parameters: Parameters) {
        self.key = parameters.choice("sortBy") ?? .default
        // `sortOrder`, long words and signs are older forms.
        switch (parameters["order"] ?? parameters["sortOrder"])?.lowercased() {
        case "asc", "ascending", "1": self.isAscending = true
        case "desc", "descending", "-1": self.isAscending = false
        default: self.isAscending = self.key.isText
        }
    }

    /// What follows `ORDER BY`.
    var sql: SQL { self.isAscending ? "\(self.key.column) ASC" : "\(self.key.column) DESC" }
}
