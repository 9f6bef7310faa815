// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import QuoteKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Addresses", .timeLimit(.minutes(10)))
struct EndpointTests {
    @Test(arguments: [
        (QuotablePath.quotes, "/quotes"),
        (.randomQuote, "/random"),
        (.authors, "/authors"),
        (.tags, "/tags"),
        (.quote("a1"), "/quotes/a1"),
        (.author("b2"), "/authors/b2"),
        (.authorProfile(400, "adam-smith"), "/profile/400/adam-smith.jpg"),
        (.searchQuotes, "/search/quotes"),
        (.searchAuthors, "/search/authors"),
    ])
    func paths(_ path: QuotablePath, _ expected: String) {
        #expect(QuotableEndpoint(path).url.absoluteString == "https://api.quotable.io\(expected)")
    }

    @Test(arguments: [
        (QuotableQueryItem.tags(["love", "time"], .all), "tags=love,time"),
        (.tags(["love", "time"], .either), "tags=love%7Ctime"),
        (.tags(["love"]), "tags=love"),
        (.authors(["adam-smith", "Blaise Pascal"]), "author=adam-smith%7CBlaise%20Pascal"),
        (.slugs(["a", "b"]), "slug=a%7Cb"),
        (.minLength(3), "minLength=3"),
        (.maxLength(4), "maxLength=4"),
        (.limit(5), "limit=5"),
        (.page(6), "page=6"),
        (.sortBy(.quoteCount), "sortBy=quoteCount"),
        (.sortQuotesBy(.dateModified), "sortBy=dateModified"),
        (.order(.ascending), "order=asc"),
        (.order(.descending), "order=desc"),
        (.other(name: "a b", value: "c,d&"), "a%20b=c,d%26"),
        (.search("a+b & \"c\" é"), "query=a%2Bb%20%26%20%22c%22%20%C3%A9"),
    ])
    func `query items`(_ item: QuotableQueryItem, _ expected: String) {
        #expect(QuotableEndpoint(.quotes, queryItems: [item]).url.query() == expected)
    }

    @Test func `several items keep their order`() {
        let endpoint = QuotableEndpoint(.quotes, queryItems: [.limit(1), .page(2)], host: .staging)
        #expect(endpoint.url.absoluteString == "https://staging.quotable.io/quotes?limit=1&page=2")
    }

    @Test func `hosts have names`() async throws {
        #expect(QuotableHost(rawValue: "staging.quotable.io") == .staging)
        #expect(QuotableHost.images.rawValue == "images.quotable.dev")
        #expect(QuotableHost(rawValue: "localhost:8080").rawValue == "localhost:8080")
        #expect(try host("http://127.0.0.1:8080/").rawValue == "127.0.0.1:8080")
    }

    @Test(arguments: ["", "a b c", "[", "http://", "a/../b:", "%"])
    func `what is no host cannot be asked`(_ name: String) async throws {
        let client = QuoteClient(host: QuotableHost(rawValue: name), transport: NoTransport(), retryPolicy: .never)
        // Foundation makes an address of some of them, which nobody answers.
        let error = await #expect(throws: QuoteFetchError.self) { try await client.quote(id: "1") }
        guard case .connection? = error else {
            #expect(error?.description == "The host has no address like 'https://api.quotable.io'.")
            return
        }
    }

    @Test(arguments: ["ftp://localhost", "file:///quotes", "quotes"])
    func `what is not of the web cannot be asked`(_ address: String) async throws {
        let client = QuoteClient(host: try host(address), transport: NoTransport(), retryPolicy: .never)
        let error = await #expect(throws: QuoteFetchError.self) { try await client.quote(id: "1") }
        guard case .invalidURL? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `an ID is no path`() {
        let url = QuotableEndpoint(.quote("../tags?x=1#y")).url
        #expect(url.absoluteString == "https://api.quotable.io/quotes/..%2Ftags%3Fx%3D1%23y")
    }

    @Test(arguments: ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"]) func `a host of ones own`(_ base: String)
        throws
    {
        let endpoint = QuotableEndpoint(.tags)
        #expect(endpoint.url(at: try host(base)).absoluteString == "http://127.0.0.1:8080/tags")
    }

    @Test func `a host may have a path`() throws {
        let endpoint = QuotableEndpoint(.tags, host: try host("http://example.org/api/v1"))
        #expect(endpoint.url.absoluteString == "http://example.org/api/v1/tags")
        #expect(endpoint.url(at: .staging) == endpoint.url)
    }
}

private struct NoTransport: QuoteTransport {
    func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) { throw URLError(.cannotFindHost) }
}
