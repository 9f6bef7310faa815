// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How quickly the machine lets threads and tasks go on, right now.
///
/// On a busy machine a right bridge is late, which says nothing about the bridge.
package enum MachinePace {
    /// How long a hand-over may take on a machine that is not busy: several times as long as it does there.
    private static let usual = Duration.milliseconds(2)

    /// How often patience may run out.
    private static let attempts = 4

    /// How many hand-overs are measured: a scenario takes about as many.
    private static let count = 8

    /// How long a thread computes to see how much of a processor it gets: several turns of the system's scheduler.
    private static let work = Duration.milliseconds(10)

    /// How many threads may share a processor on a machine that is not busy: tests beside each other are as many.
    private static let share = 5

    /// Measures how long it takes until a thread has computed something, and new threads, and new tasks, run.
    ///
    /// - Parameter patience: How long a task may need to begin. After that time Swift's pool is blocked, not busy.
    /// - Returns: Whether the machine is too busy for what did not come in time to be taken as missing.
    static func isSlow(patience: Duration) async -> Bool {
        if await self.keepsThreadsWaiting() { return true }
        let begin = ContinuousClock.now
        for _ in 0..<self.count {
            let hasRun = Watched(false)
            startThread { hasRun.update { $0 = true } }
            await hasRun.waitUncancelled { $0 }
            if await !SwiftPool.runs(within: patience) { return false }
        }
        // Two hand-overs each: to the thread or the task, and back.
        return ContinuousClock.now - begin > self.usual * self.count * 4
    }

    /// Whether a new thread that wants to compute gets little of a processor.
    static func keepsThreadsWaiting() async -> Bool {
        let answer = Watched<Bool?>(nil)
        startThread {
            let waits = self.keepsThisThreadWaiting
            answer.update { $0 = waits }
        }
        await answer.waitUncancelled { $0 != nil }
        return answer.value == true
    }

    /// Computes, and tells whether this thread gets little of a processor.
    ///
    /// A thread that was asleep may get a processor at once on a machine where those that compute wait.
    package static var keepsThisThreadWaiting: Bool {
        let (begin, workBegin) = (ContinuousClock.now, ProcessorTime.ofThread)
        while ProcessorTime.ofThread - workBegin < self.work {}
        return ContinuousClock.now - begin > self.work * self.share
    }

    /// Waits again while the machine is slow, a few times at most.
    ///
    /// - Parameters:
    ///   - patience: How long one wait takes if nothing comes.
    ///   - wait: Waits, and says whether what it waited for came.
    /// - Returns: Whether it came.
    static func wait(patience: Duration, _ wait: () async -> Bool) async -> Bool {
        for attempt in 1...self.attempts {
            if await wait() { return true }
            guard attempt < self.attempts, await self.isSlow(patience: patience) else { break }
        }
        return false
    }
}

extension Watched {
    /// Waits until the state is as wanted, but not longer than `patience`, or some times as long on a busy machine.
    ///
    /// - Returns: Whether it held in time.
    package func wait(
        idlePatience patience: Duration,
        until isSatisfied: @escaping @Sendable (State) -> Bool
    ) async -> Bool {
        await MachinePace.wait(patience: patience) { await self.wait(patience: patience, until: isSatisfied) }
            || isSatisfied(self.value)
    }
}
