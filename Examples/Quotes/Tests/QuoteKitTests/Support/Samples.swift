// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

@testable import QuoteKit

/// By this name beside Testing, which has tags of its own.
typealias Item = Tag

/// Answers as a server gives them.
enum Samples {
    static let quote = #"""
        {"_id": "q1", "tags": ["Time"], "content": "Tempus fugit.", "author": "Virgil", "authorSlug": "virgil",
         "length": 13, "dateAdded": "2024-01-01", "dateModified": "2024-01-01"}
        """#

    /// A page of a list of so many items, whose ids are their places in the whole list, from one.
    static func page(_ page: Int, limit: Int, of total: Int) -> QuoteItemCollection<Item> {
        let first = (page - 1) * limit + 1
        let tags = first > total ? [] : (first...min(first + limit - 1, total)).map(self.tag)
        return QuoteItemCollection(
            count: tags.count,
            totalCount: total,
            page: page,
            totalPages: (total + limit - 1) / limit,
            lastItemIndex: tags.isEmpty ? nil : first + tags.count - 1,
            results: tags
        )
    }

    private static func tag(_ number: Int) -> Item {
        Item(id: "\(number)", name: "", slug: "", quoteCount: 0, dateAdded: "", dateModified: "")
    }
}
