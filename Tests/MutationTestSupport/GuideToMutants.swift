// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

/// The list of mutants that no suite names, in the guide to testing bridges.
package enum GuideToMutants {
    /// Expects that the guide gives for a kind of bridge these reasons, and no others.
    ///
    /// - Parameters:
    ///   - reasons: Why some mutants of a place and a fault are not named.
    ///   - bridge: The kind of bridge, as the guide calls it.
    /// - Throws: What reading the guide throws.
    package static func expect(_ reasons: [String: String], for bridge: String) throws {
        let rows = Self.rows(of: try Self.text(of: Self.guide))
        let listed = rows.filter { $0.count == 4 && $0[0] == bridge }.map { ("\($0[1]): \($0[2])", $0[3]) }
        #expect(Dictionary(uniqueKeysWithValues: listed) == reasons)
    }

    /// Expects that the guide gives how many mutants there are and are left out, and that a suite's page repeats these
    /// figures, those of the last run, and its date.
    ///
    /// - Parameters:
    ///   - references: The bridges, by the names that the tables give them.
    ///   - page: The page of the suite's module.
    /// - Throws: What reading the guide or the page throws.
    package static func expect(_ references: [String: Reference], on page: String) throws {
        let (guide, text) = (try Self.text(of: Self.guide), try Self.text(of: page))
        let rows = Self.rows(of: guide)
        let repeated = Self.rows(of: text)
        for (name, reference) in references {
            let row = try #require(rows.first { $0.first == name && $0.count == 4 }, "no row for \(name)")
            #expect(row[1] == "\(reference.mutants.count)", "\(name)")
            #expect(row[3] == "\(reference.equivalents)", "\(name)")
            #expect(repeated.contains(row), "\(page) does not say \(row)")
        }
        let date = try #require(guide.firstMatch(of: #/%, on (\d{4}-\d{2}-\d{2})\./#)).1
        #expect(text.contains("`Scripts/test-mutants`") && text.contains(" On \(date):"), "\(page), \(date)")
    }

    /// Expects that what is run before a release includes all mutants.
    ///
    /// - Throws: What reading the script throws.
    package static func expectRun() throws {
        #expect(try Self.text(of: "Scripts/test-all").contains("\nScripts/test-mutants\n"))
    }

    private static let guide = "Sources/AsyncBridge/AsyncBridge.docc/Guides/TestingBridges.md"

    private static func text(of path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The cells of the tables.
    private static func rows(of text: String) -> [[String]] {
        text.split(separator: "\n").map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }
}
