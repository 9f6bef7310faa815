// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import CheckReports
import Foundation

extension Baseline {
    /// Reads a baseline that `--update-baseline` wrote.
    init(file path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("There is no baseline “\(path)”. Make one with --update-baseline.")
        }
        guard let contents = try? JSONDecoder().decode(Contents.self, from: data), contents.version == 1 else {
            throw ValidationError("“\(path)” is not a baseline of this version. Make one with --update-baseline.")
        }
        self.init(
            contents.findings.map {
                Entry(
                    rule: $0.rule,
                    path: $0.path,
                    declaration: $0.declaration,
                    token: $0.token,
                    ordinal: $0.ordinal
                )
            }
        )
    }

    private struct Contents: Decodable {
        struct Item: Decodable {
            var rule: String
            var path: String
            var declaration: String
            var token: String
            var ordinal: Int
        }

        var version: Int
        var findings: [Item]
    }
}
