// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ExactlyOnce
import SwiftSyntax

/// A change of a file.
package struct SourceEdit: Hashable, Sendable {
    /// The bytes that are replaced.
    package let range: Range<Int>
    package let text: String
}

extension SourceFile {
    /// The file with these changes, and the lines of each, from 1, by its index among them.
    ///
    /// They stand in the order of the file; `nil` is one that is not made.
    package func edited(_ edits: [SourceEdit?]) -> (text: String, lines: [(lines: ClosedRange<Int>, edit: Int)]) {
        var result: [UInt8] = []
        var lines: [(lines: ClosedRange<Int>, edit: Int)] = []
        var position = 0
        var line = 1
        func add(_ bytes: some Sequence<UInt8>) {
            let start = result.count
            result += bytes
            line += result[start...].count { $0 == UInt8(ascii: "\n") }
        }
        for (index, edit) in edits.enumerated() {
            guard let edit else { continue }
            add(text[position..<edit.range.lowerBound])
            let first = line
            add(edit.text.replacing("\n", with: newline).utf8)
            lines.append((first...line, index))
            position = edit.range.upperBound
        }
        add(text[position...])
        return (String(decoding: result, as: UTF8.self), lines)
    }

    /// What ends its lines.
    var newline: String { text.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n" }

    /// How far the line is indented in which something begins.
    func indentation(around node: some SyntaxProtocol) -> String {
        let line = line(location(of: node.positionAfterSkippingLeadingTrivia.utf8Offset).line)
        return String(line.prefix { $0 == " " || $0 == "\t" })
    }

    /// Adds an import, unless there is one; what it adds has the line ends of ``edited(_:)``.
    func importing(_ name: String) -> SourceEdit? {
        let imports = tree.statements.compactMap { $0.item.as(ImportDeclSyntax.self) }
        guard !imports.contains(where: { $0.path.trimmedDescription == name }) else { return nil }
        // Linters want imports in order, where they are.
        let names = imports.map(\.path.trimmedDescription)
        if names == names.sorted(), imports.allSatisfy({ $0.attributes.isEmpty }),
            let next = imports.first(where: { $0.path.trimmedDescription > name })
        {
            let start = next.positionAfterSkippingLeadingTrivia.utf8Offset
            return SourceEdit(range: start..<start, text: "import \(name)\n")
        }
        if let last = imports.last {
            let end = last.endPositionBeforeTrailingTrivia.utf8Offset
            return SourceEdit(range: end..<end, text: "\nimport \(name)")
        }
        return SourceEdit(range: headEnd..<headEnd, text: "import \(name)\n\n")
    }

    /// Where the comment ends that is the head of the file, with the blank line below: what stands behind it may belong
    /// to the first declaration.
    private var headEnd: Int {
        guard tree.shebang == nil else { return tree.statements.positionAfterSkippingLeadingTrivia.utf8Offset }
        var offset = 0
        var isInComment = false
        for piece in tree.leadingTrivia {
            offset += piece.sourceLength.utf8Length
            switch piece {
            case .lineComment, .blockComment, .docLineComment, .docBlockComment: isInComment = true
            case .newlines(let count), .carriageReturnLineFeeds(let count):
                if count > 1, isInComment { return offset }
            default: break
            }
        }
        // The only comment is that of the first declaration.
        return 0
    }
}

extension String {
    /// The lines without those that are blank at the ends, and without what all are indented by.
    var dedentedLines: [String] {
        var lines = replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        while lines.first?.isBlank == true { lines.removeFirst() }
        while lines.last?.isBlank == true { lines.removeLast() }
        // What begins behind a brace is not indented by itself.
        let rest = lines.first?.first?.isWhitespace == false ? lines.dropFirst() : lines[...]
        let common = rest.filter { !$0.isBlank }.map { $0.prefix { $0 == " " || $0 == "\t" }.count }.min() ?? 0
        return lines.enumerated().map { index, line in
            if line.isBlank { return "" }
            return index < lines.count - rest.count ? line : String(line.dropFirst(common))
        }
    }

    private var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
