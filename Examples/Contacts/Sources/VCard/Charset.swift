// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// The encodings of a line of an old card.
enum Charset {
    /// The text of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - name: Which encoding the card names. Without one, UTF-8 or, if the bytes are not, that of Windows.
    /// - Returns: `nil` if the encoding is not known, or the bytes are not in it.
    static func text(of bytes: [UInt8], in name: String?) -> String? {
        guard let name else {
            return String(validating: bytes, as: UTF8.self) ?? String(bytes: bytes, encoding: .windowsCP1252)
        }
        return Self.encodings[name.uppercased()].flatMap { String(bytes: bytes, encoding: $0) }
    }

    private static let encodings: [String: String.Encoding] = [
        "UTF-8": .utf8, "UTF8": .utf8, "US-ASCII": .utf8, "ASCII": .utf8, "ISO-8859-1": .isoLatin1,
        "ISO-8859-2": .isoLatin2, "WINDOWS-1250": .windowsCP1250, "WINDOWS-1251": .windowsCP1251,
        "WINDOWS-1252": .windowsCP1252, "WINDOWS-1253": .windowsCP1253, "WINDOWS-1254": .windowsCP1254,
        "SHIFT_JIS": .shiftJIS, "EUC-JP": .japaneseEUC, "ISO-2022-JP": .iso2022JP,
    ]
}
