// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// The actions that a scheduler runs later, in the order in which they are due: every decision, and nothing else.
///
/// | State     | Meaning                                        | `reach`   | `next` with nothing due |
/// |-----------|------------------------------------------------|-----------|-------------------------|
/// | `waiting` | no thread hands actions over                   | `handing` | not called              |
/// | `handing` | one thread does, until `next` has nothing more | refused   | `waiting`               |
///
/// Invariant: actions leave in the order of their times, and those of the same time in the order in which they came.
/// Only one thread at a time hands them over, or the scheduler could get them in another order.
///
/// Invariant: in `waiting`, after `nextTimer`, a timer ends no later than the earliest action is due. An earlier timer
/// that is no longer needed ends too, and does no harm.
package struct DelayState<Action: Sendable>: ~Copyable {
    private enum Phase {
        case waiting
        case handing
    }

    private struct Entry {
        let time: ContinuousClock.Instant
        // `nil` once it has left.
        var action: Action?
    }

    // By their times. Those before `first` have left.
    private var entries: [Entry] = []
    private var first = 0
    // The latest time that has been reached; `nil` before the first.
    private var reached: ContinuousClock.Instant?
    // When the next timer ends; `nil` if none is known.
    private var timer: ContinuousClock.Instant?
    private var phase = Phase.waiting

    package init() {}

    /// An action is to run, not before a time.
    ///
    /// - Complexity: Amortised O(1) if no action is due later, otherwise O(*n*) in the number of those that are.
    package mutating func add(_ action: Action, at time: ContinuousClock.Instant) {
        let index = self.entries[self.first...].lastIndex { $0.time <= time }.map { $0 + 1 } ?? self.first
        self.entries.insert(Entry(time: time, action: action), at: index)
    }

    /// Actions have come or left.
    ///
    /// - Returns: For when a timer must be started; nothing if one ends early enough, or a thread hands over: then that
    ///   thread asks again.
    package mutating func nextTimer() -> ContinuousClock.Instant? {
        guard case .waiting = self.phase, self.first < self.entries.count else { return nil }
        let time = self.entries[self.first].time
        if let timer = self.timer, timer <= time { return nil }
        self.timer = time
        return time
    }

    /// A time has come, and a thread wants to hand over what is due.
    ///
    /// - Returns: Whether it may; otherwise another thread does, and hands over what is due by now too.
    package mutating func reach(_ time: ContinuousClock.Instant) -> Bool {
        self.reached = self.reached.map { max($0, time) } ?? time
        if let timer = self.timer, timer <= time { self.timer = nil }
        guard case .waiting = self.phase else { return false }
        self.phase = .handing
        return true
    }

    /// The thread that hands over wants the next action.
    ///
    /// - Returns: Nothing if none is due; then its turn is over.
    /// - Complexity: Amortised O(1).
    package mutating func next() -> Action? {
        guard self.first < self.entries.count, let reached = self.reached, self.entries[self.first].time <= reached
        else {
            self.phase = .waiting
            return nil
        }
        let action = self.entries[self.first].action.take()
        self.first += 1
        if self.first > self.entries.count / 2 {
            self.entries.removeFirst(self.first)
            self.first = 0
        }
        return action
    }
}
#endif
