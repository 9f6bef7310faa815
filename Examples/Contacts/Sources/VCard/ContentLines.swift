// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The lines of a file, unfolded: a line that begins with a blank goes on with the one before.
///
/// In version 2.1 that blank belongs to the text, and a quoted line that ends with `=` goes on with the next one.
struct ContentLines {
    struct Line {
        /// The number of its first line in the file, counted from 1.
        var number: Int

        /// UTF-8, which has been checked, but for the old versions; without control characters.
        var bytes: [UInt8]
    }

    /// The version of the card that is read.
    var version = Version.four

    private let bytes: [UInt8]
    private let limit: Int
    private var index = 0
    /// The number of the line at `index`.
    private var number = 1

    /// - Parameters:
    ///   - bytes: The file.
    ///   - limit: The number of bytes that a line may have, once it is unfolded.
    /// - Throws: ``VCardError``, if the file looks like UTF-16 and is not.
    init(_ bytes: [UInt8], limit: Int) throws(VCardError) {
        self.bytes = try FileText.withoutUTF16(bytes)
        self.limit = limit
    }

    /// The next line that is not empty.
    mutating func next() throws(VCardError) -> Line? {
        while self.index < self.bytes.count {
            let number = self.number
            let first = self.takePhysicalLine()
            if first.isEmpty { continue }
            guard !Self.isBlank(first[first.startIndex]) else {
                throw VCardError(line: number, reason: "The line begins with a blank, but continues no line.")
            }
            var line = [UInt8]()
            try self.append(first, to: &line, number)
            while self.index < self.bytes.count {
                if self.endsSoftly(line) {
                    line.removeLast()
                    try self.append(self.takePhysicalLine(), to: &line, number)
                } else if Self.isBlank(self.bytes[self.index]) {
                    let part = self.takePhysicalLine()
                    try self.append(self.version == .two ? part : part.dropFirst(), to: &line, number)
                } else {
                    break
                }
            }
            return try self.checked(Line(number: number, bytes: line))
        }
        return nil
    }

    /// Whether a line of version 2.1 is quoted and goes on.
    private func endsSoftly(_ line: [UInt8]) -> Bool {
        guard self.version == .two, line.last == UInt8(ascii: "=") else { return false }
        let head = line.prefix { $0 != UInt8(ascii: ":") }
        return String(decoding: head, as: UTF8.self).uppercased().contains("QUOTED-PRINTABLE")
    }

    /// The version that the card says further below, where the old versions may have it.
    func versionBelow() -> String? {
        var lines = self
        while lines.index < lines.bytes.count {
            let line = String(decoding: lines.takePhysicalLine(), as: UTF8.self).uppercased()
            if line.hasPrefix("END:") { return nil }
            if line.hasPrefix("VERSION:") { return String(line.dropFirst("VERSION:".utf8.count)) }
        }
        return nil
    }

    /// Looks at the limit before there is memory for more.
    private func append(_ part: ArraySlice<UInt8>, to line: inout [UInt8], _ number: Int) throws(VCardError) {
        guard line.count + part.count <= self.limit else {
            throw VCardError(line: number, reason: "The line has more than \(self.limit) bytes.")
        }
        line += part
    }

    /// The bytes up to the end of the line, without it.
    private mutating func takePhysicalLine() -> ArraySlice<UInt8> {
        let end = self.bytes[self.index...].firstIndex(of: UInt8(ascii: "\n"))
        let line = self.bytes[self.index..<(end ?? self.bytes.count)]
        self.index = end.map { $0 + 1 } ?? self.bytes.count
        self.number += 1
        // Some programs end lines with CR CR LF.
        return line.dropLast(line.reversed().prefix { $0 == UInt8(ascii: "\r") }.count)
    }

    /// A character may have been folded in the middle: so only now.
    private func checked(_ line: Line) throws(VCardError) -> Line {
        for byte in line.bytes where Escapes.isControl(byte) {
            throw VCardError(line: line.number, reason: "There is a control character in the line. Remove it.")
        }
        // An old line may say that it is in another encoding, or not say it.
        guard self.version != .four || String(validating: line.bytes, as: UTF8.self) != nil else {
            throw VCardError(line: line.number, reason: "The line is not UTF-8. Convert the file.")
        }
        return line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
