// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The encoding of a whole file.
enum FileText {
    /// The file without a byte order mark, and in UTF-8 if it is in UTF-16.
    ///
    /// Bytes that are neither stay as they are: what is wrong with them is said of their line.
    static func withoutUTF16(_ bytes: [UInt8]) throws(VCardError) -> [UInt8] {
        // Some programs write a byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFF, 0xFE]) { return try Self.transcoded(bytes.dropFirst(2), lowByteFirst: true) }
        if bytes.starts(with: [0xFE, 0xFF]) { return try Self.transcoded(bytes.dropFirst(2), lowByteFirst: false) }
        // Without a mark: the `B` of `BEGIN`.
        let first = UInt8(ascii: "B")
        if bytes.starts(with: [first, 0]) { return try Self.transcoded(bytes[...], lowByteFirst: true) }
        if bytes.starts(with: [0, first]) { return try Self.transcoded(bytes[...], lowByteFirst: false) }
        return bytes
    }

    private static func transcoded(_ bytes: ArraySlice<UInt8>, lowByteFirst: Bool) throws(VCardError) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var rest = bytes
        while let one = rest.popFirst() {
            guard let other = rest.popFirst() else {
                throw VCardError(line: 1, reason: "The file is UTF-16, and its last character is incomplete.")
            }
            units.append(lowByteFirst ? UInt16(other) << 8 | UInt16(one) : UInt16(one) << 8 | UInt16(other))
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw VCardError(line: 1, reason: "The file looks like UTF-16, but is not. Convert it to UTF-8.")
        }
        return Array(text.utf8)
    }
}
