// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The escapes of values (RFC 6350, 3.4) and of parameters (RFC 6868).
///
/// All work on bytes: for `Character`, a separator with a combining mark behind it is no separator any more.
enum Escapes {
    private static let backslash = UInt8(ascii: "\\")
    private static let newline = UInt8(ascii: "\n")

    /// The value of a text.
    ///
    /// Control characters but for the line feed and the tabulator cannot be written: they go.
    static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case Self.newline: bytes += [Self.backslash, UInt8(ascii: "n")]
            case Self.backslash, UInt8(ascii: ","), UInt8(ascii: ";"): bytes += [Self.backslash, byte]
            case _ where Self.isControl(byte): break
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a line must not have this byte.
    static func isControl(_ byte: UInt8) -> Bool { (byte < 0x20 && byte != UInt8(ascii: "\t")) || byte == 0x7F }

    /// The text of a value.
    ///
    /// A backslash before any other character stays.
    static func unescaped(_ value: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            guard byte == Self.backslash, let next = rest.first else {
                bytes.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "n"), UInt8(ascii: "N"): bytes.append(Self.newline)
            case Self.backslash, UInt8(ascii: ","), UInt8(ascii: ";"): bytes.append(next)
            default: bytes += [byte, next]
            }
            rest.removeFirst()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Cuts a value at each separator that is not escaped.
    static func parts(of value: Substring.UTF8View, between separator: UInt8) -> [Substring.UTF8View] {
        var parts: [Substring.UTF8View] = []
        var (start, isEscaped) = (value.startIndex, false)
        for index in value.indices {
            if isEscaped {
                isEscaped = false
            } else if value[index] == Self.backslash {
                isEscaped = true
            } else if value[index] == separator {
                parts.append(value[start..<index])
                start = value.index(after: index)
            }
        }
        return parts + [value[start...]]
    }

    /// A parameter's value as it is written, in quotes if it needs them.
    static func parameterEscaped(_ text: String) -> [UInt8] {
        var (bytes, needsQuotes) = ([UInt8](), false)
        for byte in text.utf8 {
            switch byte {
            case Self.newline: bytes += Array("^n".utf8)
            case UInt8(ascii: "\""): bytes += Array("^'".utf8)
            case UInt8(ascii: "^"): bytes += Array("^^".utf8)
            case _ where Self.isControl(byte): break
            default:
                needsQuotes = needsQuotes || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
                needsQuotes = needsQuotes || byte == UInt8(ascii: ":")
                bytes.append(byte)
            }
        }
        let quote = needsQuotes ? [UInt8(ascii: "\"")] : []
        return quote + bytes + quote
    }

    /// A parameter's value as it was meant.
    static func parameterUnescaped(_ value: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            switch (byte, rest.first) {
            case (UInt8(ascii: "^"), UInt8(ascii: "n")): bytes.append(Self.newline)
            case (UInt8(ascii: "^"), UInt8(ascii: "'")): bytes.append(UInt8(ascii: "\""))
            case (UInt8(ascii: "^"), UInt8(ascii: "^")): bytes.append(byte)
            default:
                bytes.append(byte)
                continue
            }
            rest.removeFirst()
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
