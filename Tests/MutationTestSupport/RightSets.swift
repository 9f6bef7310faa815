// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

/// The sets of right bridges on which the suites are tried, in the README of the suites.
package enum RightSets {
    /// Expects that the README's number is not more than there are, and that no two of them have the same name.
    ///
    /// - Parameters:
    ///   - set: The name of the set there.
    ///   - names: The names of all in the set.
    /// - Throws: What reading the README throws, or that the set is not in it.
    package static func expect(_ set: String, has names: [String]) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Sources/AsyncBridgeTesting/README.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let row = try #require(rows.first { $0.count == 3 && $0[2] == "`\(set)`" }, "no row for \(set)")
        let number = try #require(Int(row[1]))
        #expect(names.count >= number)
        #expect(Set(names).count == names.count)
    }
}
