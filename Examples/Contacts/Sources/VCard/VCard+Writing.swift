// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension VCard {
    /// Writes cards as a file of version 4.0.
    ///
    /// - Parameter cards: The cards.
    /// - Returns: UTF-8. Lines end with CRLF and have at most 75 bytes; no character is torn apart.
    public static func write(_ cards: some Sequence<VCard>) -> [UInt8] {
        var output: [UInt8] = []
        for card in cards { card.write(to: &output) }
        return output
    }

    private func write(to output: inout [UInt8]) {
        Self.writeFolded(Array("BEGIN:VCARD".utf8), to: &output)
        Self.writeFolded(Array("VERSION:4.0".utf8), to: &output)
        for property in self.properties { Self.writeFolded(Self.line(of: property), to: &output) }
        Self.writeFolded(Array("END:VCARD".utf8), to: &output)
    }

    private static func line(of property: Property) -> [UInt8] {
        var line: [UInt8] = []
        if let group = property.group { line += Array("\(group).".utf8) }
        line += Array(property.name.utf8)
        for parameter in property.parameters {
            line += Array(";\(parameter.name)=".utf8)
            line += parameter.values.map(Escapes.parameterEscaped).joined(separator: [UInt8(ascii: ",")])
        }
        line.append(UInt8(ascii: ":"))
        return line + Array(property.rawValue.utf8)
    }

    private static func writeFolded(_ line: [UInt8], to output: inout [UInt8]) {
        var rest = line[...]
        var room = 75
        while rest.count > room {
            // Not before a byte that goes on with a character.
            var end = rest.startIndex + room
            while rest[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
            output += rest[..<end]
            output += [UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " ")]
            rest = rest[end...]
            // One byte less: the blank.
            room = 74
        }
        output += rest
        output += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }
}
