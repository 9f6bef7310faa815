// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Hummingbird

/// The routes of the API, over a database.
struct Routes {
    let store: Store

    func add(to router: Router<QuotableContext>) {
        router.get("random", use: self.randomQuote)
        router.get("quotes", use: self.quotes)
        router.get("quotes/random", use: self.randomQuotes)
        router.get("quotes/:id", use: self.quote)
        router.get("authors", use: self.authors)
        router.get("authors/:id", use: self.author)
        router.get("authors/slug/:slug", use: self.authorBySlug)
        router.get("tags", use: self.tags)
        router.get("search/quotes", use: self.searchQuotes)
        router.get("search/authors", use: self.searchAuthors)
        router.get("info/count") { _, _ in try await self.store.counts() }
        router.get("health", use: self.health)
    }

    // MARK: Quotations

    @Sendable private func randomQuote(_ request: Request, _ context: QuotableContext) async throws -> Quote {
        guard let quote = try await self.randomQuotes(Parameters(request), limit: 1).first else {
            throw Refusal.notFound
        }
        return quote
    }

    @Sendable private func randomQuotes(_ request: Request, _ context: QuotableContext) async throws -> [Quote] {
        let parameters = Parameters(request)
        return try await self.randomQuotes(parameters, limit: parameters.number("limit", in: 1...50) ?? 1)
    }

    private func randomQuotes(_ parameters: Parameters, limit: Int) async throws -> [Quote] {
        let query = parameters["query"].map { SearchQuery($0) }
        return try await self.store.randomQuotes(try QuoteFilter(parameters), query: query, limit: limit)
    }

    @Sendable private func quotes(_ request: Request, _ context: QuotableContext) async throws -> Page<Quote> {
        let parameters = Parameters(request)
        return try await self.store.quotes(
            try QuoteFilter(parameters),
            sorting: Sorting(parameters),
            window: Window(parameters)
        )
    }

    @Sendable private func quote(_ request: Request, _ context: QuotableContext) async throws -> Quote {
        guard let quote = try await self.store.quote(id: context.parameters.require("id")) else {
            throw Refusal.notFound
        }
        return quote
    }

    @Sendable private func searchQuotes(_ request: Request, _ context: QuotableContext) async throws -> Page<Quote> {
        let parameters = Parameters(request)
        guard let query = parameters["query"] else { throw Refusal.missing(parameter: "query") }
        let search = SearchQuery(
            query,
            fields: parameters["fields"],
            maximumEdits: parameters.number("fuzzyMaxEdits", in: 0...2) ?? 0
        )
        return try await self.store.searchQuotes(search, window: Window(parameters))
    }

    // MARK: Authors and tags

    @Sendable private func authors(_ request: Request, _ context: QuotableContext) async throws -> Page<Author> {
        let parameters = Parameters(request)
        return try await self.store.authors(
            slugs: try parameters.slugs("slug"),
            sorting: Sorting(parameters),
            window: Window(parameters)
        )
    }

    @Sendable private func author(_ request: Request, _ context: QuotableContext) async throws -> Author {
        guard let author = try await self.store.author(id: context.parameters.require("id")) else {
            throw Refusal.notFound
        }
        return author
    }

    @Sendable private func authorBySlug(_ request: Request, _ context: QuotableContext) async throws -> Author {
        guard let author = try await self.store.author(slug: context.parameters.require("slug")) else {
            throw Refusal.notFound
        }
        return author
    }

    @Sendable private func searchAuthors(_ request: Request, _ context: QuotableContext) async throws -> Page<Author> {
        let parameters = Parameters(request)
        guard let query = parameters["query"] else { throw Refusal.missing(parameter: "query") }
        let search = AuthorQuery(
            query,
            threshold: parameters.number("matchThreshold", in: 1...3) ?? 2,
            matchesPrefixes: parameters.flag("autocomplete", default: true)
        )
        return try await self.store.searchAuthors(search, window: Window(parameters))
    }

    @Sendable private func tags(_ request: Request, _ context: QuotableContext) async throws -> [Tag] {
        try await self.store.tags(sorting: Sorting(Parameters(request)))
    }

    // MARK: The server itself

    @Sendable private func health(_ request: Request, _ context: QuotableContext) async throws -> Health {
        // An answer of the database is what makes the server healthy.
        _ = try await self.store.counts()
        return Health(status: "ok")
    }
}
