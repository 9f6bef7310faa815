// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

@testable import QuotableServer

/// A small data file with people and sentences that nobody else has.
enum Fixture {
    static let data = Data(
        #"""
        {
          "added": "2024-01-01",
          "authors": [
            {"slug": "anna-ash", "name": "Anna Ash", "description": "Gardener", "bio": "She gardened.",
             "link": "https://example.org/ash"},
            {"slug": "ben-birch", "name": "Ben Birch", "description": "Carpenter", "bio": "He built.",
             "link": "https://example.org/birch", "added": "2024-03-01"},
            {"slug": "ben-oak-birch", "name": "Ben Oak Birch", "description": "Sailor", "bio": "He sailed.",
             "link": "https://example.org/oak", "added": "2024-02-01", "modified": "2024-05-01"},
            {"slug": "emile-d-cedar-jr", "name": "Émile D. Cedar Jr.", "description": "Cook", "bio": "He cooked.",
             "link": "https://example.org/cedar"}
          ],
          "quotes": [
            {"content": "Rain falls on every roof.", "author": "anna-ash", "work": "Notes", "place": "1",
             "tags": ["weather", "home"], "modified": "2024-06-01"},
            {"content": "A river never asks the way.", "author": "anna-ash", "work": "Notes", "place": "2",
             "tags": ["nature", "famous-quotes"], "added": "2024-01-03"},
            {"content": "Stones remember what rivers forget.", "author": "ben-birch", "work": "Letters", "place": "1",
             "tags": ["nature", "memory"], "added": "2024-01-02"},
            {"content": "Don't count the birds; let them sing.", "author": "ben-oak-birch", "work": "Log", "place": "9",
             "tags": ["nature", "weather"], "added": "2024-01-05"},
            {"content": "The \"café\" is open 100% of_the time.", "author": "emile-d-cedar-jr", "work": "Menu",
             "place": "Back", "tags": ["home", "human-nature"], "added": "2024-01-04"}
          ]
        }
        """#.utf8
    )

    /// As many quotations as wanted, of one author.
    static func data(quotes count: Int) -> Data {
        let quotes = (1...count).map { number in
            #"{"content": "Sentence \#(number).", "author": "anna-ash", "work": "Notes", "place": "\#(number)", "tags": []}"#
        }
        return Data(
            #"""
            {"added": "2024-01-01", "authors": [
              {"slug": "anna-ash", "name": "Anna Ash", "description": "", "bio": "", "link": ""}
            ], "quotes": [\#(quotes.joined(separator: ","))]}
            """#.utf8
        )
    }
}

// Two quotations of the fixture, by the words that they begin with.
let rain = "Rain falls on every roof."
let river = "A river never asks the way."
let stones = "Stones remember what rivers forget."
let birds = "Don't count the birds; let them sing."
let cafe = "The \"café\" is open 100% of_the time."
