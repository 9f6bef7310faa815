// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Which quotations a client wants.
struct QuoteFilter: Equatable {
    /// All of the outer list, any of the inner.
    typealias Tags = [[String]]

    var minLength: Int?
    var maxLength: Int?
    var tags: Tags?
    /// Slugs; any of them.
    var authors: [String]?
    /// Any of them.
    var authorIDs: [String]?

    init(_ parameters: Parameters) throws {
        self.minLength = parameters.number("minLength", in: 0...Int(Int32.max))
        self.maxLength = parameters.number("maxLength", in: 0...Int(Int32.max))
        self.tags = try parameters.lists("tags")
        // `authorSlug` is an older form.
        self.authors = try parameters.slugs("author") ?? parameters.slugs("authorSlug")
        self.authorIDs = try parameters.identifiers("authorId")
    }
}
