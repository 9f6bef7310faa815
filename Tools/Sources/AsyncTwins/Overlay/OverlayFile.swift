// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A file with twins: blocks of this tool, and what users have written around them.
package struct OverlayFile: Sendable {
    enum Segment: Sendable {
        case text([Substring])
        case block(Block)
    }

    typealias Block = OverlayBlock

    var segments: [Segment] = []

    /// Reads a file.
    ///
    /// A marker without an end is a comment.
    package init(_ text: String) {
        var lines: [Substring] = []
        var waiting: (marker: Marker, line: Substring, lines: [Substring])?
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if let marker = Marker(line) {
                if let open = waiting { lines += [open.line] + open.lines }
                waiting = (marker, line, [])
            } else if let open = waiting, line == Marker.end {
                if !lines.isEmpty { segments.append(.text(lines)) }
                segments.append(.block(Block(marker: open.marker, lines: open.lines)))
                (lines, waiting) = ([], nil)
            } else if waiting != nil {
                waiting?.lines.append(line)
            } else {
                lines.append(line)
            }
        }
        if let open = waiting { lines += [open.line] + open.lines }
        if !lines.isEmpty { segments.append(.text(lines)) }
    }

    /// Whether the tool has written any of it.
    package var hasBlocks: Bool { !blocks.isEmpty }

    var blocks: [Block] {
        segments.compactMap { if case .block(let block) = $0 { block } else { nil } }
    }

    /// Whether the block of a function is another one than the tool writes.
    package func isEdited(_ function: PlannedFunction) -> Bool {
        let lines = function.declaration(at: function.rung)?.split(separator: "\n", omittingEmptySubsequences: false)
        return blocks.contains {
            ($0.marker.title, $0.marker.signature) == (function.title, function.signature) && $0.lines != lines
        }
    }

    /// A file whose imports of some modules need not be visible to others, without `public` and `package` before these.
    ///
    /// They came from the source file, whose declarations needed them.
    package static func lowering(importsOf modules: Set<String>, in text: String) -> String {
        guard !modules.isEmpty else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { ImportLines.lowered($0, modules) }
            .joined(separator: "\n")
    }

    /// What is left for users without the blocks, each line where it was.
    package var withoutBlocks: String {
        segments.flatMap { segment -> [Substring] in
            switch segment {
            case .text(let lines): lines
            case .block(let block): Array(repeating: "", count: block.lines.count + 2)
            }
        }
        .joined(separator: "\n")
    }

    /// The lines of each block with its markers, from 1.
    static func places(in text: String) -> [(lines: ClosedRange<Int>, marker: Marker)] {
        var places: [(lines: ClosedRange<Int>, marker: Marker)] = []
        var line = 1
        for segment in OverlayFile(text).segments {
            switch segment {
            case .text(let lines): line += lines.count
            case .block(let block):
                places.append((line...(line + block.lines.count + 1), block.marker))
                line += block.lines.count + 2
            }
        }
        return places
    }
}
