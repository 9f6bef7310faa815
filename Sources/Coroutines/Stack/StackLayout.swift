// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CCoroutines

/// How the memory of a stack is divided: the guard at the low end, the rest for frames and the coroutine's block.
///
/// | Size    | Pages of 4 KiB: all, guard | Of 16 KiB | Of 64 KiB |
/// |---------|----------------------------|-----------|-----------|
/// | 32 KiB  | 32, 4                      | 48, 16    | 128, 64   |
/// | 64 KiB  | 64, 4                      | 64, 16    | 128, 64   |
/// | 128 KiB | 128, 8                     | 128, 16   | 192, 64   |
/// | 256 KiB | 256, 16                    | 256, 16   | 256, 64   |
/// | 1 MiB   | 1024, 64                   | 1024, 64  | 1024, 64  |
package struct StackLayout: Sendable, Hashable {
    /// The number of bytes from one stack to the next.
    package let bytes: Int
    /// The number of bytes at the low end that no frame may reach.
    ///
    /// Swift's code does not probe its stack, so a larger frame can skip over them; but they cost only address space.
    package let guardBytes: Int

    /// The number of bytes above the guard: three quarters of the nominal size, or more.
    package var usableBytes: Int { self.bytes - self.guardBytes }

    /// Divides a stack.
    ///
    /// - Parameters:
    ///   - nominalBytes: The requested size, rounded up to a power of two.
    ///   - pageSize: The number of bytes of a page, the smallest range that can be guarded.
    package init(nominalBytes: Int, pageSize: Int) {
        func roundedUp(_ bytes: Int) -> Int { (bytes + pageSize - 1) / pageSize * pageSize }
        self.guardBytes = roundedUp(min(nominalBytes / 16, 64 << 10))
        self.bytes = roundedUp(max(nominalBytes, self.guardBytes + nominalBytes / 4 * 3))
    }

    /// The number of bytes of a page here.
    package static let pageSize = Int(ccoro_page_size())
}
