// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

@testable import QuotableServer

@Suite("Pages", .timeLimit(.minutes(10)))
struct PagingTests {
    /// What a page says of itself.
    struct Summary: Equatable, Sendable, CustomTestStringConvertible {
        var count: Int
        var page: Int
        var totalPages: Int
        var lastItemIndex: Int?
        var testDescription: String { "\(self.count) on \(self.page)/\(self.totalPages)" }
    }

    @Test(arguments: [
        ("", Summary(count: 20, page: 1, totalPages: 9, lastItemIndex: 20)),
        ("limit=10", Summary(count: 10, page: 1, totalPages: 17, lastItemIndex: 10)),
        ("limit=10&page=2", Summary(count: 10, page: 2, totalPages: 17, lastItemIndex: 20)),
        ("limit=10&page=17", Summary(count: 5, page: 17, totalPages: 17, lastItemIndex: 165)),
        ("limit=10&page=18", Summary(count: 0, page: 18, totalPages: 17, lastItemIndex: nil)),
        ("limit=150", Summary(count: 150, page: 1, totalPages: 2, lastItemIndex: 150)),
        ("limit=151", Summary(count: 150, page: 1, totalPages: 2, lastItemIndex: 150)),
        ("limit=99999999999999999999999", Summary(count: 150, page: 1, totalPages: 2, lastItemIndex: 150)),
        ("limit=0", Summary(count: 1, page: 1, totalPages: 165, lastItemIndex: 1)),
        ("limit=-7", Summary(count: 1, page: 1, totalPages: 165, lastItemIndex: 1)),
        ("limit=-99999999999999999999999", Summary(count: 1, page: 1, totalPages: 165, lastItemIndex: 1)),
        ("limit=ten", Summary(count: 20, page: 1, totalPages: 9, lastItemIndex: 20)),
        ("limit=1.5", Summary(count: 20, page: 1, totalPages: 9, lastItemIndex: 20)),
        ("limit=", Summary(count: 20, page: 1, totalPages: 9, lastItemIndex: 20)),
        ("limit=%2B10", Summary(count: 10, page: 1, totalPages: 17, lastItemIndex: 10)),
        ("page=0", Summary(count: 20, page: 1, totalPages: 9, lastItemIndex: 20)),
        ("page=-3", Summary(count: 20, page: 1, totalPages: 9, lastItemIndex: 20)),
        ("page=two", Summary(count: 20, page: 1, totalPages: 9, lastItemIndex: 20)),
        ("page=9223372036854775807", Summary(count: 0, page: 1_000_000, totalPages: 9, lastItemIndex: nil)),
        ("skip=0", Summary(count: 20, page: 1, totalPages: 9, lastItemIndex: 20)),
        ("skip=19", Summary(count: 20, page: 1, totalPages: 9, lastItemIndex: 39)),
        ("skip=20", Summary(count: 20, page: 2, totalPages: 9, lastItemIndex: 40)),
        ("skip=160&limit=10", Summary(count: 5, page: 17, totalPages: 17, lastItemIndex: 165)),
        ("skip=165", Summary(count: 0, page: 9, totalPages: 9, lastItemIndex: nil)),
        ("skip=20000", Summary(count: 0, page: 501, totalPages: 9, lastItemIndex: nil)),
        ("skip=-1", Summary(count: 20, page: 1, totalPages: 9, lastItemIndex: 20)),
        ("skip=some", Summary(count: 20, page: 1, totalPages: 9, lastItemIndex: 20)),
        ("skip=40&page=9", Summary(count: 20, page: 3, totalPages: 9, lastItemIndex: 60)),
    ])
    func `a page says where it is`(query: String, expected: Summary) async throws {
        try await withClient(data: Fixture.data(quotes: 165)) { client in
            // Every quotation has the word, so that the search has as many pages as the list.
            for path in ["/quotes?\(query)", "/search/quotes?query=sentence&\(query)"] {
                let page: Page<Quote> = try await client.get(path)
                let summary = Summary(
                    count: page.count,
                    page: page.page,
                    totalPages: page.totalPages,
                    lastItemIndex: page.lastItemIndex
                )
                #expect(summary == expected, "\(path)")
                #expect(page.results.count == page.count)
                #expect(page.totalCount == 165)
            }
        }
    }

    @Test func `pages cover the list once`() async throws {
        try await withClient(data: Fixture.data(quotes: 165)) { client in
            var all: [String] = []
            for page in 1...5 { all += try await client.quotes("/quotes?limit=40&page=\(page)") }
            #expect(all == (1...165).map { "Sentence \($0)." })
        }
    }

    @Test func `an empty list has no pages`() async throws {
        try await withClient { client in
            let page: Page<Quote> = try await client.get("/quotes?author=nobody")
            #expect(page.totalCount == 0)
            #expect(page.totalPages == 0)
            #expect(page.page == 1)
        }
    }

    @Test func `no last item is null`() async throws {
        try await withClient { client async throws in
            let text = try await client.text("/quotes?page=7")
            #expect(text.contains("\"lastItemIndex\":null"))
        }
    }

    @Test func `authors have pages too`() async throws {
        try await withClient { client in
            let page: Page<Author> = try await client.get("/authors?limit=3&page=2")
            #expect(page.results.map(\.slug) == ["emile-d-cedar-jr"])
            #expect(page.count == 1)
            #expect(page.totalCount == 4)
            #expect(page.page == 2)
            #expect(page.totalPages == 2)
            #expect(page.lastItemIndex == 4)
            #expect(try await client.authors("/authors?skip=2").count == 2)
            let found: Page<Author> = try await client.get("/search/authors?query=ben&limit=1&page=2")
            #expect(found.results.map(\.slug) == ["ben-oak-birch"])
            #expect(found.totalPages == 2)
        }
    }
}
