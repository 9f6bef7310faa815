// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeCombine
import Coroutines
import Foundation
import OpenCombineShim
import QuoteKit
import Testing

// Through `QuoteKit`'s own functions where there are some, which forward to those of the client: so both are seen.
@Suite("Every call in every style", .timeLimit(.minutes(10)))
struct StyleTests {
    /// Asks in each style, and gives the answer if it was the same each time.
    private func ask<Answer: Sendable & Equatable>(
        _ client: QuoteClient,
        _ question: Question<Answer>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let answers = try await QuoteKit.withClient(client) {
            await question.answers()
        }.map { try $0.get() }
        #expect(answers.count == Style.allCases.count, sourceLocation: sourceLocation)
        let first = try #require(answers.first, sourceLocation: sourceLocation)
        #expect(answers.allSatisfy { $0 == first }, sourceLocation: sourceLocation)
        return first
    }

    @Test(arguments: Carrier.allCases) func `random quote`(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            // Only this one fits, so chance has nothing to choose.
            let wanted = try #require(try await client.quotes(sortBy: .content, limit: 1, page: 7).results.first)
            let length = wanted.length
            let (tags, authors) = (wanted.tags, [wanted.authorSlug])
            let quote = try await self.ask(
                client,
                Question {
                    try await QuoteKit.randomQuote(
                        minLength: length,
                        maxLength: length,
                        tags: tags,
                        type: .either,
                        authors: authors
                    )
                } callback: {
                    QuoteKit.randomQuote(
                        minLength: length,
                        maxLength: length,
                        tags: tags,
                        type: .either,
                        authors: authors,
                        completion: $0
                    )
                } future: {
                    client.randomQuoteFuture(
                        minLength: length,
                        maxLength: length,
                        tags: tags,
                        type: .either,
                        authors: authors
                    )
                } coroutine: {
                    try client.awaitRandomQuote(
                        minLength: length,
                        maxLength: length,
                        tags: tags,
                        type: .either,
                        authors: authors
                    )
                } publisher: {
                    client.randomQuotePublisher(
                        minLength: length,
                        maxLength: length,
                        tags: tags,
                        type: .either,
                        authors: authors
                    )
                }
            )
            #expect(quote == wanted)
        }
    }

    @Test(arguments: Carrier.allCases) func quotes(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let page = try await self.ask(
                client,
                Question {
                    try await QuoteKit.quotes(
                        minLength: 20,
                        maxLength: 200,
                        tags: ["Love", "life"],
                        type: .either,
                        sortBy: .content,
                        order: .descending,
                        limit: 3,
                        page: 2
                    )
                } callback: {
                    QuoteKit.quotes(
                        minLength: 20,
                        maxLength: 200,
                        tags: ["Love", "life"],
                        type: .either,
                        sortBy: .content,
                        order: .descending,
                        limit: 3,
                        page: 2,
                        completion: $0
                    )
                } future: {
                    client.quotesFuture(
                        minLength: 20,
                        maxLength: 200,
                        tags: ["Love", "life"],
                        type: .either,
                        sortBy: .content,
                        order: .descending,
                        limit: 3,
                        page: 2
                    )
                } coroutine: {
                    try client.awaitQuotes(
                        minLength: 20,
                        maxLength: 200,
                        tags: ["Love", "life"],
                        type: .either,
                        sortBy: .content,
                        order: .descending,
                        limit: 3,
                        page: 2
                    )
                } publisher: {
                    client.quotesPublisher(
                        minLength: 20,
                        maxLength: 200,
                        tags: ["Love", "life"],
                        type: .either,
                        sortBy: .content,
                        order: .descending,
                        limit: 3,
                        page: 2
                    )
                }
            )
            #expect(page.count == 3)
            #expect(page.page == 2)
            #expect(page.lastItemIndex == 6)
        }
    }

    @Test(arguments: Carrier.allCases) func quote(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let wanted = try await client.randomQuote()
            let id = wanted.id
            let quote = try await self.ask(
                client,
                Question {
                    try await QuoteKit.quote(id: id)
                } callback: {
                    QuoteKit.quote(id: id, completion: $0)
                } future: {
                    client.quoteFuture(id: id).map { $0 }
                } coroutine: {
                    try client.awaitQuote(id: id)
                } publisher: {
                    client.quotePublisher(id: id).map { $0 }
                }
            )
            #expect(quote == wanted)
        }
    }

    @Test(arguments: Carrier.allCases) func authors(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let slugs = ["blaise-pascal", "adam-smith", "charles-darwin"]
            let page = try await self.ask(
                client,
                Question {
                    try await QuoteKit.authors(slugs: slugs, sortBy: .name, order: .descending, limit: 2, page: 1)
                } callback: {
                    QuoteKit.authors(
                        slugs: slugs,
                        sortBy: .name,
                        order: .descending,
                        limit: 2,
                        page: 1,
                        completion: $0
                    )
                } future: {
                    client.authorsFuture(slugs: slugs, sortBy: .name, order: .descending, limit: 2, page: 1)
                } coroutine: {
                    try client.awaitAuthors(slugs: slugs, sortBy: .name, order: .descending, limit: 2, page: 1)
                } publisher: {
                    client.authorsPublisher(slugs: slugs, sortBy: .name, order: .descending, limit: 2, page: 1)
                }
            )
            #expect(page.results.map(\.slug) == ["charles-darwin", "blaise-pascal"])
            #expect(page.totalCount == 3)
        }
    }

    @Test(arguments: Carrier.allCases) func author(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let listed = try #require(try await client.authors(slugs: ["adam-smith"]).results.first)
            let id = listed.id
            let author = try await self.ask(
                client,
                Question {
                    try await QuoteKit.author(id: id)
                } callback: {
                    QuoteKit.author(id: id, completion: $0)
                } future: {
                    client.authorFuture(id: id)
                } coroutine: {
                    try client.awaitAuthor(id: id)
                } publisher: {
                    client.authorPublisher(id: id)
                }
            )
            #expect(listed.quotes == nil)
            #expect(author.quotes?.count == author.quoteCount)
            #expect(author.name == "Adam Smith")
        }
    }

    @Test(arguments: Carrier.allCases) func tags(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let tags = try await self.ask(
                client,
                Question {
                    try await QuoteKit.tags(sortBy: .name, order: .descending)
                } callback: {
                    QuoteKit.tags(sortBy: .name, order: .descending, completion: $0)
                } future: {
                    client.tagsFuture(sortBy: .name, order: .descending)
                } coroutine: {
                    try client.awaitTags(sortBy: .name, order: .descending)
                } publisher: {
                    client.tagsPublisher(sortBy: .name, order: .descending)
                }
            )
            #expect(tags.map(\.slug).contains("love"))
            let ascending = try await client.tags(sortBy: .name, order: .ascending)
            #expect(tags == ascending.reversed())
        }
    }

    @Test(arguments: Carrier.allCases) func `search quotes`(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let page = try await self.ask(
                client,
                Question {
                    try await QuoteKit.searchQuotes(for: "hope springs", limit: 2, page: 1)
                } callback: {
                    QuoteKit.searchQuotes(for: "hope springs", limit: 2, page: 1, completion: $0)
                } future: {
                    client.searchQuotesFuture(for: "hope springs", limit: 2, page: 1)
                } coroutine: {
                    try client.awaitSearchQuotes(for: "hope springs", limit: 2, page: 1)
                } publisher: {
                    client.searchQuotesPublisher(for: "hope springs", limit: 2, page: 1)
                }
            )
            #expect(page.results.first?.author == "Alexander Pope")
        }
    }

    @Test(arguments: Carrier.allCases) func `search authors`(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let page = try await self.ask(
                client,
                Question {
                    try await QuoteKit.searchAuthors(for: "pasc", limit: 2, page: 1)
                } callback: {
                    QuoteKit.searchAuthors(for: "pasc", limit: 2, page: 1, completion: $0)
                } future: {
                    client.searchAuthorsFuture(for: "pasc", limit: 2, page: 1)
                } coroutine: {
                    try client.awaitSearchAuthors(for: "pasc", limit: 2, page: 1)
                } publisher: {
                    client.searchAuthorsPublisher(for: "pasc", limit: 2, page: 1)
                }
            )
            #expect(page.results.map(\.slug) == ["blaise-pascal"])
        }
    }

    @Test(arguments: Carrier.allCases) func `whatever is asked by an endpoint`(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let endpoint = QuotableEndpoint(.tags, queryItems: [.sortBy(.quoteCount), .order(.ascending)])
            let tags: Tags = try await self.ask(
                client,
                Question {
                    try await QuoteKit.execute(with: endpoint)
                } callback: {
                    QuoteKit.execute(with: endpoint, completion: $0)
                } future: {
                    client.executeFuture(with: endpoint)
                } coroutine: {
                    try client.awaitExecute(with: endpoint)
                } publisher: {
                    client.executePublisher(with: endpoint)
                }
            )
            let direct = try await client.tags(sortBy: .quoteCount, order: .ascending)
            #expect(tags == direct)
        }
    }

    // MARK: Sequences

    @Test(arguments: Carrier.allCases, [0, 1]) func `whole lists`(_ carrier: Carrier, prefetching: Int) async throws {
        try await withServer(carrier) { client in
            try await QuoteKit.withClient(client) {
                let quotes = try await all(client.allQuotes(sortBy: .content, pageSize: 40, prefetching: prefetching))
                let count = try await client.quotes(limit: 1).totalCount
                #expect(quotes.count == count)
                #expect(Set(quotes.map(\.id)).count == count)
                let first = try await client.quotes(sortBy: .content, limit: 150).results
                #expect(Array(quotes.prefix(150)) == first)

                let authors = try await all(client.allAuthors(pageSize: 40, prefetching: prefetching))
                let authorCount = try await client.authors(limit: 1).totalCount
                #expect(authors.count == authorCount)

                let found = try await all(
                    client.searchAllQuotes(for: "love", pageSize: 3, prefetching: prefetching)
                )
                let foundAtOnce = try await client.searchQuotes(for: "love", limit: 150).results
                #expect(found == foundAtOnce)
                #expect(found.count > 3)

                let named = try await all(
                    client.searchAllAuthors(for: "john", pageSize: 1, prefetching: prefetching)
                )
                let namedAtOnce = try await client.searchAuthors(for: "john", limit: 150).results
                #expect(named == namedAtOnce)
                #expect(named.count > 1)
            }
        }
    }

    @Test func `a picture has an address`() {
        #expect(
            QuoteKit.authorImage(with: "adam-smith").absoluteString
                == "https://images.quotable.dev/profile/700/adam-smith.jpg"
        )
        #expect(QuoteKit.authorImage(with: "adam-smith", size: 200).path == "/profile/200/adam-smith.jpg")
    }
}
