// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A block of Swift in a text for readers: between ` ```swift ` and the next fence.
struct CodeBlock: Equatable {
    /// The line of the opening fence, counted from 1.
    let line: Int

    /// The code, without indentation and blank lines.
    let code: [String]
}

extension CodeBlock {
    /// Finds the blocks of a Markdown text.
    static func blocks(inMarkdown text: String) -> [CodeBlock] { Self.blocks(in: Self.lines(of: text)) }

    /// Finds the blocks of the doc comments of a Swift file.
    static func blocks(inDocCommentsOf source: String) -> [CodeBlock] {
        // Lines that are no doc comment end every block, as they do for the compiler.
        Self.blocks(in: Self.lines(of: source).map { $0.hasPrefix("///") ? $0.dropFirst(3).trimmed : "```" })
    }

    /// The code of a snippet, without its markers, indentation and blank lines.
    static func code(ofSnippet source: String) -> [String] {
        Self.lines(of: source).filter { !$0.isEmpty && !$0.hasPrefix("// snippet.") }
    }

    /// Tells whether the block stands in some code, in one piece.
    func stands(in code: [String]) -> Bool {
        guard self.code.count <= code.count else { return false }
        return (0...(code.count - self.code.count)).contains { start in
            code[start..<(start + self.code.count)].elementsEqual(self.code)
        }
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(\.trimmed)
    }

    private static func blocks(in lines: [String]) -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var open: (line: Int, code: [String], isSwift: Bool)?
        for (index, line) in lines.enumerated() {
            guard line.hasPrefix("```") else {
                if !line.isEmpty { open?.code.append(line) }
                continue
            }
            if let block = open, line == "```" {
                if block.isSwift { blocks.append(CodeBlock(line: block.line, code: block.code)) }
                open = nil
            } else if line != "```" {
                open = (index + 1, [], line == "```swift")
            }
        }
        return blocks
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    var trimmed: String {
        let start = self.drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
