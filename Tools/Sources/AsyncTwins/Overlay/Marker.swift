// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The comment line above a block that this tool has written.
///
/// It looks like `// asyncbridge: Api.user(_:completion:) 1a2b3c4d proven`, or, if the twin has gone down,
/// `// asyncbridge: Api.user(_:completion:) 1a2b3c4d 5e6f7a8b proven unchecked`.
struct Marker: Hashable, Sendable {
    private static let start = "// asyncbridge: "
    /// The line below a block.
    static let end = "// asyncbridge: end"

    /// The function whose twin it is.
    var title: String
    /// The signature of the function when the block was written.
    var signature: String
    var marks: [String]
    /// The signature of what the tool wrote below, if that is not the plain twin, whose signature is the other one.
    var written: String?

    init(_ planned: PlannedFunction, _ signature: String) {
        title = planned.title
        self.signature = signature
        marks = [planned.verdict.word] + planned.rung.marks
    }

    /// Reads a line; `nil` if it is something else.
    init?(_ line: Substring) {
        guard line.hasPrefix(Self.start), let parenthesis = line.lastIndex(of: ")") else { return nil }
        title = String(line[...parenthesis].dropFirst(Self.start.count))
        let words = line[line.index(after: parenthesis)...].split(separator: " ").map(String.init)
        guard let first = words.first, Self.isSignature(first) else { return nil }
        signature = first
        marks = Array(words.dropFirst())
        if let second = marks.first, Self.isSignature(second) { written = marks.removeFirst() }
    }

    private static func isSignature(_ word: String) -> Bool { word.count == 8 && word.allSatisfy(\.isHexDigit) }

    /// A number that stands for the text of a block.
    static func signature(of text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String((hash ^ hash >> 32) & 0xffff_ffff, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The title without the labels.
    var name: Substring { title.prefix { $0 != "(" } }

    var line: String {
        Self.start + ([title, signature] + [written].compactMap(\.self) + marks).joined(separator: " ")
    }

    /// How far the block has gone down, without what the compiler says.
    var rung: Rung {
        var rung = Rung()
        rung.isUnchecked = marks.contains("unchecked")
        rung.isUncancelled = marks.contains("uncancelled")
        rung.isRenamed = marks.contains("renamed")
        if marks.contains("commented-out") { rung.errors = [] }
        return rung
    }
}
