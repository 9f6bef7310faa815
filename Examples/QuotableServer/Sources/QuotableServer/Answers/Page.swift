// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Hummingbird

/// A part of a list.
struct Page<Item: Codable & Sendable>: Codable, Sendable {
    /// Items in `results`.
    var count: Int
    /// Items that match on all pages.
    var totalCount: Int
    /// From one.
    var page: Int
    var totalPages: Int
    /// The position of the last item of `results` in the whole list, from one; nil if there is none.
    var lastItemIndex: Int?
    var results: [Item]
}

extension Page {
    init(_ results: [Item], of totalCount: Int, at window: Window) {
        self.count = results.count
        self.totalCount = totalCount
        self.page = window.page
        self.totalPages = (totalCount + window.limit - 1) / window.limit
        self.lastItemIndex = results.isEmpty ? nil : window.offset + results.count
        self.results = results
    }

    // Written out because the synthesised one leaves a nil out, and clients expect `null`.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.count, forKey: .count)
        try container.encode(self.totalCount, forKey: .totalCount)
        try container.encode(self.page, forKey: .page)
        try container.encode(self.totalPages, forKey: .totalPages)
        try container.encode(self.lastItemIndex, forKey: .lastItemIndex)
        try container.encode(self.results, forKey: .results)
    }
}

extension Page: ResponseEncodable {}
