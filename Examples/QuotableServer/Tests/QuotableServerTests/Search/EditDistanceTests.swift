// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

@testable import QuotableServer

@Suite("The distance between words", .timeLimit(.minutes(10)))
struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("a", "a", 0), ("river", "rivers", 1), ("river", "rver", 1), ("river", "rover", 1),
        ("river", "rievr", 1), ("river", "riiverr", 2), ("stone", "notes", nil), ("a", "", 1), ("", "abc", nil),
        ("ab", "ba", 1), ("abcd", "badc", 2),
    ])
    func `the distance counts letters`(first: String, second: String, expected: Int?) {
        #expect(editDistance(Array(first.utf8), Array(second.utf8), limit: 2) == expected)
        #expect(editDistance(Array(second.utf8), Array(first.utf8), limit: 2) == expected)
    }
}
