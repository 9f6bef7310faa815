// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@Suite("The whole suite comes to an end on the worst bridges", .timeLimit(.minutes(10)))
struct WholeSuiteTests {
    @Test(
        arguments: WrongOneShotBridge.all.filter {
            [
                "blocks its thread on a semaphore", "cancels under the runtime's lock", "resumes only on success",
                "knows no cancellation", "lets the last answer win", "cancels under its own lock",
                "waits in its cancellation handler for the source",
            ].contains($0.name)
        }
    )
    func `one shot`(_ wrong: WrongOneShotBridge) async {
        expect(await wrong.check(nil), nameOrLeaveOut: wrong.breaks)
    }

    @Test(
        arguments: WrongSequenceBridge.all.filter {
            [
                "blocks", "ignores cancellation", "stops the source under its own lock", "drops silently",
                "stops the source under the runtime's lock", "makes a task for each event",
                "stops the source under the lock that its handler takes", "waits in onTermination for the source",
            ].contains($0.name)
        }
    )
    func sequence(_ wrong: WrongSequenceBridge) async {
        expect(await wrong.check(nil), nameOrLeaveOut: wrong.breaks)
    }

    /// A bridge that hangs in each scenario takes all the time that there is.
    private func expect(_ violations: [Violation], nameOrLeaveOut breaks: [(Law, String)]) {
        let notRun = Set(violations.flatMap(\.notRun))
        let run = breaks.filter { !notRun.contains($0.1) }
        #expect(!violations.isEmpty)
        for (law, scenario) in run { AsyncBridgeTestingTests.expect(violations, name: law, when: scenario) }
    }

    /// A wait whose time is up before it has begun ends all the same.
    @Test func `without patience`() async {
        for _ in 0..<3 {
            let promises = OneShotPromises.wrong.with { $0.patience = .zero }
            let violations = await ForgottenCells.resumed {
                await OneShotLaws.check("deaf", promises: promises) { source in
                    try await withCell { cell in _ = source.start { cell.resume($0) } }
                }
            }
            #expect(!violations.isEmpty)
        }
    }
}
