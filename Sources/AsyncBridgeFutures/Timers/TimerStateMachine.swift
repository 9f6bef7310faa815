// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The decisions about the timers of one clock, and nothing else: the waiters' deadlines, and when a sleeper must wake.
///
/// A sleeper is a task that sleeps. A new one is started for a deadline earlier than those of all sleepers; otherwise
/// an existing one is early enough. So a wait that begins and ends again costs no sleeper, and the deadlines of the
/// sleepers fall from the oldest to the newest.
///
/// | Event    | Decision                                                                                  |
/// |----------|-------------------------------------------------------------------------------------------|
/// | `add`    | start a sleeper, if none wakes early enough                                               |
/// | `remove` | nothing: a sleeper that wakes without a waiter does no harm                               |
/// | `wake`   | serve waiters whose deadline has come; start a sleeper for the next, if none is so early  |
struct TimerStateMachine: ~Copyable {
    private var heap = TimerHeap()
    private var sleepers: [Duration] = []

    init() {}

    /// The number of waiters.
    var count: Int { self.heap.count }

    /// Enlists a waiter, which has begun to wait.
    ///
    /// - Returns: When a new sleeper must wake; `nil` for none.
    mutating func add(_ waiter: WaiterReference, at deadline: Duration) -> Duration? {
        self.heap.insert(waiter, at: deadline)
        return self.nextSleeper()
    }

    /// A waiter has stopped waiting without having been claimed.
    mutating func remove(_ waiter: WaiterReference) { self.heap.remove(waiter) }

    /// What is to be done after the lock when a sleeper has woken.
    struct Waking {
        /// Wake them: their deadline has come.
        var waiting: [ParkerReference] = []
        /// When a new sleeper must wake.
        var sleeper: Duration?
    }

    /// A sleeper has woken.
    ///
    /// - Parameters:
    ///   - sleeper: When it had to wake.
    ///   - now: The time.
    /// - Returns: What is to be done.
    mutating func wake(_ sleeper: Duration, now: Duration) -> Waking {
        guard let index = self.sleepers.lastIndex(of: sleeper) else { preconditionFailure("BUG: an unknown sleeper") }
        self.sleepers.remove(at: index)
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

    private mutating func nextSleeper() -> Duration? {
        guard let first = self.heap.first else { return nil }
        if let last = self.sleepers.last, last <= first { return nil }
        self.sleepers.append(first)
        return first
    }
}
