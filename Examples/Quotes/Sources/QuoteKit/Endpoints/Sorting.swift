// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// By what quotations are sorted.
public enum QuotesSortType: String, CaseIterable, Sendable {
    /// By the day on which they were added. The server's default.
    case dateAdded
    /// By the day on which they were last changed.
    case dateModified
    /// By the author's name.
    case author
    /// By their words.
    case content
}

/// By what authors and tags are sorted.
public enum AuthorsAndTagsSortType: String, CaseIterable, Sendable {
    /// By name. The server's default.
    case name
    /// By the day on which they were added.
    case dateAdded
    /// By the day on which they were last changed.
    case dateModified
    /// By the number of quotations.
    case quoteCount
}

/// Which end of a list comes first.
public enum QuotableListOrder: String, CaseIterable, Sendable {
    /// From A to Z, from old to new, from few to many.
    case ascending = "asc"
    /// From Z to A, from new to old, from many to few.
    case descending = "desc"
}

/// Which of several tags a quotation must have.
public enum QuotableTagMatch: CaseIterable, Sendable {
    /// All of them.
    case all
    /// Any of them.
    case either
}
