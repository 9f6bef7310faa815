// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

/// A waiter with a timeout and one without it, under every order of what happens to them.
///
/// Permits come, the time is up, the first is cancelled. A claim under a lock and the wake after it are two steps, and
/// that the woken one leaves is a third.
@Suite("Every order of a semaphore's events", .timeLimit(.minutes(10)))
struct SemaphoreOrderTests {
    enum Step: CaseIterable {
        case enterTimed
        case enterPlain
        case release
        case releaseAgain
        case timeOut
        case cancel
    }

    enum Outcome: String {
        case permit
        case timedOut
        case cancelled
        case waits
    }

    /// What became of the waiter with the timeout, and of the other, in any order.
    private func outcomes(without step: Step? = nil) -> Set<String> {
        var outcomes: Set<String> = []
        let runs = everyOrder { choices in
            var world = World(Step.allCases.filter { $0 != step })
            while world.move(&choices) {}
            outcomes.insert(world.end())
        }
        #expect(runs > 100)
        return outcomes
    }

    @Test func `a permit for each`() {
        #expect(self.outcomes() == ["permit permit", "timedOut permit", "cancelled permit"])
    }

    @Test func `one permit goes to one of them`() {
        let expected: Set = ["permit waits", "timedOut permit", "cancelled permit"]
        #expect(self.outcomes(without: .releaseAgain) == expected)
    }

    @Test func `only the time ends the wait, or only its cancellation`() {
        #expect(self.outcomes(without: .cancel) == ["permit permit", "timedOut permit"])
        #expect(self.outcomes(without: .timeOut) == ["permit permit", "cancelled permit"])
    }

    struct World: ~Copyable {
        private enum Move {
            case step(Int)
            /// What was claimed, for a permit or by the timer, is woken.
            case wake(Int)
            case leave(HandMadeWaiter)
        }

        private var machine = SemaphoreStateMachine(permits: 0)
        private let timed = HandMadeWaiter(1)
        private let plain = HandMadeWaiter(2)
        private var steps: [Step]
        private var claimed: [HandMadeWaiter] = []
        private var outcomes: [Int: Outcome] = [:]
        private var isClaimedByTimer = false
        private var released = 0

        init(_ steps: [Step]) { self.steps = steps }

        /// - Returns: Whether there was something to do.
        mutating func move(_ choices: inout Choices) -> Bool {
            var moves = self.steps.indices.filter { self.isPossible(self.steps[$0]) }.map { Move.step($0) }
            moves += self.claimed.indices.map { Move.wake($0) }
            moves += [self.timed, self.plain].filter { self.isWoken($0) }.map { Move.leave($0) }
            guard !moves.isEmpty else { return false }
            switch moves[choices.choose(among: moves.count)] {
            case .step(let index): self.take(self.steps.remove(at: index))
            case .wake(let index): self.claimed.remove(at: index).wake()
            case .leave(let waiter): self.leave(waiter)
            }
            return true
        }

        private func isPossible(_ step: Step) -> Bool {
            switch step {
            case .enterTimed, .enterPlain, .release, .cancel: true
            // Otherwise each order would come twice.
            case .releaseAgain: self.released > 0
            // The timer starts when the waiter is enlisted, and ends when it leaves.
            case .timeOut: self.outcomes[1] == .waits
            }
        }

        private func isWoken(_ waiter: HandMadeWaiter) -> Bool {
            self.outcomes[waiter.name] == .waits && waiter.comebacks > 0
        }

        private mutating func take(_ step: Step) {
            switch step {
            case .enterTimed: self.outcomes[1] = self.enterTimed()
            case .enterPlain: self.outcomes[2] = self.enterPlain()
            case .release, .releaseAgain:
                self.released += 1
                if let waiter = self.machine.release() { self.claimed.append(waiter.handMade) }
            case .timeOut:
                guard self.timed.claim() else { return }
                self.isClaimedByTimer = true
                self.claimed.append(self.timed)
            case .cancel: self.timed.cancelWait()
            }
        }

        private mutating func enterTimed() -> Outcome {
            if case .proceed = self.machine.acquire(orEnlist: nil) { return .permit }
            guard self.timed.begin() else { return .cancelled }
            self.machine.enterBegun(self.timed.reference)
            #expect(self.timed.park())
            return .waits
        }

        private mutating func enterPlain() -> Outcome {
            guard case .suspend = self.machine.acquire(orEnlist: self.plain.reference) else { return .permit }
            #expect(self.plain.park())
            return .waits
        }

        private mutating func leave(_ waiter: HandMadeWaiter) {
            if waiter.outcome == .done {
                self.outcomes[waiter.name] = .permit
            } else {
                self.machine.leave(waiter.reference)
                self.outcomes[waiter.name] = self.isClaimedByTimer ? .timedOut : .cancelled
            }
            #expect(!waiter.isEnlisted)
        }

        consuming func end() -> String {
            let outcomes = [1, 2].compactMap { self.outcomes[$0] }
            let owners = outcomes.filter { $0 == .permit }.count
            #expect(self.machine.permits + owners == self.released, "each permit is somewhere, once")
            if outcomes.contains(.waits) { #expect(self.machine.permits == 0, "nobody waits for a free permit") }
            #expect(self.timed.comebacks <= 1)
            #expect(self.plain.comebacks <= 1)
            return outcomes.map(\.rawValue).joined(separator: " ")
        }
    }
}
