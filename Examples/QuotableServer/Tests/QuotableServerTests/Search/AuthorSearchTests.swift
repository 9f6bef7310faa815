// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

@testable import QuotableServer

@Suite("Search for authors", .timeLimit(.minutes(10)))
struct AuthorSearchTests {
    @Test(arguments: [
        ("query=ben", ["ben-birch", "ben-oak-birch"]),
        ("query=BEN", ["ben-birch", "ben-oak-birch"]),
        ("query=be", ["ben-birch", "ben-oak-birch"]),
        ("query=b", ["ben-birch", "ben-oak-birch"]),
        ("query=be&autocomplete=false", []),
        ("query=ben&autocomplete=false", ["ben-birch", "ben-oak-birch"]),
        ("query=be&autocomplete=nonsense", ["ben-birch", "ben-oak-birch"]),
        // Two terms, two of which must match.
        ("query=ben+birch", ["ben-birch", "ben-oak-birch"]),
        ("query=anna+birch", []),
        ("query=anna+birch&matchThreshold=1", ["ben-birch", "anna-ash", "ben-oak-birch"]),
        ("query=ben+oak+birch&matchThreshold=3", ["ben-oak-birch"]),
        ("query=ben+oak+birch", ["ben-oak-birch", "ben-birch"]),
        ("query=ben+oak+birch&matchThreshold=9", ["ben-oak-birch"]),
        ("query=ben+oak+birch&matchThreshold=two", ["ben-oak-birch", "ben-birch"]),
        // Initials and suffixes are no terms, unless there is nothing else.
        ("query=Ben+X.+Jr.", ["ben-birch", "ben-oak-birch"]),
        ("query=cedar+d+jr", ["emile-d-cedar-jr"]),
        ("query=jr", ["emile-d-cedar-jr"]),
        ("query=emile", ["emile-d-cedar-jr"]),
        ("query=%C3%A9mile", ["emile-d-cedar-jr"]),
        ("query=zebra", []),
        ("query=%3B", []),
    ])
    func `names are found`(query: String, expected: [String]) async throws {
        try await withClient { client in
            let page: Page<Author> = try await client.get("/search/authors?\(query)")
            #expect(Set(page.results.map(\.slug)) == Set(expected))
            #expect(page.totalCount == expected.count)
        }
    }

    @Test func `the nearest name comes first`() async throws {
        try await withClient { client async throws in
            #expect(try await client.authors("/search/authors?query=ben+birch") == ["ben-birch", "ben-oak-birch"])
            #expect(try await client.authors("/search/authors?query=oak+birch+ben").first == "ben-oak-birch")
        }
    }
}
