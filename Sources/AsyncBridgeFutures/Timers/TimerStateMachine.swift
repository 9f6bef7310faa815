// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The decisions about the timers of one clock, and nothing else: the waiters' deadlines, and when a sleeper must wake.
///
/// A sleeper is a task that sleeps. A new one is started for a deadline earlier than those of all sleepers; otherwise
/// an existing one is early enough. So the deadlines of the sleepers fall from the oldest to the newest, and a wait
/// with a deadline no earlier than those before costs no sleeper.
///
/// | Event    | Decision                                                                                  |
/// |----------|-------------------------------------------------------------------------------------------|
/// | `add`    | start a sleeper, if none wakes early enough; stop the oldest, if there are too many       |
/// | `remove` | nothing: a sleeper that wakes without a waiter does no harm                               |
/// | `wake`   | serve waiters whose deadline has come; start a sleeper for the next, if none is so early  |
///
/// A sleeper that was stopped is not missed: each one that wakes starts the next that is needed.
package struct TimerStateMachine: ~Copyable {
    private var heap = TimerHeap()
    private var sleepers: [Duration] = []
    /// The most sleepers there are.
    ///
    /// Without a limit, deadlines that fall would leave a task asleep for each wait.
    package static let sleeperLimit = 8

    package init() {}

    /// The number of waiters.
    package var count: Int { self.heap.count }

    /// Enlists a waiter, which has begun to wait.
    ///
    /// - Returns: When a new sleeper must wake; `nil` for none.
    package mutating func add(_ waiter: WaiterReference, at deadline: Duration) -> Duration? {
        self.heap.insert(waiter, at: deadline)
        return self.nextSleeper()
    }

    /// A waiter has stopped waiting without having been claimed.
    package mutating func remove(_ waiter: WaiterReference) { self.heap.remove(waiter) }

    /// What is to be done after the lock when a sleeper has woken.
    package struct Waking {
        /// Wake them: their deadline has come.
        package var waiting: [ParkerReference] = []
        /// When a new sleeper must wake.
        package var sleeper: Duration?
    }

    /// A sleeper has woken.
    ///
    /// - Parameters:
    ///   - sleeper: When it had to wake.
    ///   - now: The time.
    /// - Returns: What is to be done.
    package mutating func wake(_ sleeper: Duration, now: Duration) -> Waking {
        // None, if it was stopped; then there is one that wakes earlier.
        if let index = self.sleepers.lastIndex(of: sleeper) { self.sleepers.remove(at: index) }
        var waking = Waking()
        while let waiter = self.heap.removeFirst(dueAt: now) {
            if waiter.parker.claim() {
                waiter.outcome = .done
                waking.waiting.append(waiter.parker)
            }
        }
        waking.sleeper = self.nextSleeper()
        return waking
    }

    /// The sleeper that is to be stopped because there are too many, if any.
    package mutating func excessSleeper() -> Duration? {
        self.sleepers.count > Self.sleeperLimit ? self.sleepers.removeFirst() : nil
    }

    /// Whether a sleeper is to sleep, or has not said that it woke.
    package func hasSleeper(_ sleeper: Duration) -> Bool { self.sleepers.contains(sleeper) }

    private mutating func nextSleeper() -> Duration? {
        guard let first = self.heap.first else { return nil }
        if let last = self.sleepers.last, last <= first { return nil }
        self.sleepers.append(first)
        return first
    }
}
