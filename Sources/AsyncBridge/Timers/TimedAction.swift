// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An action that runs at a time, once, unless it is cancelled before.
///
/// Safe: the entry is the timers' own while it is in their heap. As long as it is there, or its action runs, the timers
/// have a reference to this object.
@safe
package final class TimedAction: @unchecked Sendable {
    private let timers: Timers
    private let action: @Sendable () -> Void
    private let entry: UnsafeMutablePointer<TimerEntry>

    /// Starts the timer.
    ///
    /// - Parameters:
    ///   - duration: When the action is to run, from now. It runs on another thread, however short this is.
    ///   - timers: The timers of the clock.
    ///   - runsOthersCode: Whether the action may run code that is not this package's, and takes long.
    ///   - action: The action; called outside every lock.
    package init(
        after duration: Duration,
        on timers: Timers,
        runsOthersCode: Bool,
        _ action: @escaping @Sendable () -> Void
    ) {
        self.timers = timers
        self.action = action
        unsafe self.entry = .allocate(capacity: 1)
        // Safe: released when the action has run, or was cancelled: one of the two happens.
        let address = unsafe Unmanaged.passRetained(self).toOpaque()
        let wait = unsafe TimedWait(address, wakesOthersCode: runsOthersCode, claim: { _ in true }) { address in
            let action = unsafe Unmanaged<TimedAction>.fromOpaque(address).takeRetainedValue()
            action.action()
        }
        unsafe self.entry.initialize(to: TimerEntry(wait))
        timers.add(self.reference, at: timers.now + duration)
    }

    deinit { unsafe self.entry.deallocate() }

    private var reference: TimerEntryReference { unsafe TimerEntryReference(self.entry) }

    /// Keeps the action from running, if it has not begun.
    package func cancel() {
        if self.timers.remove(self.reference) { unsafe Unmanaged.passUnretained(self).release() }
    }
}
