// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

@testable import QuotableServer

@Suite("Routes of quotations", .timeLimit(.minutes(10)))
struct QuoteRouteTests {
    @Test func `a quote has all fields`() async throws {
        try await withClient { client in
            let page: Page<Quote> = try await client.get("/quotes?author=anna-ash&sortBy=content")
            let quote = try #require(page.results.first)
            #expect(quote.content == river)
            #expect(quote.author == "Anna Ash")
            #expect(quote.authorSlug == "anna-ash")
            #expect(quote.length == river.count)
            #expect(quote.tags == ["Famous Quotes", "Nature"])
            #expect(quote.work == "Notes")
            #expect(quote.place == "2")
            #expect(quote.dateAdded == "2024-01-03")
            #expect(quote.dateModified == "2024-01-03")
        }
    }

    @Test func `a quote is found by its identifier`() async throws {
        try await withClient { client in
            let page: Page<Quote> = try await client.get("/quotes")
            for quote in page.results {
                #expect(try await client.get("/quotes/\(quote.id)") == quote)
            }
        }
    }

    @Test func `length counts characters not bytes`() async throws {
        try await withClient { client in
            let page: Page<Quote> = try await client.get("/quotes?author=emile-d-cedar-jr")
            #expect(page.results.map(\.length) == [cafe.count])
        }
    }

    @Test func `an unknown identifier is not found`() async throws {
        try await withClient { client async throws in
            for path in ["/quotes/none", "/quotes/%00", "/quotes/%27%3B", "/quotes/random2"] {
                #expect(try await client.refusal(path).statusCode == 404)
            }
        }
    }

    @Test func `random answers one quote`() async throws {
        try await withClient { client in
            let quote: Quote = try await client.get("/random?tags=memory")
            #expect(quote.content == stones)
            // One, whatever the limit.
            _ = try await client.get("/random?limit=3", as: Quote.self)
            #expect(try await client.refusal("/random?tags=none").statusCode == 404)
        }
    }

    @Test func `every quote comes up at random`() async throws {
        try await withClient { client in
            var seen: Set<String> = []
            // Five quotations: that one is missed by fair lots is one case in 10^19.
            for _ in 0..<200 { seen.insert(try await client.get("/random", as: Quote.self).content) }
            #expect(seen.count == 5)
        }
    }

    @Test(arguments: [("", 1), ("?limit=3", 3), ("?limit=50", 5), ("?limit=0", 1), ("?limit=-4", 1), ("?limit=x", 1)])
    func `random quotes answers an array`(query: String, count: Int) async throws {
        try await withClient { client in
            let quotes: [Quote] = try await client.get("/quotes/random\(query)")
            #expect(quotes.count == count)
            #expect(Set(quotes.map(\.id)).count == count)
        }
    }

    @Test func `random quotes stop at fifty`() async throws {
        try await withClient(data: Fixture.data(quotes: 60)) { client async throws in
            #expect(try await client.get("/quotes/random?limit=51", as: [Quote].self).count == 50)
        }
    }

    @Test func `random quotes that match nothing are empty`() async throws {
        try await withClient { client async throws in
            #expect(try await client.get("/quotes/random?author=nobody", as: [Quote].self).isEmpty)
            #expect(try await client.get("/quotes/random?query=zebra", as: [Quote].self).isEmpty)
            #expect(try await client.get("/quotes/random?query=%3B%3B", as: [Quote].self).isEmpty)
        }
    }

    @Test func `random quotes can be searched`() async throws {
        try await withClient { client in
            let words: [Quote] = try await client.get("/quotes/random?limit=50&query=river")
            #expect(Set(words.map(\.content)) == [river, stones])
            let phrase: [Quote] = try await client.get("/quotes/random?limit=50&query=%22never%20asks%22")
            #expect(phrase.map(\.content) == [river])
            let both: [Quote] = try await client.get("/quotes/random?limit=50&query=river&author=ben-birch")
            #expect(both.map(\.content) == [stones])
        }
    }
}
