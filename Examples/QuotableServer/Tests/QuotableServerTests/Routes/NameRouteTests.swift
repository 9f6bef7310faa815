// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

@testable import QuotableServer

@Suite("Routes of authors and tags", .timeLimit(.minutes(10)))
struct NameRouteTests {
    @Test func `an author has all fields`() async throws {
        try await withClient { client in
            let page: Page<Author> = try await client.get("/authors?slug=ben-oak-birch")
            let author = try #require(page.results.first)
            #expect(author.name == "Ben Oak Birch")
            #expect(author.description == "Sailor")
            #expect(author.bio == "He sailed.")
            #expect(author.link == "https://example.org/oak")
            #expect(author.quoteCount == 1)
            #expect(author.dateAdded == "2024-02-01")
            #expect(author.dateModified == "2024-05-01")
            #expect(author.quotes == nil)
        }
    }

    @Test func `an author comes with all quotes`() async throws {
        try await withClient { client in
            let bySlug: Author = try await client.get("/authors/slug/anna-ash")
            #expect(bySlug.quotes?.map(\.content) == [rain, river])
            #expect(bySlug.quoteCount == 2)
            #expect(try await client.get("/authors/\(bySlug.id)") == bySlug)
        }
    }

    @Test func `unknown authors are not found`() async throws {
        try await withClient { client async throws in
            for path in ["/authors/none", "/authors/anna-ash", "/authors/slug/none", "/authors/slug/%27"] {
                #expect(try await client.refusal(path).statusCode == 404)
            }
        }
    }

    @Test func `authors are chosen by slugs`() async throws {
        try await withClient { client async throws in
            #expect(try await client.authors("/authors?slug=ben-birch%7Canna-ash") == ["anna-ash", "ben-birch"])
            #expect(try await client.authors("/authors?slug=none").isEmpty)
            #expect(try await client.authors("/authors?slug=").count == 4)
        }
    }

    @Test func `a tag has all fields`() async throws {
        try await withClient { client in
            let tags: [QuotableServer.Tag] = try await client.get("/tags")
            let tag = try #require(tags.first { $0.slug == "famous-quotes" })
            #expect(tag.name == "Famous Quotes")
            #expect(tag.quoteCount == 1)
            #expect(tag.dateAdded == "2024-01-01")
            #expect(tag.dateModified == "2024-01-01")
            #expect(Set(tags.map(\.id)).count == tags.count)
        }
    }

    @Test func `the counts are right`() async throws {
        try await withClient { client async throws in
            #expect(try await client.get("/info/count") == Counts(quotes: 5, authors: 4, tags: 6))
        }
    }

    @Test func `the server is healthy`() async throws {
        try await withClient { client async throws in
            #expect(try await client.get("/health") == Health(status: "ok"))
        }
    }
}
