// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A 64-bit FNV-1a hash: the same in every process, which Swift's own is not.
///
/// Good enough to tell quotations and versions of the data file apart; no protection against an adversary.
struct StableHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { self.value = (self.value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    /// An identifier that survives a rebuild of the database: eleven letters and digits.
    static func identifier(_ parts: String...) -> String {
        var rest = Self(parts.joined(separator: "\u{1F}").utf8).value
        let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        return String(
            (0..<11).map { _ in
                defer { rest /= 62 }
                return digits[Int(rest % 62)]
            }
        )
    }
}
