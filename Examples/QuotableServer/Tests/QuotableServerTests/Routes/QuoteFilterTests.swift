// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

@testable import QuotableServer

@Suite("Filters of quotations", .timeLimit(.minutes(10)))
struct QuoteFilterTests {
    @Test(arguments: [
        ("minLength=26", [river, stones, birds, cafe]),
        ("maxLength=25", [rain]),
        ("minLength=27&maxLength=35", [river, stones]),
        ("minLength=36&maxLength=26", []),
        ("minLength=-5", [rain, river, stones, birds, cafe]),
        ("maxLength=-5", []),
        ("maxLength=99999999999999999999", [rain, river, stones, birds, cafe]),
        ("minLength=abc", [rain, river, stones, birds, cafe]),
        ("minLength=", [rain, river, stones, birds, cafe]),
        ("maxLength=2e1", [rain, river, stones, birds, cafe]),
        ("tags=nature", [river, stones, birds]),
        ("tags=NATURE", [river, stones, birds]),
        ("tags=nature,weather", [birds]),
        ("tags=weather,nature", [birds]),
        ("tags=memory%7Cweather", [stones, rain, birds]),
        ("tags=home%7Cmemory,weather", [rain]),
        ("tags=famous-quotes", [river]),
        ("tags=Famous%20Quotes", [river]),
        ("tags=famous+quotes", [river]),
        ("tags=Human-Nature%7Cfamous-quotes", [cafe, river]),
        ("tags=none", []),
        ("tags=nature,nature,NATURE", [river, stones, birds]),
        ("tags=nature,none", []),
        ("tags=nature%7Cnone", [river, stones, birds]),
        ("tags=", [rain, river, stones, birds, cafe]),
        ("author=anna-ash", [rain, river]),
        ("author=Anna%20Ash", [rain, river]),
        ("author=anna+ash", [rain, river]),
        ("author=ANNA-ASH%7Cben-birch", [rain, river, stones]),
        ("author=%C3%89mile%20D.%20Cedar%20Jr.", [cafe]),
        ("author=emile-d-cedar-jr", [cafe]),
        ("author=Anna", []),
        ("author=%7C%7C", []),
        ("authorSlug=ben-birch", [stones]),
        ("author=anna-ash&tags=nature&maxLength=30", [river]),
        ("unknown=1", [rain, river, stones, birds, cafe]),
    ])
    func `a filter lets through`(query: String, expected: [String]) async throws {
        try await withClient { client in
            let page: Page<Quote> = try await client.get("/quotes?\(query)")
            #expect(Set(page.results.map(\.content)) == Set(expected), "\(query)")
            #expect(page.totalCount == expected.count)
            // The other routes with filters agree.
            let lots: [Quote] = try await client.get("/quotes/random?limit=50&\(query)")
            #expect(Set(lots.map(\.content)) == Set(expected), "\(query)")
            #expect(try await client.status("/random?\(query)") == (expected.isEmpty ? 404 : 200))
        }
    }

    @Test func `authors are found by identifier`() async throws {
        try await withClient { client in
            let authors: Page<Author> = try await client.get("/authors?slug=anna-ash%7Cben-birch")
            let ids = authors.results.map(\.id)
            #expect(try await client.quotes("/quotes?authorId=\(ids[1])") == [stones])
            #expect(try await client.quotes("/quotes?authorId=\(ids.joined(separator: "%7C"))").count == 3)
            #expect(try await client.quotes("/quotes?authorId=none").isEmpty)
        }
    }
}
