// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

@Suite("Links between files", .timeLimit(.minutes(10)))
struct LinkTests {
    @Test(
        arguments: [
            "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "STABILITY.md",
            "CODE_OF_CONDUCT.md", "Examples/README.md", PackageFiles.startPage,
        ]
    )
    func `lead somewhere`(_ path: String) throws { try self.check(try PackageFiles.file(path)) }

    @Test func `beside the code, lead somewhere`() throws {
        let pages = try PackageFiles.files(under: "Sources", ending: "README.md")
        #expect(!pages.isEmpty)
        for page in pages { try self.check(page) }
    }

    @Test(arguments: PackageFiles.documentedModules)
    func `of guides, lead somewhere`(_ module: String) throws {
        let guides = try PackageFiles.files(under: PackageFiles.catalogue(of: module), ending: ".md")
        #expect(!guides.isEmpty)
        for guide in guides { try self.check(guide) }
    }

    /// The path of each link, and a heading's anchor, if it has one.
    private func check(_ file: PackageFile) throws {
        let folder = PackageFiles.root.appending(path: file.path).deletingLastPathComponent()
        for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for match in line.matches(of: /\]\(([^)#]*)(?:#([^)]+))?\)/) where !match.1.contains("://") {
                // A badge, which only the code's host has; and the page of all modules, which only the site has.
                if match.1.hasPrefix("../../actions/") || match.1 == "/documentation" { continue }
                let target =
                    match.1.isEmpty
                    ? PackageFiles.root.appending(path: file.path)
                    : folder.appending(path: String(match.1))
                let path = target.path(percentEncoded: false)
                if !FileManager.default.fileExists(atPath: path) {
                    Issue.record("\(file.path):\(index + 1): there is no \(match.1)")
                } else if let anchor = match.2, path.hasSuffix(".md") {
                    let text = try String(contentsOf: target, encoding: .utf8)
                    if !Headings.anchors(of: text).contains(String(anchor)) {
                        Issue.record("\(file.path):\(index + 1): \(match.1) has no heading #\(anchor)")
                    }
                }
            }
        }
    }
}

/// The headings of a text, as a code's host links to them.
enum Headings {
    static func anchors(of text: String) -> Set<String> {
        var anchors: Set<String> = []
        var isCode = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode, let match = line.wholeMatch(of: /#{1,6} (.+)/) else { continue }
            let kept = match.1.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " " }
            anchors.insert(kept.replacing(" ", with: "-"))
        }
        return anchors
    }
}

@Suite("Headings are found", .timeLimit(.minutes(10)))
struct HeadingTests {
    @Test func `outside code, as their anchors`() {
        let text = "# One `two`\n```sh\n# no\n```\n### What happens when…\n"
        #expect(Headings.anchors(of: text) == ["one-two", "what-happens-when"])
    }
}
