// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How deep square brackets are nested in each other, where they could be a type.
///
/// SwiftParser looks ahead twice at each `[` to see whether a type begins there, and at each one in it again: the time
/// doubles with each level, closed or not. Thirty of them take hours.
package enum BracketNesting {
    /// More than any code needs; so many take the parser a tenth of a second.
    package static let limit = 16

    /// The place of the first bracket beyond the limit.
    package static func excess(in text: some Collection<UInt8>) -> Int? {
        text.withContiguousStorageIfAvailable { unsafe excess($0) } ?? excess(Array(text))
    }

    /// Strings and statements are no part of a type, so the count begins anew at each of their marks.
    ///
    /// What a comment opens it need not close.
    private static func excess(_ text: some RandomAccessCollection<UInt8>) -> Int? {
        var depth = 0
        var outside: Int?
        var previous = UInt8(ascii: "\n")
        for (offset, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "["):
                depth += 1
                if depth > limit { return offset }
            case UInt8(ascii: "]"): depth = max(0, depth - 1)
            case UInt8(ascii: "\n"):
                if let before = outside { depth = before }
                outside = nil
            case UInt8(ascii: "/") where previous == byte: outside = outside ?? depth
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\""), UInt8(ascii: ";"), UInt8(ascii: "="),
                UInt8(ascii: "*"):
                depth = 0
            default: break
            }
            previous = byte
        }
        return nil
    }
}
