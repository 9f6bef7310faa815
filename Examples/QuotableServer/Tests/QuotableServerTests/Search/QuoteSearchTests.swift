// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

@testable import QuotableServer

@Suite("Search for quotations", .timeLimit(.minutes(10)))
struct QuoteSearchTests {
    @Test(arguments: [
        ("river", [river, stones]),
        ("rivers", [river, stones]),
        ("RIVER", [river, stones]),
        ("remembering", [stones]),
        ("rain%20birds", [rain, birds]),
        ("ash", [rain, river]),
        ("weather", [rain, birds]),
        ("caf%C3%A9", [cafe]),
        ("cafe", [cafe]),
        ("don%27t", [birds]),
        ("the", [river, birds, cafe]),
        ("the%20roof", [rain]),
        // As forms send it.
        ("rain+birds", [rain, birds]),
        ("rain%2Bbirds", []),
        ("zebra", []),
        ("r", []),
        // Marks alone are nothing to look for.
        ("%3F%21", []),
        ("%22%22", []),
        ("%F0%9F%8C%A7", []),
    ])
    func `words are found`(query: String, expected: [String]) async throws {
        try await withClient { client in
            let page: Page<Quote> = try await client.get("/search/quotes?query=\(query)")
            #expect(Set(page.results.map(\.content)) == Set(expected))
            #expect(page.totalCount == expected.count)
        }
    }

    @Test func `tokens are counted`() {
        let limit = SearchQuery.maximumWords
        let letters = Array(repeating: "a", count: 4000)
        #expect(SearchQuery(letters.joined(separator: "-")).words.map { $0.split(separator: " ").count } == [limit])
        #expect(SearchQuery("one two a-b").words == ["one", "two", "a b"])
        let words = (0..<limit - 1).map { "w\($0)" }.joined(separator: " ")
        #expect(SearchQuery("\(words) a-b c").words.suffix(2) == ["w\(limit - 2)", "a"])
        // Neither doubles nor words that say nothing count.
        #expect(SearchQuery("\(words) \(words) the the-end").words.last == "the")
    }

    @Test func `the best match comes first`() async throws {
        try await withClient { client async throws in
            #expect(try await client.quotes("/search/quotes?query=rivers%20remember%20stones").first == stones)
            #expect(try await client.quotes("/search/quotes?query=river%20way").first == river)
        }
    }

    @Test(arguments: [
        ("%22never%20asks%22", [river]),
        ("%27never%20asks%27", [river]),
        ("%E2%80%9Cnever%20asks%E2%80%9D", [river]),
        ("%22asks%20never%22", []),
        // As it is, not in another form.
        ("%22rivers%22", [stones]),
        ("%22the%20birds%3B%20let%22", [birds]),
        ("%22Anna%20Ash%22", [rain, river]),
        ("%22don%27t%20count%22", [birds]),
    ])
    func `phrases are found word for word`(query: String, expected: [String]) async throws {
        try await withClient { client async throws in
            #expect(Set(try await client.quotes("/search/quotes?query=\(query)")) == Set(expected))
        }
    }

    @Test(arguments: [
        ("query=ash&fields=content", []),
        ("query=ash&fields=author", [rain, river]),
        ("query=ash&fields=content,AUTHOR", [rain, river]),
        ("query=weather&fields=tags", [rain, birds]),
        ("query=weather&fields=content,author", []),
        ("query=%22famous%20quotes%22&fields=tags", [river]),
        // A tag does not run into the next.
        ("query=%22weather%20home%22&fields=tags", []),
        ("query=ash&fields=nonsense", [rain, river]),
        ("query=ash&fields=nonsense,content", []),
        ("query=ash&fields=", [rain, river]),
    ])
    func `fields limit the search`(query: String, expected: [String]) async throws {
        try await withClient { client async throws in
            #expect(Set(try await client.quotes("/search/quotes?\(query)")) == Set(expected))
        }
    }

    @Test(arguments: [
        ("query=rivr", []),
        ("query=rivr&fuzzyMaxEdits=0", []),
        ("query=rivr&fuzzyMaxEdits=1", [river]),
        ("query=stnoes&fuzzyMaxEdits=1", [stones]),
        ("query=stxxes&fuzzyMaxEdits=1", []),
        ("query=stxxes&fuzzyMaxEdits=2", [stones]),
        // Clamped to two.
        ("query=stxxxs&fuzzyMaxEdits=9", []),
        ("query=stxxes&fuzzyMaxEdits=9", [stones]),
        ("query=rivr&fuzzyMaxEdits=-1", []),
        ("query=rivr&fuzzyMaxEdits=one", []),
        // A phrase is exact.
        ("query=%22nevr%20asks%22&fuzzyMaxEdits=2", []),
    ])
    func `misspelt words are found`(query: String, expected: [String]) async throws {
        try await withClient { client in
            let found = Set(try await client.quotes("/search/quotes?\(query)"))
            #expect(found.isSuperset(of: expected))
            #expect(found.isEmpty == expected.isEmpty)
        }
    }

    @Test func `a search needs a query`() async throws {
        try await withClient { client async throws in
            for path in ["/search/quotes", "/search/quotes?query=", "/search/quotes?query=%20", "/search/authors"] {
                #expect(try await client.refusal(path).statusCode == 422)
            }
        }
    }
}
