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
                case .author: quote.author.asciiLowercased
                case .content: quote.content.asciiLowercased
                }
            }
            // By bytes, as the server compares.
            let sorted = keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
            #expect(keys == (order == .ascending ? sorted : sorted.reversed()))
            #expect(keys.count > 100)
        }
    }

    @Test(arguments: AuthorsAndTagsSortType.allCases, QuotableListOrder.allCases)
    func `orders of authors and tags`(_ key: AuthorsAndTagsSortType, _ order: QuotableListOrder) async throws {
        try await withServer(.urlSession) { client in
            let authors = try await all(client.allAuthors(sortBy: key, order: order, pageSize: 150))
            #expect(
                self.isSorted(authors.map { Keys($0.name, $0.dateAdded, $0.dateModified, $0.quoteCount) }, key, order)
            )
            let tags = try await client.tags(sortBy: key, order: order)
            #expect(self.isSorted(tags.map { Keys($0.name, $0.dateAdded, $0.dateModified, $0.quoteCount) }, key, order))
            #expect(authors.count > 20 && tags.count > 10)
        }
    }

    private struct Keys {
        let name: String
        let dateAdded: String
        let dateModified: String
        let quoteCount: Int

        init(_ name: String, _ dateAdded: String, _ dateModified: String, _ quoteCount: Int) {
            self.name = name.asciiLowercased
            self.dateAdded = dateAdded
            self.dateModified = dateModified
            self.quoteCount = quoteCount
        }
    }

    private func isSorted(_ items: [Keys], _ key: AuthorsAndTagsSortType, _ order: QuotableListOrder) -> Bool {
        let ordered = order == .ascending ? items : items.reversed()
        return zip(ordered, ordered.dropFirst()).allSatisfy { first, second in
            switch key {
            case .name: !Array(second.name.utf8).lexicographicallyPrecedes(Array(first.name.utf8))
            case .dateAdded: first.dateAdded <= second.dateAdded
            case .dateModified: first.dateModified <= second.dateModified
            case .quoteCount: first.quoteCount <= second.quoteCount
            }
        }
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

extension String {
    /// As the database's `NOCASE` compares.
    fileprivate var asciiLowercased: String {
        String(decoding: self.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }
}
