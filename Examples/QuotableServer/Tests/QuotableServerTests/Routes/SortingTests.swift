// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

@testable import QuotableServer

@Suite("Sorting", .timeLimit(.minutes(10)))
struct SortingTests {
    @Test(arguments: [
        // Dates go downwards, text upwards.
        ("", [birds, cafe, river, stones, rain]),
        ("sortBy=dateAdded", [birds, cafe, river, stones, rain]),
        ("sortBy=dateAdded&order=asc", [rain, stones, river, cafe, birds]),
        ("sortBy=dateModified", [rain, birds, cafe, river, stones]),
        ("sortBy=dateModified&order=asc", [stones, river, cafe, birds, rain]),
        ("sortBy=content", [river, birds, rain, stones, cafe]),
        ("sortBy=content&order=desc", [cafe, stones, rain, birds, river]),
        ("sortBy=author", [rain, river, stones, birds, cafe]),
        ("sortBy=author&order=desc", [cafe, birds, stones, rain, river]),
        // Whatever is unknown falls back.
        ("sortBy=nonsense", [birds, cafe, river, stones, rain]),
        ("sortBy=content%3B--", [birds, cafe, river, stones, rain]),
        ("sortBy=content&order=sideways", [river, birds, rain, stones, cafe]),
        // Older forms, and any case.
        ("sortBy=CONTENT&order=DESC", [cafe, stones, rain, birds, river]),
        ("sortBy=content&order=descending", [cafe, stones, rain, birds, river]),
        ("sortBy=content&order=-1", [cafe, stones, rain, birds, river]),
        ("sortBy=content&sortOrder=desc", [cafe, stones, rain, birds, river]),
        ("order=ascending", [rain, stones, river, cafe, birds]),
        ("order=1", [rain, stones, river, cafe, birds]),
    ])
    func `quotes are sorted`(query: String, expected: [String]) async throws {
        try await withClient { client async throws in
            #expect(try await client.quotes("/quotes?\(query)") == expected)
        }
    }

    @Test(arguments: [
        ("", ["anna-ash", "ben-birch", "ben-oak-birch", "emile-d-cedar-jr"]),
        ("order=desc", ["emile-d-cedar-jr", "ben-oak-birch", "ben-birch", "anna-ash"]),
        ("sortBy=dateAdded", ["ben-birch", "ben-oak-birch", "anna-ash", "emile-d-cedar-jr"]),
        ("sortBy=dateAdded&order=asc", ["anna-ash", "emile-d-cedar-jr", "ben-oak-birch", "ben-birch"]),
        ("sortBy=dateModified", ["ben-oak-birch", "ben-birch", "anna-ash", "emile-d-cedar-jr"]),
        ("sortBy=quoteCount", ["anna-ash", "ben-birch", "ben-oak-birch", "emile-d-cedar-jr"]),
        ("sortBy=quoteCount&order=asc", ["ben-birch", "ben-oak-birch", "emile-d-cedar-jr", "anna-ash"]),
        ("sortBy=content", ["anna-ash", "ben-birch", "ben-oak-birch", "emile-d-cedar-jr"]),
    ])
    func `authors are sorted`(query: String, expected: [String]) async throws {
        try await withClient { client async throws in
            // "É" comes after every ASCII letter, as the names are compared by their bytes.
            #expect(try await client.authors("/authors?\(query)") == expected)
        }
    }

    @Test(arguments: [
        ("", ["famous-quotes", "home", "human-nature", "memory", "nature", "weather"]),
        ("?order=desc", ["weather", "nature", "memory", "human-nature", "home", "famous-quotes"]),
        ("?sortBy=quoteCount", ["nature", "weather", "home", "famous-quotes", "memory", "human-nature"]),
        ("?sortBy=quoteCount&order=asc", ["famous-quotes", "memory", "human-nature", "weather", "home", "nature"]),
        ("?sortBy=dateAdded", ["weather", "home", "nature", "famous-quotes", "memory", "human-nature"]),
        ("?sortBy=dateModified&order=asc", ["weather", "home", "nature", "famous-quotes", "memory", "human-nature"]),
    ])
    func `tags are sorted`(query: String, expected: [String]) async throws {
        try await withClient { client async throws in
            #expect(try await client.get("/tags\(query)", as: [QuotableServer.Tag].self).map(\.slug) == expected)
        }
    }
}
