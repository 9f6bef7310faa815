// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How far a future is, in one word: every decision, and nothing else.
///
/// | State      | Meaning                             | `claim` | `adding` | `reservingFirst`  | `publishingFirst` |
/// |------------|-------------------------------------|---------|----------|-------------------|-------------------|
/// | `pending`  | no result, perhaps observers        | claimed | pending  | reserved, if none | pending           |
/// | `reserved` | the first observer is being written | claimed | pending  | refused           | pending           |
/// | claimed    | the result is being written         | refused | claimed  | refused           | claimed           |
/// | `settled`  | it has its result, forever          | refused | refused  | refused           | refused           |
///
/// A claimed state is pending or reserved besides.
///
/// `settled` follows a claimed state. A claim may be withdrawn (`withdrawingClaim`), by code that has claimed a future
/// for a moment and makes up for what it kept others from doing.
///
/// The word is the list of observers (``ObserverList``), whose bit 3 says that the first observer is stored in the
/// future itself. Bit 0 is set while the result is being written. 2 and 4 alone are no lists: `reserved` and `settled`.
///
/// Invariants: of all that claim a future, one succeeds. An observer that was added before the future is settled is in
/// the list that the settling takes out; one that comes later is refused.
package struct FutureState: Equatable, Sendable {
    package static let pending = FutureState(rawValue: 0)
    package static let reserved = FutureState(rawValue: 2)
    package static let settled = FutureState(rawValue: 4)

    private static let claimedBit: UInt = 1

    package let rawValue: UInt

    @inline(__always)
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package var isSettled: Bool { self == .settled }

    package var isClaimed: Bool { self.rawValue & Self.claimedBit != 0 }

    /// The observers, the newest first; of use unless it is settled.
    package var observers: ObserverList { ObserverList(word: self.rawValue & ~Self.claimedBit) }

    /// Claims the result, to write it.
    ///
    /// - Returns: Nothing if it is being written, or there is one.
    @inline(__always)
    package func claim() -> FutureState? {
        self.isClaimed || self.isSettled ? nil : FutureState(rawValue: self.rawValue | Self.claimedBit)
    }

    /// Gives the claim up, without a result.
    ///
    /// - Returns: Nothing if there is no claim.
    @inline(__always)
    package func withdrawingClaim() -> FutureState? {
        self.isClaimed ? FutureState(rawValue: self.rawValue & ~Self.claimedBit) : nil
    }

    /// Adds an observer.
    ///
    /// - Parameter entry: The word of a list with that observer alone.
    /// - Returns: The next state, and what to link the entry to; nothing if there is a result.
    @inline(__always)
    package func adding(_ entry: UInt) -> (next: FutureState, link: UInt)? {
        if self.isSettled { return nil }
        let flags = self.rawValue & (Self.claimedBit | ObserverList.firstBit)
        return (FutureState(rawValue: entry | flags), self.rawValue & ~flags)
    }

    /// Reserves the first observer, which is stored in the future itself, to write it.
    ///
    /// - Returns: Nothing if there are observers or a result, or one of them is being written.
    @inline(__always)
    package func reservingFirst() -> FutureState? { self == .pending ? .reserved : nil }

    /// The first observer has been written.
    ///
    /// - Returns: Nothing if there is a result: then the observer is the writer's to call.
    @inline(__always)
    package func publishingFirst() -> FutureState? {
        self.isSettled ? nil : FutureState(rawValue: self.rawValue | ObserverList.firstBit)
    }
}
