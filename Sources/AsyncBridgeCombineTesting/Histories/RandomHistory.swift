// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

/// One event of a history.
protocol RandomStep: Sendable, CustomStringConvertible {
    /// Steps that do less, the least first.
    var simpler: [Self] { get }
}

/// A course of events over one object.
///
/// Steps that make no sense when their turn comes are passed over by the player, so that a shortened history makes
/// sense too.
protocol RandomHistory: Sendable {
    associatedtype Step: RandomStep

    /// Makes the same history again.
    var seed: UInt64 { get }
    /// What the suite does before the steps, such as "a driven publisher is made".
    var beginning: String { get }
    var steps: [Step] { get set }
    /// The same steps over simpler objects, the simplest first.
    var overSimplerSubjects: [Self] { get }
}

/// Plays one history on the calling thread, one event at a time, and judges after each.
protocol RandomHistoryPlayer: Sendable {
    associatedtype History: RandomHistory

    var history: History { get }
    /// How long it waits for what does not come.
    var patience: Duration { get }
    /// How many steps have been begun.
    var begun: Int { get }

    /// Plays the history.
    ///
    /// - Returns: What was seen against the rules first, and in which step; `nil` if all is right.
    func play() -> (violation: Violation, steps: Int)?
}

extension RandomHistoryPlayer {
    /// The step that has not come back; `nil` before and after the steps.
    var step: History.Step? {
        let begun = self.begun
        return begun > 0 && begun <= self.history.steps.count ? self.history.steps[begun - 1] : nil
    }

    /// The history as far as it has been played.
    var played: History {
        var played = self.history
        played.steps = Array(played.steps.prefix(self.begun))
        return played
    }
}

extension RandomHistory {
    /// The history in words, for reports.
    var told: ToldHistory {
        ToldHistory(
            steps: [self.beginning] + self.steps.map(\.description),
            seed: self.seed,
            again: "verification.seed(\(self.seed)).check()"
        )
    }

    var overSimplerSubjects: [Self] { [] }

    /// Finds a shorter history that fails in the same way: steps are left out, then what is left is made simpler.
    ///
    /// - Parameters:
    ///   - plays: How often a history may be played.
    ///   - fails: Plays a history, and tells whether it fails in the same way.
    /// - Returns: The shortest that was found.
    func shrunk(plays: Int, _ fails: (Self) -> Bool) -> Self {
        var best = self
        var plays = plays
        func tries(_ candidate: Self) -> Bool {
            guard plays > 0 else { return false }
            plays -= 1
            guard fails(candidate) else { return false }
            best = candidate
            return true
        }
        var isChanged = true
        while isChanged, plays > 0 {
            isChanged = false
            var size = max(1, best.steps.count / 2)
            while size > 0 {
                var start = 0
                while start < best.steps.count {
                    var candidate = best
                    candidate.steps.removeSubrange(start..<min(start + size, best.steps.count))
                    if tries(candidate) { isChanged = true } else { start += size }
                }
                size /= 2
            }
            for index in best.steps.indices {
                let simpler = best.steps[index].simpler.lazy.map { step in
                    var candidate = best
                    candidate.steps[index] = step
                    return candidate
                }
                if simpler.contains(where: tries) { isChanged = true }
            }
            if best.overSimplerSubjects.contains(where: tries) { isChanged = true }
        }
        return best
    }

    /// Numbers that are smaller than a number of elements, the least first.
    static func smaller(_ count: Int) -> [Int] {
        var choices = [1]
        for choice in [2, count / 2, count - 1] where choice > 1 && !choices.contains(choice) { choices.append(choice) }
        return count == .max ? [1] : choices.filter { $0 < count }
    }
}

extension SplitMix {
    mutating func below(_ limit: Int) -> Int { Int(self.next() % UInt64(limit)) }

    mutating func happens(_ times: Int, of total: Int) -> Bool { self.below(total) < times }

    mutating func pick(_ choices: [Int]) -> Int { choices[self.below(choices.count)] }
}
#endif
