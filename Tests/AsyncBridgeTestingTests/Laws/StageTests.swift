// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@testable import AsyncBridgeTesting

@Suite(.timeLimit(.minutes(10))) struct StageTests {
    private let report = TrialReport(bridge: JudgedBridge("mine", made: .init()), scenario: "a call", law: .neverLost)

    private func stage() -> Stage { Stage(self.report, patience: .milliseconds(200), VainWaits()) }

    /// What hung is accused of that alone: on a busy machine its threads need a moment.
    @Test func `threads have time to come back, although the time for an answer has run out`() async {
        let stage = self.stage()
        #expect(await !stage.wait(for: Watched(false)) { $0 })
        stage.begin {
            let begin = ProcessorTime.ofThread
            while ProcessorTime.ofThread - begin < .milliseconds(20) {}
        }
        await stage.finish(hangs: true)
        #expect(self.report.violations.isEmpty, "\(self.report.violations)")
    }

    @Test func `a thread that does not come back is told`() async {
        let stage = self.stage()
        let gate = Monitor(false)
        stage.begin { gate.pass() }
        await stage.finish(hangs: true)
        #expect(self.report.violations.map(\.law) == [.noBlocking])
        gate.open()
    }
}
