// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftParser
import SwiftSyntax

/// Writes blocks with twins: into a file of their own, or at the end of the source file.
package struct OverlayWriter: TwinWriter {
    /// The name of the source file.
    private var source: String
    /// The imports of the source file; none if it is the file itself.
    private var imports: [String]
    /// The comment above everything.
    private var license: [String]
    package var existing: String?
    /// Whether the file is the source file.
    private var isInPlace: Bool

    /// Writes a file of its own.
    package init(source: String, imports: [String], license: [String] = [], existing: String?) {
        self.source = source
        self.imports = imports
        self.license = license
        self.existing = existing
        isInPlace = false
    }

    /// Writes into the source file, where twins reach what is private.
    package init(inPlaceOf text: String) {
        source = ""
        imports = []
        license = []
        existing = text
        isInPlace = true
    }

    /// Takes over how far down each twin has gone already.
    ///
    /// A twin that was commented out stays so until its function changes.
    package func adopt(_ functions: inout [PlannedFunction], _ indices: [Int]) {
        guard let existing else { return }
        let blocks = OverlayFile(existing).blocks
        let markers = blocks.map(\.marker)
        let signatures = indices.map { Marker(functions[$0], functions[$0].signature) }
        for (block, place) in Self.match(markers, signatures) {
            var rung = blocks[block].rung
            if markers[block].signature != signatures[place].signature { rung.errors = nil }
            functions[indices[place]].rung = rung
        }
    }

    /// The file; `nil` if nothing is left in it.
    package func text(of functions: [PlannedFunction]) -> String? {
        guard let existing else {
            return functions.isEmpty
                ? nil : Self.text(header + functions.map { .block(block($0, $0.signature, replacing: nil)) })
        }
        let old = OverlayFile(existing)
        if isInPlace, functions.isEmpty, !old.hasBlocks { return existing }
        let signatures = functions.map(\.signature)
        let markers = zip(functions, signatures).map { Marker($0, $1) }
        let matches = Self.match(old.blocks.map(\.marker), markers)
        var segments: [OverlayFile.Segment] = []
        /// Where the block of each function is among the segments.
        var places: [Int: Int] = [:]
        var count = 0
        var isAfterRemoval = false
        for segment in old.segments {
            switch segment {
            case .text(var lines):
                // The blank line below a block goes with it.
                if isAfterRemoval, lines.first?.isEmpty == true { lines.removeFirst() }
                if !lines.isEmpty { segments.append(.text(lines)) }
                isAfterRemoval = false
            case .block(let oldBlock):
                if let function = matches[count] {
                    places[function] = segments.count
                    let new = block(functions[function], signatures[function], replacing: oldBlock)
                    segments.append(.block(new))
                }
                isAfterRemoval = matches[count] == nil
                count += 1
            }
        }
        segments = adding(functions, signatures, to: segments, places)
        let hasBlocks = segments.contains { if case .block = $0 { true } else { false } }
        guard hasBlocks || isInPlace || !Self.isHeader(segments) else { return nil }
        let text = Self.text(addingImports(to: segments))
        return existing.contains("\r\n") ? text.replacing("\n", with: "\r\n") : text
    }

    /// Puts new blocks behind the one that comes before them in the source, or before the first one.
    private func adding(
        _ functions: [PlannedFunction],
        _ signatures: [String],
        to segments: [OverlayFile.Segment],
        _ places: [Int: Int]
    ) -> [OverlayFile.Segment] {
        var segments = segments
        var next = segments.firstIndex { if case .block = $0 { true } else { false } } ?? segments.count
        var added = 0
        for index in functions.indices {
            if let place = places[index] {
                next = place + added + 1
            } else {
                segments.insert(.block(block(functions[index], signatures[index], replacing: nil)), at: next)
                added += 1
                next += 1
            }
        }
        return segments
    }

    /// Which block is whose: by title and signature, by title, and by name if only parameters have changed.
    ///
    /// The keys are places among the blocks, the values among the functions.
    private static func match(_ blocks: [Marker], _ functions: [Marker]) -> [Int: Int] {
        var matches: [Int: Int] = [:]
        var free = Set(functions.indices)
        let isSame: [(Marker, Marker) -> Bool] = [
            { $0.title == $1.title && $0.signature == $1.signature },
            { $0.title == $1.title },
            { $0.name == $1.name },
        ]
        for isSame in isSame {
            for block in blocks.indices where matches[block] == nil {
                guard let function = free.sorted().first(where: { isSame(blocks[block], functions[$0]) }) else {
                    continue
                }
                matches[block] = function
                free.remove(function)
            }
        }
        return matches
    }

    // MARK: Blocks

    /// The block of a function: the old one, unless the function, or how far down its twin is, has changed.
    private func block(
        _ function: PlannedFunction,
        _ signature: String,
        replacing old: OverlayFile.Block?
    ) -> OverlayFile.Block {
        guard let old, old.marker.signature == signature else { return OverlayBlock(function, signature) }
        var marker = Marker(function, signature)
        if old.rung.marks == marker.rung.marks {
            marker.written = marker.rung.isPlain ? nil : old.marker.written
            return OverlayBlock(marker: marker, lines: old.lines)
        }
        var new = OverlayBlock(function, signature)
        // What somebody has written stays there, as a comment.
        if let errors = function.rung.errors, isEdited(old, function) { new.lines = old.commentedOut(errors) }
        return new
    }

    private func isEdited(_ block: OverlayBlock, _ function: PlannedFunction) -> Bool {
        block.isEdited ?? (block.text != function.declaration(at: block.rung))
    }

    // MARK: The head of the file

    private var neededImports: [String] {
        var all: [String] = []
        for text in ["import AsyncBridge"] + imports where !all.contains(text) { all.append(text) }
        return all
    }

    private var header: [OverlayFile.Segment] {
        let head = license.isEmpty ? "" : license.joined(separator: "\n") + "\n\n"
        let words = """
            \(head)// Async functions for those of \(source) that have a completion handler, written by “asyncbridge wrap”.
            // A block without the line above it is yours: the tool does not touch it again.

            \(neededImports.joined(separator: "\n"))

            """
        return [.text(words.split(separator: "\n", omittingEmptySubsequences: false))]
    }

    /// Whether nothing is left but what the tool writes above the first block.
    private static func isHeader(_ segments: [OverlayFile.Segment]) -> Bool {
        var lines: [Substring] = []
        for segment in segments {
            guard case .text(let text) = segment else { return false }
            lines += text
        }
        // Above that line is the license, and nothing else.
        let words = lines.firstIndex { $0.hasPrefix("// Async functions for") }
        if let words, !Self.hasCode(lines[..<words]) { lines.removeSubrange(...words) }
        return lines.allSatisfy { line in
            line.isEmpty || Self.isImport(line) || line.hasPrefix("// A block without the line above it")
                || ["#if ", "#elseif ", "#else", "#endif"].contains(where: line.hasPrefix)
        }
    }

    private static func hasCode(_ lines: ArraySlice<Substring>) -> Bool {
        !Parser.parse(source: lines.joined(separator: "\n")).statements.isEmpty
    }

    private static func isImport(_ line: Substring) -> Bool {
        line.hasPrefix("import ") || line.hasPrefix("@") && line.contains(" import ")
            || ["public", "package", "internal", "private", "fileprivate"].contains { line.hasPrefix("\($0) import ") }
    }

    // MARK: Places

    package func places(of functions: [PlannedFunction], in text: String) -> [(lines: ClosedRange<Int>, function: Int)]
    {
        let signatures = functions.map { ($0.title, $0.signature) }
        return OverlayFile.places(in: text).compactMap { place in
            let found = signatures.firstIndex { $0 == (place.marker.title, place.marker.signature) }
            return found.map { (place.lines, $0) }
        }
    }

    package func isInBlock(line: Int, of text: String) -> Bool {
        OverlayFile.places(in: text).contains { $0.lines.contains(line) }
    }

    package func isHead(line: Int, of text: String) -> Bool {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.indices.contains(line - 1) else { return false }
        return isInPlace
            ? lines[line - 1] == "import AsyncBridge"
            : OverlayFile.places(in: text).first.map { line < $0.lines.lowerBound } == true
    }

    /// Adds imports that the source file has got since.
    private func addingImports(to segments: [OverlayFile.Segment]) -> [OverlayFile.Segment] {
        guard case .text(var lines)? = segments.first else { return isInPlace ? segments : header + segments }
        let text = "\n" + lines.joined(separator: "\n") + "\n"
        let modules = Set(lines.filter(Self.isImport).map { ImportLines.module(of: String($0)) })
        let missing = neededImports.filter { line in
            !text.contains("\n\(line)\n") && !modules.contains(ImportLines.module(of: line))
        }
        guard !missing.isEmpty else { return segments }
        let last = lines.lastIndex(where: Self.isImport)
        lines.insert(
            contentsOf: missing.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) },
            at: last.map { $0 + 1 } ?? lines.count
        )
        return [.text(lines)] + segments.dropFirst()
    }

    /// One blank line between blocks.
    private static func text(_ segments: [OverlayFile.Segment]) -> String {
        var lines: [Substring] = []
        for segment in segments {
            switch segment {
            case .text(let text): lines += text
            case .block(let block):
                if let last = lines.last, !last.isEmpty { lines.append("") }
                lines += [Substring(block.marker.line)] + block.lines + [Substring(Marker.end)]
            }
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }
}
