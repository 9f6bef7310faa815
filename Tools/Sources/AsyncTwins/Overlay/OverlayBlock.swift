// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A twin in a file, between its markers.
struct OverlayBlock: Sendable {
    var marker: Marker
    /// The lines between the markers.
    var lines: [Substring]

    private static let complaint = "// Does not compile: "

    /// A block that users have not seen yet.
    init(_ function: PlannedFunction, _ signature: String) {
        marker = Marker(function, signature)
        let declaration = function.declaration(at: function.rung) ?? ""
        lines = declaration.split(separator: "\n", omittingEmptySubsequences: false)
        if let errors = function.rung.errors { lines = Self.commentedOut(lines, errors) }
        if !marker.rung.isPlain { marker.written = textSignature }
    }

    init(marker: Marker, lines: [Substring]) {
        (self.marker, self.lines) = (marker, lines)
    }

    /// How far down it is: a block that somebody has uncommented is compiled again.
    var rung: Rung {
        var rung = marker.rung
        if rung.errors != nil, hasCode { rung.errors = nil }
        return rung
    }

    private var hasCode: Bool { lines.contains { !$0.isEmpty && !$0.hasPrefix("//") } }

    var text: String { lines.joined(separator: "\n") }

    private var textSignature: String { Marker.signature(of: text) }

    /// Whether somebody has changed what the tool wrote; `nil` if an earlier version wrote it, and nothing tells.
    var isEdited: Bool? {
        if let written = marker.written ?? (marker.rung.isPlain ? marker.signature : nil) {
            return textSignature != written
        }
        return marker.rung.errors != nil && hasCode ? true : nil
    }

    // MARK: Comments

    /// The block as it is, but for code, which is a comment, and for what the compiler says.
    func commentedOut(_ errors: [String]) -> [Substring] { Self.commentedOut(lines, errors) }

    private static func commentedOut(_ lines: [Substring], _ errors: [String]) -> [Substring] {
        errors.map { Substring(complaint + $0) }
            + lines.filter { !$0.hasPrefix(complaint) }.map { line in
                line.hasPrefix("//") ? line : line.isEmpty ? "//" : "// " + line
            }
    }

    /// The code of a block that is commented out.
    private var uncommented: [Substring] {
        lines.filter { !$0.hasPrefix(Self.complaint) }.map { line in
            line.hasPrefix("// ") ? line.dropFirst(3) : line == "//" ? "" : line
        }
    }

    /// Whether the lines of another block are in this one, if only as comments.
    func has(_ other: OverlayBlock) -> Bool { lines == other.lines || uncommented == other.uncommented }
}

extension Rung {
    /// Whether the twin is as it was planned.
    var isPlain: Bool { self == Rung() }
}
