// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What waits for a time, and how it is told that the time has come.
///
/// Functions, not an object: what waits may lie on a coroutine's stack.
///
/// Safe: what waits is alive as long as its entry is in the heap, and, once it has been claimed, until it was woken.
@safe
package struct TimedWait: @unchecked Sendable {
    private let address: UnsafeMutableRawPointer
    private let claimFunction: @convention(c) (UnsafeMutableRawPointer) -> Bool
    private let wakeFunction: @convention(c) (UnsafeMutableRawPointer) -> Void
    /// Whether waking it may run code that is not this package's, and takes long.
    package let wakesOthersCode: Bool

    /// - Parameters:
    ///   - address: What waits.
    ///   - wakesOthersCode: Whether waking it may run code that is not this package's, and takes long.
    ///   - claim: Says whether it still waits; then it does not end until it is woken. Called under the timers' lock.
    ///   - wake: Ends its wait. Called outside every lock, once, after a claim that was true.
    package init(
        _ address: UnsafeMutableRawPointer,
        wakesOthersCode: Bool,
        claim: @convention(c) (UnsafeMutableRawPointer) -> Bool,
        wake: @convention(c) (UnsafeMutableRawPointer) -> Void
    ) {
        unsafe self.address = address
        unsafe self.claimFunction = claim
        unsafe self.wakeFunction = wake
        self.wakesOthersCode = wakesOthersCode
    }

    package func claim() -> Bool { unsafe self.claimFunction(self.address) }

    package func wake() { unsafe self.wakeFunction(self.address) }
}

/// One wait for a time; it lies with what waits.
///
/// Used through a ``TimerEntryReference``.
package struct TimerEntry {
    package let wait: TimedWait
    /// Its index in the heap; -1 if it is not there.
    fileprivate var index = -1

    package init(_ wait: TimedWait) { self.wait = wait }
}

/// The address of an entry.
///
/// Safe: while the entry is in the heap, it is touched only under the timers' lock, and what waits does not end before
/// the entry was taken out.
@safe
package struct TimerEntryReference: @unchecked Sendable {
    private let address: UnsafeMutablePointer<TimerEntry>

    package init(_ address: UnsafeMutablePointer<TimerEntry>) { unsafe self.address = address }

    package var wait: TimedWait { unsafe self.address.pointee.wait }

    /// Its index in the heap; -1 if it is not there.
    var index: Int {
        get { unsafe self.address.pointee.index }
        nonmutating set { unsafe self.address.pointee.index = newValue }
    }
}
