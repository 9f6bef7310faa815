// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftParser
package import SwiftSyntax

/// A parsed file, with what all rules ask of it.
package struct SourceFile: Sendable {
    package let path: String
    package let tree: SourceFileSyntax
    /// Where each line begins, in bytes.
    package let lineStarts: [Int]
    package let text: [UInt8]
    let identifiers: IdentifierIndex

    /// Parses a file.
    ///
    /// `nesting` is how deep code may be nested: more of it needs a larger stack.
    package init(path: String, source: String, nesting: Int? = nil) {
        self.path = path
        var parser = Parser(source, maximumNestingLevel: nesting)
        self.tree = SourceFileSyntax.parse(from: &parser)
        let text = Array(source.utf8)
        self.text = text
        self.lineStarts = Self.lineStarts(of: text)
        self.identifiers = IdentifierIndex(tree)
    }

    /// How many bytes the source has.
    package var size: Int { text.count }

    /// Where brackets are nested so deep that the parser would not end.
    package static func tooDeepBracket(in source: String) -> Location? {
        guard let offset = BracketNesting.excess(in: source.utf8) else { return nil }
        let text = Array(source.utf8)
        return location(of: offset, in: text, lineStarts: lineStarts(of: text))
    }

    private static func lineStarts(of text: [UInt8]) -> [Int] {
        var starts = [0]
        for offset in text.indices {
            switch text[offset] {
            case UInt8(ascii: "\n"): starts.append(offset + 1)
            // Alone it ends a line, too, for the compiler.
            case UInt8(ascii: "\r") where offset + 1 == text.count || text[offset + 1] != UInt8(ascii: "\n"):
                starts.append(offset + 1)
            default: break
            }
        }
        return starts
    }

    /// Line and column, both from 1, of a position in bytes.
    package func location(of offset: Int) -> Location {
        Self.location(of: offset, in: text, lineStarts: lineStarts)
    }

    private static func location(of offset: Int, in text: [UInt8], lineStarts: [Int]) -> Location {
        var low = 0
        var high = lineStarts.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle - 1 }
        }
        let before = text[lineStarts[low]..<min(max(lineStarts[low], offset), text.count)]
        return Location(
            line: low + 1,
            column: offset - lineStarts[low] + 1,
            scalarColumn: before.count { $0 & 0xC0 != 0x80 } + 1
        )
    }

    /// A line's text, without its end.
    package func line(_ number: Int) -> String {
        guard number >= 1, number <= lineStarts.count else { return "" }
        let start = lineStarts[number - 1]
        let end = number < lineStarts.count ? lineStarts[number] : text.count
        let line = text[start..<end].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return String(decoding: line, as: UTF8.self)
    }

    /// What ends the line of a position: the last line has the end of the one before it.
    func lineEnd(at offset: Int) -> String {
        let line = location(of: offset).line
        let next = line < lineStarts.count ? line : line - 1
        guard next > 0 else { return "\n" }
        let whole = text[lineStarts[next - 1]..<lineStarts[next]]
        let end = whole.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return String(decoding: end, as: UTF8.self)
    }

    package var lineCount: Int { lineStarts.count }

    /// The first place that the parser could not make sense of.
    package var firstSyntaxError: Int? {
        guard tree.hasError else { return nil }
        var node = Syntax(tree)
        while let child = node.children(viewMode: .all).first(where: \.hasError) { node = child }
        return node.positionAfterSkippingLeadingTrivia.utf8Offset
    }
}

/// A place in a file.
///
/// All numbers begin with 1. Columns count bytes, as those of the compiler do.
package struct Location: Hashable, Sendable, Comparable {
    package var line: Int
    package var column: Int
    /// The column in Unicode scalars.
    package var scalarColumn: Int

    package static func < (left: Location, right: Location) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
