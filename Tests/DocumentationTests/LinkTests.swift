// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

@Suite("Links between files", .timeLimit(.minutes(10)))
struct LinkTests {
    @Test(arguments: ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "Examples/README.md"])
    func `lead somewhere`(_ path: String) throws { try self.check(try PackageFiles.file(path)) }

    @Test(arguments: PackageFiles.documentedModules)
    func `of guides, lead somewhere`(_ module: String) throws {
        let guides = try PackageFiles.files(under: PackageFiles.catalogue(of: module), ending: ".md")
        #expect(!guides.isEmpty)
        for guide in guides { try self.check(guide) }
    }

    private func check(_ file: PackageFile) throws {
        let folder = PackageFiles.root.appending(path: file.path).deletingLastPathComponent()
        for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for match in line.matches(of: /\]\(([^)#]+)\)/) where !match.1.contains("://") {
                let target = folder.appending(path: String(match.1)).path(percentEncoded: false)
                if !FileManager.default.fileExists(atPath: target) {
                    Issue.record("\(file.path):\(index + 1): there is no \(match.1)")
                }
            }
        }
    }
}
