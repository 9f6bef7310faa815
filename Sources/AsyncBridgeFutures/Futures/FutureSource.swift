// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a future that was made from another one observes, in one word: every decision, and nothing else.
///
/// | State       | Meaning                 | `forgetting` | `following` | `exchanging`      | `cancelling` |
/// |-------------|-------------------------|--------------|-------------|-------------------|--------------|
/// | `observing` | the address of a future | `nothing`    | refused     | if it is that one | `cancelled`  |
/// | `nothing`   | that one has its result | refused      | `observing` | refused           | `cancelled`  |
/// | `cancelled` | it was cancelled        | refused      | refused     | refused           | `cancelled`  |
///
/// Invariant: each address enters the word with an unowned reference, and leaves it once; what takes it out gives the
/// reference up.
package struct FutureSource: Equatable, Sendable {
    package static let nothing = FutureSource(rawValue: 0)
    package static let cancelled = FutureSource(rawValue: 1)

    package let rawValue: UInt

    @inline(__always)
    package init(rawValue: UInt) { self.rawValue = rawValue }

    /// The address of the future that is observed; 0 if there is none.
    package var address: UInt { self == .cancelled ? 0 : self.rawValue }

    /// Stops observing.
    ///
    /// - Returns: Nothing if it does not.
    @inline(__always)
    package func forgetting() -> FutureSource? { self.address == 0 ? nil : .nothing }

    /// Observes the future that the first one led to.
    ///
    /// - Returns: Nothing if it was cancelled.
    @inline(__always)
    package func following(_ next: UInt) -> FutureSource? { self == .nothing ? FutureSource(rawValue: next) : nil }

    /// Observes another future instead of the one that it does.
    ///
    /// - Returns: Nothing if it does not observe that one.
    @inline(__always)
    package func exchanging(_ source: UInt, for next: UInt) -> FutureSource? {
        self.address == source ? FutureSource(rawValue: next) : nil
    }

    /// It is cancelled, and so must be what it observes.
    @inline(__always)
    package func cancelling() -> FutureSource? { .cancelled }
}
