// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

@Suite("Links between files")
struct LinkTests {
    @Test(arguments: ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "Examples/README.md"])
    func leadSomewhere(_ path: String) throws {
        let file = try PackageFiles.file(path)
        let folder = PackageFiles.root.appending(path: path).deletingLastPathComponent()
        for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for match in line.matches(of: /\]\(([^)#]+)\)/) where !match.1.contains("://") {
                let target = folder.appending(path: String(match.1)).path(percentEncoded: false)
                if !FileManager.default.fileExists(atPath: target) {
                    Issue.record("\(path):\(index + 1): there is no \(match.1)")
                }
            }
        }
    }
}
