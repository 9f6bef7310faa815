// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Synchronization

/// Plays histories up to one that fails, and shrinks that.
final class HistoryRun: Sendable {
    /// A history that has failed.
    struct Failure: Sendable {
        let history: PublisherHistory
        let violation: Violation
    }

    /// How many histories are played, if there is time.
    private static let count = 1_000
    /// When no further history is begun.
    private static let time = Duration.milliseconds(700)
    /// How often a failed history is played to shrink it, and how long at most.
    private static let shrinkingPlays = 400
    private static let shrinkingTime = Duration.seconds(3)

    private let isDriven: Bool
    private let traits: PublisherTraits
    private let error: SourceError
    private let steps = Atomic(0)
    private let player = Mutex<HistoryPlayer?>(nil)
    private let found = Mutex<Failure?>(nil)

    init(isDriven: Bool, _ traits: PublisherTraits, _ error: SourceError) {
        self.isDriven = isDriven
        self.traits = traits
        self.error = error
    }

    /// How many steps have been begun.
    var progress: Int { self.steps.load(ordering: .relaxed) }

    /// The player whose step has not come back, if the thread hangs.
    var current: HistoryPlayer? { self.player.withLock { $0 } }

    var failure: Failure? { self.found.withLock { $0 } }

    func play() {
        let patience = self.traits.promises.patience
        let deadline = ContinuousClock.now + Self.time
        for number in 0..<UInt64(Self.count) where self.failure == nil && ContinuousClock.now < deadline {
            let history = PublisherHistory(seed: self.traits.seed &+ number, isDriven: self.isDriven, self.traits)
            guard let (violation, steps) = self.play(history, patience) else { continue }
            var failed = history
            failed.steps.removeSubrange(steps...)
            self.found.withLock { $0 = Failure(history: failed, violation: violation) }
            self.shrink(failed, violation, patience)
        }
        self.player.withLock { $0 = nil }
    }

    private func shrink(_ history: PublisherHistory, _ violation: Violation, _ patience: Duration) {
        let deadline = ContinuousClock.now + Self.shrinkingTime
        func isSame(_ other: Violation) -> Bool { other.law == violation.law && other.rule == violation.rule }
        let shrunk = history.shrunk(plays: Self.shrinkingPlays) { candidate in
            guard ContinuousClock.now < deadline else { return false }
            return self.play(candidate, patience / 20).map { isSame($0.violation) } ?? false
        }
        // With all patience, so that it is not named just because its thread had to wait.
        guard let (again, _) = self.play(shrunk, patience), isSame(again) else { return }
        self.found.withLock { $0 = Failure(history: shrunk, violation: again) }
    }

    private func play(_ history: PublisherHistory, _ patience: Duration) -> (violation: Violation, steps: Int)? {
        let player = HistoryPlayer(history, self.traits, self.error, patience: patience) {
            self.steps.add(1, ordering: .relaxed)
        }
        self.player.withLock { $0 = player }
        return player.play()
    }
}
#endif
