// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A page of a list.
public struct QuoteItemCollection<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The number of items here.
    public var count: Int
    /// The number of items on all pages.
    public var totalCount: Int
    /// Which page this is, from one.
    public var page: Int
    /// The number of pages.
    public var totalPages: Int
    /// The position of the last item here in the whole list, from one; nil past the end.
    public var lastItemIndex: Int?
    /// The items.
    public var results: [Item]
}
