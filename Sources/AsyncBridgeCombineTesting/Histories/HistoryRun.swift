// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Synchronization

/// Plays histories up to one that fails, and shrinks that.
final class HistoryRun<Player: RandomHistoryPlayer>: Sendable {
    typealias History = Player.History
    /// Makes a player of a history, which has so much patience and calls the closure at each step.
    typealias MakePlayer = @Sendable (History, _ patience: Duration, _ count: @escaping @Sendable () -> Void) -> Player

    /// A history that has failed.
    struct Failure: Sendable {
        let history: History
        let violation: Violation
    }

    private let firstSeed: UInt64
    private let patience: Duration
    private let makeHistory: @Sendable (_ seed: UInt64) -> History
    private let makePlayer: MakePlayer
    private let steps = Atomic(0)
    private let player = Mutex<Player?>(nil)
    private let found = Mutex<Failure?>(nil)

    init(
        seed: UInt64,
        patience: Duration,
        _ makeHistory: @escaping @Sendable (_ seed: UInt64) -> History,
        _ makePlayer: @escaping MakePlayer
    ) {
        self.firstSeed = seed
        self.patience = patience
        self.makeHistory = makeHistory
        self.makePlayer = makePlayer
    }

    /// Plays on a thread of its own, and waits for that as long as there is progress.
    ///
    /// - Returns: What failed, and the player whose step has not come back, if one hangs.
    func play(on stage: Stage) async -> (failure: Failure?, hanging: Player?) {
        let isDone = Watched(false)
        stage.begin {
            self.play()
            self.player.withLock { $0 = nil }
            isDone.update { $0 = true }
        }
        while true {
            let (before, patience) = (self.progress, self.patienceNow)
            // A step waits as long as there is patience for what does not come, and so does the end of a history.
            if await isDone.wait(idlePatience: patience * 3, until: { $0 }) { return (self.failure, nil) }
            // With more patience a history may have begun since.
            guard self.patienceNow <= patience else { continue }
            if self.progress == before, await !isDone.wait(patience: .zero, until: { $0 }) {
                return (self.failure, self.player.withLock { $0 })
            }
        }
    }

    /// How many steps have been begun.
    private var progress: Int { self.steps.load(ordering: .relaxed) }

    /// The patience of the history that is played.
    private var patienceNow: Duration { self.player.withLock { $0?.patience } ?? self.patience }

    private var failure: Failure? { self.found.withLock { $0 } }

    private func play() {
        let deadline = ContinuousClock.now + HistoryLimits.time
        for number in 0..<UInt64(HistoryLimits.count) where self.failure == nil {
            guard number < HistoryLimits.leastCount || ContinuousClock.now < deadline else { return }
            let history = self.makeHistory(self.firstSeed &+ number)
            guard let (violation, steps) = self.playForSure(history) else { continue }
            var failed = history
            failed.steps.removeSubrange(steps...)
            self.found.withLock { $0 = Failure(history: failed, violation: violation) }
            self.shrink(failed, violation)
        }
    }

    private func shrink(_ history: History, _ violation: Violation) {
        let deadline = ContinuousClock.now + HistoryLimits.shrinkingTime
        func isSame(_ other: Violation) -> Bool { other.law == violation.law && other.rule == violation.rule }
        let shrunk = history.shrunk(plays: HistoryLimits.shrinkingPlays) { candidate in
            guard ContinuousClock.now < deadline else { return false }
            return self.play(candidate, self.patience / 20).map { isSame($0.violation) } ?? false
        }
        // With all patience, so that it is not named just because its thread had to wait.
        guard let (again, _) = self.playForSure(shrunk), isSame(again) else { return }
        self.found.withLock { $0 = Failure(history: shrunk, violation: again) }
    }

    /// Plays with all patience, and with more on a busy machine, or where others keep the threads of Swift's pool busy.
    ///
    /// What is late there may be right.
    private func playForSure(_ history: History) -> (violation: Violation, steps: Int)? {
        guard let failure = self.play(history, self.patience) else { return nil }
        guard MachinePace.keepsThisThreadWaiting || self.poolKeepsTasksWaiting else { return failure }
        return self.play(history, self.patience * HistoryLimits.patienceOnBusyMachine)
    }

    /// Whether a new task gets a thread of Swift's pool late.
    ///
    /// If it gets none, the bridge may be what blocks them.
    private var poolKeepsTasksWaiting: Bool {
        let hasRun = Watched(false)
        let begin = ContinuousClock.now
        Task.detached { hasRun.update { $0 = true } }
        guard Player.waits(for: self.patience, until: { hasRun.value }) else { return false }
        return ContinuousClock.now - begin > HistoryLimits.usualStart
    }

    private func play(_ history: History, _ patience: Duration) -> (violation: Violation, steps: Int)? {
        let player = self.makePlayer(history, patience) { self.steps.add(1, ordering: .relaxed) }
        self.player.withLock { $0 = player }
        return player.play()
    }
}

enum HistoryLimits {
    /// How many histories are played, if there is time; and how many at least, on a busy machine too.
    static let count = 1_000
    static let leastCount = 400
    /// When no further history is begun.
    static let time = Duration.milliseconds(700)
    /// How often a failed history is played to shrink it, and how long at most.
    static let shrinkingPlays = 400
    static let shrinkingTime = Duration.seconds(10)
    /// In which time a task begins where nothing else is done: many times as long as it takes there.
    static let usualStart = Duration.milliseconds(5)
    /// How many times as much patience a busy machine gets.
    static let patienceOnBusyMachine = 4
}

extension TrialReport {
    /// Reports what a history has shown.
    func report(_ violation: Violation, in history: ToldHistory) {
        self.violation(
            of: violation.law,
            rule: violation.rule,
            violation.explanation,
            advice: violation.advice,
            in: history
        )
    }
}

extension RandomHistoryPlayer {
    /// Waits on this thread, with yields.
    static func waits(for patience: Duration, until isSatisfied: () -> Bool) -> Bool {
        if isSatisfied() { return true }
        let deadline = ContinuousClock.now + patience
        while !isSatisfied() {
            if ContinuousClock.now > deadline { return false }
            yieldThread()
        }
        return true
    }
}
#endif
