// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import QuoteKit
import Testing

@Suite("Every filter, on a server", .timeLimit(.minutes(10)))
struct FilterTests {
    @Test(arguments: Carrier.allCases) func lengths(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let everything = try await all(client.allQuotes(pageSize: 150))
            let long = try await all(client.allQuotes(minLength: 120, pageSize: 150))
            #expect(Set(long) == Set(everything.filter { $0.length >= 120 }))
            let short = try await all(client.allQuotes(maxLength: 40, pageSize: 150))
            #expect(Set(short) == Set(everything.filter { $0.length <= 40 }))
            #expect(!long.isEmpty && !short.isEmpty)
        }
    }

    @Test(arguments: Carrier.allCases) func `tags of both kinds`(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let everything = try await all(client.allQuotes(pageSize: 150))
            let both = try await all(client.allQuotes(tags: ["love", "time"], type: .all, pageSize: 150))
            #expect(Set(both) == Set(everything.filter { Set(["Love", "Time"]).isSubset(of: $0.tags) }))
            let either = try await all(client.allQuotes(tags: ["love", "time"], type: .either, pageSize: 150))
            #expect(Set(either) == Set(everything.filter { !Set(["Love", "Time"]).isDisjoint(with: $0.tags) }))
            #expect(!both.isEmpty && both.count < either.count)
            let spaced = try await client.quotes(tags: ["famous quotes"]).totalCount
            let slug = try await client.quotes(tags: ["famous-quotes"]).totalCount
            #expect(spaced == slug && slug > 0)
        }
    }

    @Test(arguments: Carrier.allCases) func authors(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let quotes = try await all(client.allQuotes(authors: ["adam-smith", "Blaise Pascal"], pageSize: 150))
            #expect(Set(quotes.map(\.authorSlug)) == ["adam-smith", "blaise-pascal"])
            let authors = try await client.authors(slugs: ["blaise-pascal", "nobody"])
            #expect(authors.results.map(\.slug) == ["blaise-pascal"])
            let one = try await client.randomQuote(authors: ["blaise-pascal"])
            #expect(one.authorSlug == "blaise-pascal")
        }
    }

    @Test(arguments: QuotesSortType.allCases, QuotableListOrder.allCases)
    func `orders of quotes`(_ key: QuotesSortType, _ order: QuotableListOrder) async throws {
        try await withServer(.urlSession) { client in
            let quotes = try await all(client.allQuotes(sortBy: key, order: order, pageSize: 150))
            let keys = quotes.map { quote in
                switch key {
                case .dateAdded: quote.dateAdded
                case .dateModified: quote.dateModified
                case .author: quote.author
                case .content: quote.content
                }
            }
            #expect(keys.count > 100 && self.areSorted(keys, order))
        }
    }

    @Test(arguments: AuthorsAndTagsSortType.allCases, QuotableListOrder.allCases)
    func `orders of authors and tags`(_ key: AuthorsAndTagsSortType, _ order: QuotableListOrder) async throws {
        func text(_ name: String, _ dateAdded: String, _ dateModified: String, _ quoteCount: Int) -> String {
            switch key {
            case .name: name
            case .dateAdded: dateAdded
            case .dateModified: dateModified
            case .quoteCount: "\(1_000_000 + quoteCount)"
            }
        }
        try await withServer(.urlSession) { client in
            let authors = try await all(client.allAuthors(sortBy: key, order: order, pageSize: 150))
                .map { text($0.name, $0.dateAdded, $0.dateModified, $0.quoteCount) }
            #expect(authors.count > 20 && self.areSorted(authors, order))
            let tags = try await client.tags(sortBy: key, order: order)
                .map { text($0.name, $0.dateAdded, $0.dateModified, $0.quoteCount) }
            #expect(tags.count > 10 && self.areSorted(tags, order))
        }
    }

    /// Whether texts are in order, compared as the database's `NOCASE` does.
    private func areSorted(_ texts: [String], _ order: QuotableListOrder) -> Bool {
        let keys = (order == .ascending ? texts : texts.reversed())
            .map { text in text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 } }
        return zip(keys, keys.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) }
    }

    @Test(arguments: Carrier.allCases) func pages(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let wide = try await client.quotes(sortBy: .content, limit: 6, page: 1)
            let second = try await client.quotes(sortBy: .content, limit: 3, page: 2)
            #expect(second.results == Array(wide.results.suffix(3)))
            let past = try await client.quotes(limit: 150, page: 1000)
            #expect(past.results.isEmpty && past.lastItemIndex == nil && past.count == 0)
        }
    }

    @Test(arguments: Carrier.allCases) func searches(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let phrase = try await client.searchQuotes(for: "\"hope springs eternal\"")
            #expect(phrase.results.map(\.authorSlug) == ["alexander-pope"])
            let authors = try await client.searchAuthors(for: "Arthur Doyle")
            #expect(authors.results.map(\.slug) == ["arthur-conan-doyle"])
            let nothing = try await client.searchQuotes(for: "& + % ?")
            #expect(nothing.results.isEmpty)
        }
    }
}
