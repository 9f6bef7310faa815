// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization
import Testing

@testable import AsyncBridgeTesting

@Suite("A suite does not try a wrong bridge for ever", .timeLimit(.minutes(10)))
struct ScenarioRunTests {
    /// What a scenario does here.
    private enum Act: Sendable {
        /// A call does not come back.
        case hangs
        /// A law is broken after so many seconds.
        case fails(after: Int)
        /// Nothing is wrong, after so many seconds.
        case passes(after: Int)
    }

    private struct FakeTrial: LawTrial {
        struct Promises: Sendable {}

        let report: TrialReport
        let vainWaits: VainWaits

        func finish() async {}
    }

    /// Time that passes without a wait.
    private final class FakeTime: Sendable {
        private let offset = Mutex(Duration.zero)
        private let begin = ContinuousClock.now

        var now: ContinuousClock.Instant { self.begin + self.offset.withLock { $0 } }

        func pass(seconds: Int) { self.offset.withLock { $0 += .seconds(seconds) } }
    }

    private let time = FakeTime()

    private func run(_ acts: [Act], _ time: Duration = .seconds(10)) async -> [Violation] {
        let scenarios = acts.enumerated().map { index, act in
            Scenario<FakeTrial>("scenario \(index + 1)", .noBlocking) { [time = self.time] trial in
                switch act {
                case .hangs:
                    trial.vainWaits.addHang()
                    trial.report.violation("expected the call to return, but it hangs")
                case .fails(let seconds):
                    time.pass(seconds: seconds)
                    trial.report.violation("expected the value 1, saw the value 2")
                case .passes(let seconds): time.pass(seconds: seconds)
                }
            }
        }
        let run = ScenarioRun(
            bridge: JudgedBridge("mine", made: .init()),
            patience: .seconds(1),
            plainest: scenarios[0],
            time: LawTime(time) { [time = self.time] in time.now }
        ) { FakeTrial(report: $0, vainWaits: $1) }
        return await run.run(scenarios)
    }

    @Test func `six calls that do not come back are enough`() async throws {
        let violations = await self.run(Array(repeating: .hangs, count: 9))
        #expect(violations.map(\.scenario) == (1...6).map { "scenario \($0)" })
        #expect(violations[0].notRun == ["scenario 7", "scenario 8", "scenario 9"])
        #expect(violations.dropFirst().flatMap(\.notRun) == [])
        #expect(
            violations[0].description.contains(
                "\n  Not run, since 6 calls have not come back: 'scenario 7' and the 2 scenarios after it\n"
            )
        )
    }

    @Test func `five are not`() async {
        let violations = await self.run(Array(repeating: .hangs, count: 5) + [.passes(after: 0)])
        #expect(violations.count == 5)
        #expect(violations.flatMap(\.notRun) == [])
    }

    /// Three times as much has gone by, as a busy machine may need.
    @Test func `a wrong bridge is not tried when its time is over`() async throws {
        let violations = await self.run([.fails(after: 1), .passes(after: 30), .fails(after: 0), .passes(after: 0)])
        #expect(violations.map(\.scenario) == ["scenario 1"])
        #expect(violations[0].notRun == ["scenario 3", "scenario 4"])
        #expect(
            violations[0].description.contains("\n  Not run, since more than 45 seconds went by: 'scenario 3' and ")
        )
    }

    @Test func `a bridge that is right so far is tried to the end, however slow it is`() async {
        let violations = await self.run([.passes(after: 30), .passes(after: 30), .fails(after: 0)])
        #expect(violations.map(\.scenario) == ["scenario 3"])
        #expect(violations.flatMap(\.notRun) == [])
    }

    @Test func `a wrong bridge is tried on while there is time`() async {
        let violations = await self.run([.fails(after: 4), .fails(after: 4), .fails(after: 0)])
        #expect(violations.count == 3)
        #expect(violations.flatMap(\.notRun) == [])
    }

    // MARK: The time of a check

    @Test func `a part of a time`() {
        let time = FakeTime()
        let whole = LawTime(.seconds(40)) { time.now }
        let short = whole.butAtMost(.seconds(10))
        time.pass(seconds: 31)
        #expect(whole.isLeft && !short.isLeft && short.isOver)
        let rest = whole.butAtMost(.seconds(30))
        let more = whole.orAtLeast(.seconds(20))
        time.pass(seconds: 5)
        #expect(whole.isLeft && rest.isLeft)
        time.pass(seconds: 14)
        #expect(more.isLeft)
        time.pass(seconds: 200)
        #expect(whole.isOver && rest.isOver && more.isOver && short.isOver)
        #expect(!whole.isLeft && !rest.isLeft && !more.isLeft)
    }
}
