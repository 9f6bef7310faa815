// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How much address space a coroutine's stack reserves.
///
/// Memory is committed by use, a page at a time; the size only limits how deep the code may call.
public struct StackSize: Sendable, Hashable {
    /// The number of bytes.
    public let bytes: Int

    /// 256 KiB, so that Foundation's deep calls fit.
    public static let standard = StackSize(kibibytes: 256)

    /// Makes a size.
    ///
    /// - Parameter kibibytes: The size in units of 1024 bytes.
    public init(kibibytes: Int) { self.bytes = kibibytes << 10 }
}
