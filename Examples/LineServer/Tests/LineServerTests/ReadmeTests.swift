// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

@Suite("The README", .timeLimit(.minutes(10)))
struct ReadmeTests {
    @Test
    func `shows code that is there`() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let forms = package.appending(path: "Sources/LineServer/Forms")
        let sources = try FileManager.default.contentsOfDirectory(at: forms, includingPropertiesForKeys: nil)
            .map { try self.lines(of: String(contentsOf: $0, encoding: .utf8)) }
        let readme = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map { block in
            self.lines(of: block.components(separatedBy: "```")[0])
        }
        #expect(blocks.count == 3)
        for block in blocks {
            #expect(
                sources.contains { source in
                    source.indices.contains { source[$0...].starts(with: block) }
                },
                "\(block.first ?? "")"
            )
        }
    }

    /// Without indentation, blank lines, and the brace that ends the text.
    private func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
