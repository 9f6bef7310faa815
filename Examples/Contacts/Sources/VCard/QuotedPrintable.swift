// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The encoding of RFC 2045, 6.7: `J=C3=BCrgen`.
enum QuotedPrintable {
    /// The bytes of a value.
    ///
    /// - Returns: `nil` if a `=` is followed by something else than two digits.
    static func decoded(_ value: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = value.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "=") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(Self.digit), let low = rest.next().flatMap(Self.digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
