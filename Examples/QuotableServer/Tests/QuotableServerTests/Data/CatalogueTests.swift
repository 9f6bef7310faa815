// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

@testable import QuotableServer

@Suite("The data file", .timeLimit(.minutes(10)))
struct CatalogueTests {
    private let catalogue: Catalogue

    init() throws {
        self.catalogue = try JSONDecoder().decode(Catalogue.self, from: Catalogue.embeddedFile)
    }

    @Test func `there are hundreds of quotes`() {
        #expect(self.catalogue.quotes.count >= 400)
        #expect(self.catalogue.authors.count >= 50)
    }

    @Test func `every author is described`() {
        for author in self.catalogue.authors {
            #expect(author.slug == slug(of: author.name), "\(author.name)")
            #expect(!author.description.isEmpty, "\(author.name)")
            #expect((60...600).contains(author.bio.count), "\(author.name)")
            #expect(author.link.hasPrefix("https://"), "\(author.name)")
        }
    }

    @Test func `authors are there once and for a reason`() {
        let slugs = self.catalogue.authors.map(\.slug)
        #expect(Set(slugs).count == slugs.count)
        #expect(Set(self.catalogue.quotes.map(\.author)) == Set(slugs))
    }

    @Test func `every quote can be looked up`() {
        for quote in self.catalogue.quotes {
            #expect(!quote.work.isEmpty, "\(quote.content)")
            #expect(!quote.place.isEmpty, "\(quote.content)")
        }
    }

    @Test func `every quote is clean text`() throws {
        for quote in self.catalogue.quotes {
            for text in [quote.content, quote.work, quote.place] {
                #expect(text == text.trimmingCharacters(in: .whitespacesAndNewlines), "\(text)")
                #expect(!text.contains("  ") && !text.contains("|"), "\(text)")
                #expect(text.unicodeScalars.allSatisfy { !CharacterSet.controlCharacters.contains($0) }, "\(text)")
            }
            let last = try #require(quote.content.last)
            #expect(".?!\"".contains(last) || quote.content.hasSuffix(".)"), "\(quote.content)")
            #expect((10...400).contains(quote.content.count), "\(quote.content)")
        }
    }

    @Test func `no quote is there twice`() {
        let keys = self.catalogue.quotes.map { slug(of: $0.content) }
        #expect(Dictionary(grouping: keys) { $0 }.values.filter { $0.count > 1 }.isEmpty)
    }

    @Test func `tags are slugs and each is used more than once`() {
        for quote in self.catalogue.quotes {
            #expect((1...4).contains(quote.tags.count), "\(quote.content)")
            #expect(Set(quote.tags).count == quote.tags.count, "\(quote.content)")
            #expect(
                quote.tags.allSatisfy { $0 == slug(of: $0) && $0 == slug(of: title(ofSlug: $0)) },
                "\(quote.content)"
            )
        }
        let uses = Dictionary(grouping: self.catalogue.quotes.flatMap(\.tags)) { $0 }
        #expect(uses.values.allSatisfy { $0.count > 1 })
    }

    @Test func `the database has everything`() async throws {
        let store = try Store(.memory)
        let counts = try await store.counts()
        #expect(counts.quotes == self.catalogue.quotes.count)
        #expect(counts.authors == self.catalogue.authors.count)
        try await withClient(data: Catalogue.embeddedFile) { client in
            var quotes: [Quote] = []
            for page in 1...(counts.quotes + 149) / 150 {
                quotes += try await client.get("/quotes?limit=150&page=\(page)", as: Page<Quote>.self).results
            }
            #expect(quotes.count == counts.quotes)
            #expect(Set(quotes.map(\.id)).count == counts.quotes)
            #expect(quotes.allSatisfy { $0.length == $0.content.count })
        }
    }
}

@Suite("Names", .timeLimit(.minutes(10)))
struct NameTests {
    @Test(arguments: [
        ("Emily Brontë", "emily-bronte"), ("Jerome K. Jerome", "jerome-k-jerome"),
        ("Alfred, Lord Tennyson", "alfred-lord-tennyson"),
        ("O'Hara", "ohara"), ("famous-quotes", "famous-quotes"), ("  A  B ", "a-b"), ("", ""), ("--", ""),
    ])
    func `a slug is plain`(name: String, expected: String) {
        #expect(slug(of: name) == expected)
    }

    @Test func `titles are capitalised`() {
        #expect(title(ofSlug: "human-nature") == "Human Nature")
        #expect(title(ofSlug: "") == "")
    }

    @Test func `identifiers are the same in every process`() {
        #expect(StableHash("hello".utf8).value == 0xa430_d846_80aa_bd0b)
        #expect(StableHash.identifier("a", "b").count == 11)
        #expect(StableHash.identifier("a", "b") != StableHash.identifier("ab", ""))
    }
}
