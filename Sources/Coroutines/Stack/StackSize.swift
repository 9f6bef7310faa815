// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How much address space a coroutine's stack reserves.
///
/// ```swift
/// let tree = try await withCoroutine(stackSize: StackSize(kibibytes: 1024)) { try parse(text) }
/// ```
///
/// Memory is committed on use, a page at a time: a coroutine with shallow calls costs one page, whatever its size. Page
/// tables are extra and depend on the size: about 0.5 KiB for a stack of 256 KiB, 0.14 KiB for one of 64 KiB. For a
/// million coroutines at once, use 64 KiB.
///
/// A coroutine that needs more ends the process, with a message that names its stack: it has touched the guard at the
/// low end. A function whose own variables take more than a page can skip over it; keep large buffers on the heap.
public struct StackSize: Sendable, Hashable {
    /// 32 KiB, 64 KiB, …: the power of two.
    @usableFromInline package let sizeClass: UInt8

    /// The number of bytes, including the guard and the engine's own few hundred bytes.
    ///
    /// The guard is a sixteenth of it, from a page to 64 KiB. With pages larger than 4 KiB it may be a larger share:
    /// then the stack takes more than requested, so that three quarters of the requested size remain for the code. With
    /// pages of 16 KiB, as on Apple silicon, a stack of 32 KiB takes 48; with pages of 64 KiB, those below 128 KiB take
    /// 128, and one of 128 KiB takes 192.
    public var bytes: Int { self.layout(pageSize: StackLayout.pageSize).bytes }

    package func layout(pageSize: Int) -> StackLayout {
        StackLayout(nominalBytes: Self.smallest << Int(self.sizeClass), pageSize: pageSize)
    }

    /// 256 KiB, enough for Foundation's deep calls.
    public static let standard = StackSize(kibibytes: 256)

    /// Makes a size.
    ///
    /// The smallest is 32 KiB, because each public wait must fit, of values of simple types. Most of what a wait takes
    /// is not this package's: the first use of a generic type takes up to 20 KiB in Swift's runtime. With it, the
    /// largest wait, a `select`, takes 23 KiB in a debug build and 18 in release. The size is the same in both, so what
    /// runs in debug runs in release. A type that is nested in generic ones, or a tuple of such, takes more: 64 KiB.
    ///
    /// - Parameter kibibytes: The size in units of 1024 bytes; rounded up to a power of two, at least 32.
    /// - Precondition: From 16 to 8192.
    public init(kibibytes: Int) {
        guard (16...8192).contains(kibibytes) else {
            // Not a precondition: its text would be missing in release builds.
            fatalError("A coroutine's stack must have 16 to 8192 KiB, not \(kibibytes). For more, start a thread.")
        }
        var sizeClass: UInt8 = 0
        while Self.smallest << Int(sizeClass) < kibibytes << 10 { sizeClass += 1 }
        self.sizeClass = sizeClass
    }

    init(sizeClass: UInt8) { self.sizeClass = sizeClass }

    private static let smallest = 32 << 10
}
