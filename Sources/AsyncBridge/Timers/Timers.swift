// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The timers of one clock, for all waits with a timeout: a lock around their ``TimerStateMachine``, and an alarm.
///
/// They need no thread of Swift's pool, nor of Dispatch's: code that computes for long may keep all of those.
package final class Timers: Sendable {
    package static let continuous = Timers(SystemAlarm.continuous)
    package static let suspending = Timers(SystemAlarm.suspending)

    private let state = Mutex(TimerStateMachine())
    private let alarm: any Alarm

    /// - Parameter alarm: Calls ``ring()`` when it has reached its time, or later.
    package init(_ alarm: any Alarm) { self.alarm = alarm }

    /// The timers for a clock, if it is one of the standard clocks.
    package static func of<C: Clock>(_ clock: C) -> Timers? {
        if C.self == ContinuousClock.self { return .continuous }
        if C.self == SuspendingClock.self { return .suspending }
        // Behind an `any Clock<Duration>` too.
        return clock is ContinuousClock ? .continuous : clock is SuspendingClock ? .suspending : nil
    }

    /// The number of waits.
    package var count: Int { self.state.withLock { $0.count } }

    /// The time, from when it does not matter.
    package var now: Duration { self.alarm.now }

    // Never inlined, like `remove`: a coroutine calls one before it waits, and the other after that, and an inlined
    // lock remembers its thread (Scripts/check-thread-locals).

    /// Enlists what waits.
    ///
    /// - Complexity: O(log *n*).
    @inline(never)
    package func add(_ entry: TimerEntryReference, at deadline: Duration) {
        let process = self.alarm.process
        if let time = self.state.withLock({ $0.add(entry, at: deadline, process: process) }) { self.alarm.set(time) }
    }

    /// Takes what has waited out.
    ///
    /// - Returns: Whether it was still enlisted.
    /// - Complexity: O(log *n*).
    @discardableResult @inline(never)
    package func remove(_ entry: TimerEntryReference) -> Bool { self.state.withLock { $0.remove(entry) } }

    /// The alarm rings.
    package func ring() {
        let now = self.alarm.now
        let ringing = self.state.withLock { $0.ring(at: now) }
        if let time = ringing.alarm { self.alarm.set(time) }
        for wait in ringing.waits { wait.wake() }
        guard let last = ringing.last else { return }
        self.alarm.leave()
        last.wake()
    }
}

/// What calls `ring` of timers when a time has come.
package protocol Alarm: Sendable {
    /// The time of its clock.
    var now: Duration { get }

    /// A number that changes in a child process, where the alarms that were set are gone.
    var process: UInt32 { get }

    /// Has `ring` called at a time, or earlier.
    ///
    /// Race: of two threads that call this, the one with the later time may be the last. So a time is forgotten when
    /// it has come, and not before.
    func set(_ time: Duration)

    /// The calling code, which `ring` called, may not come back soon: has the alarm ring on another thread.
    func leave()
}
