// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Text from files and servers, made harmless for a terminal: without the characters that move its cursor, change its
/// title, or turn the direction of writing.
public enum Printable {
    /// Text with such characters as `\u{1b}`.
    public static func text(_ text: String) -> String {
        self.replacing(text) { "\\u{\(String($0.value, radix: 16))}" }
    }

    /// JSON with such characters as JSON writes them.
    ///
    /// It means the same: within its strings all of them may be written so, and elsewhere they are not found.
    public static func json(_ text: String) -> String {
        self.replacing(text) { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    private static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String) -> String {
        // Bytes: to append to a view of scalars takes the longer, the longer it is.
        var result: [UInt8] = []
        for scalar in text.unicodeScalars {
            if self.isSafe(scalar) {
                result += UTF8.encode(scalar).map(Array.init) ?? []
            } else {
                result += replacement(scalar).utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false
        case 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }
}
