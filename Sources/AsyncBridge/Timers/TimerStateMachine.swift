// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The decisions about the timers of one clock, and nothing else: who waits until when, and when the alarm must ring.
///
/// | Alarm | `add` with the earliest deadline | `add` of a later one | `ring`                         |
/// |-------|----------------------------------|----------------------|--------------------------------|
/// | `off` | `set`                            | there is none        | `off`: it rang without need    |
/// | `set` | `set`, if that is earlier        | `set`, unchanged     | `set` for the next, or `off`   |
///
/// To `remove` what waits changes no alarm.
///
/// A deadline no earlier than the alarm costs no call of the system, and neither does a wait that ends before its time:
/// an alarm that rings for nobody does no harm.
///
/// Invariant: while somebody waits, the alarm is set, for no later time than the earliest deadline.
package struct TimerStateMachine: ~Copyable {
    private enum Alarm {
        case off
        case set(Duration)
    }

    private var heap = TimerHeap()
    private var alarm = Alarm.off
    /// The process for which the alarm is set: a child made by `fork` inherits the waits, but not the alarm.
    private var process: UInt32 = 0

    package init() {}

    /// The number of waits.
    package var count: Int { self.heap.count }

    /// Enlists what waits.
    ///
    /// - Parameters:
    ///   - entry: Its entry.
    ///   - deadline: When it is to be woken.
    ///   - process: A number that changes in a child process.
    /// - Returns: For when the alarm must be set; `nil` to leave it.
    package mutating func add(
        _ entry: TimerEntryReference,
        at deadline: Duration,
        process: UInt32 = 0
    ) -> Duration? {
        if process != self.process {
            self.process = process
            self.alarm = .off
        }
        self.heap.insert(entry, at: deadline)
        return self.nextAlarm()
    }

    /// What waits has ended.
    ///
    /// - Returns: Whether it was still enlisted.
    package mutating func remove(_ entry: TimerEntryReference) -> Bool { self.heap.remove(entry) }

    /// What is to be done after the lock when the alarm has rung.
    package struct Ringing {
        /// Wake them: they are claimed.
        package var waits: [TimedWait] = []
        /// Wake it, last, and on a thread that need not come back soon.
        package var last: TimedWait?
        /// For when the alarm must be set.
        package var alarm: Duration?
    }

    /// The alarm has rung.
    ///
    /// - Parameter now: The time.
    /// - Returns: What is to be done.
    package mutating func ring(at now: Duration) -> Ringing {
        self.alarm = .off
        var ringing = Ringing()
        while ringing.last == nil, let entry = self.heap.removeFirst(dueAt: now) {
            let wait = entry.wait
            guard wait.claim() else { continue }
            // The alarm rings again at once for those that come after it.
            if wait.wakesOthersCode { ringing.last = wait } else { ringing.waits.append(wait) }
        }
        ringing.alarm = self.nextAlarm()
        return ringing
    }

    private mutating func nextAlarm() -> Duration? {
        guard let first = self.heap.first else { return nil }
        if case .set(let time) = self.alarm, time <= first { return nil }
        self.alarm = .set(first)
        return first
    }
}
