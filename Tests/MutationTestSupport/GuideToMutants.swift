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
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = root.appending(path: "Sources/AsyncBridge/AsyncBridge.docc/Guides/TestingBridges.md")
        let rows = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let listed = rows.filter { $0.count == 4 && $0[0] == bridge }.map { ("\($0[1]): \($0[2])", $0[3]) }
        #expect(Dictionary(uniqueKeysWithValues: listed) == reasons)
    }
}
