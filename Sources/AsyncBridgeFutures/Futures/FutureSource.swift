// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a future that was made from another one observes, in one word: every decision, and nothing else.
///
/// | State       | Meaning                                     | `forgetting` | `following` | `exchanging` | `cancelling` |
/// |-------------|---------------------------------------------|--------------|-------------|--------------|--------------|
/// | `observing` | the address of the future that it observes  | `nothing`    | refused     | `observing` the other, if it is that one | `cancelled` |
/// | `nothing`   | that one has its result                     | refused      | `observing` | refused      | `cancelled`  |
/// | `cancelled` | it was cancelled, and observes nothing      | refused      | refused     | refused      | `cancelled`  |
///
/// Invariant: each address enters the word with an unowned reference, and leaves it once; what takes it out gives the
/// reference up.
struct FutureSource: Equatable, Sendable {
    static let nothing = FutureSource(rawValue: 0)
    static let cancelled = FutureSource(rawValue: 1)

    let rawValue: UInt

    @inline(__always)
    init(rawValue: UInt) { self.rawValue = rawValue }

    /// The address of the future that is observed; 0 if there is none.
    var address: UInt { self == .cancelled ? 0 : self.rawValue }

    /// It is to observe nothing any more.
    ///
    /// - Returns: Nothing if it does not.
    @inline(__always)
    func forgetting() -> FutureSource? { self.address == 0 ? nil : .nothing }

    /// It is to observe the future that the first one led to.
    ///
    /// - Returns: Nothing if it was cancelled.
    @inline(__always)
    func following(_ next: UInt) -> FutureSource? { self == .nothing ? FutureSource(rawValue: next) : nil }

    /// It is to observe another future than the one that it does.
    ///
    /// - Returns: Nothing if it does not observe that one.
    @inline(__always)
    func exchanging(_ source: UInt, for next: UInt) -> FutureSource? {
        self.address == source ? FutureSource(rawValue: next) : nil
    }

    /// It is cancelled: what it observes is to be cancelled too.
    @inline(__always)
    func cancelling() -> FutureSource? { .cancelled }
}
