// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The lines of a file, unfolded: a line that begins with a blank goes on with the one before.
struct ContentLines {
    struct Line {
        /// The number of its first line in the file, counted from 1.
        var number: Int

        /// UTF-8, which has been checked, without control characters.
        var bytes: [UInt8]
    }

    private let bytes: [UInt8]
    private let limit: Int
    private var index: Int
    /// The number of the line at `index`.
    private var number = 1

    init(_ bytes: [UInt8], limit: Int) {
        self.bytes = bytes
        self.limit = limit
        // Some programs write a byte order mark.
        self.index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
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
            while self.index < self.bytes.count, Self.isBlank(self.bytes[self.index]) {
                try self.append(self.takePhysicalLine().dropFirst(), to: &line, number)
            }
            return try self.checked(Line(number: number, bytes: line))
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
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    /// A character may have been folded in the middle: so only now.
    private func checked(_ line: Line) throws(VCardError) -> Line {
        if line.bytes.contains(where: Escapes.isControl) {
            throw VCardError(line: line.number, reason: "There is a control character in the line. Remove it.")
        }
        guard String(validating: line.bytes, as: UTF8.self) != nil else {
            throw VCardError(line: line.number, reason: "The line is not UTF-8. Convert the file.")
        }
        return line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
