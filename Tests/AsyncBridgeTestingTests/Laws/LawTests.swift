// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct LawTests {
    @Test func `are ten`() {
        #expect(Law.allCases.map(\.number) == Array(1...10))
        #expect(Set(Law.allCases.map(\.name)).count == 10)
        #expect("\(Law.noBlocking)" == "law 10 (no thread blocks)")
    }

    @Test func `a violation tells everything`() async throws {
        let promises = OneShotPromises.wrong
        let scenario = "the source fails at once"
        let line: UInt = #line + 1
        let violations = await OneShotLaws.check("mine", promises: promises, only: [scenario]) { source in
            try await withCell { cell in _ = source.start { cell.resume($0.mapError { _ in OtherError() }) } }
        }
        try #require(violations.count == 1)
        #expect(violations[0].bridge == "mine")
        #expect(violations[0].law == .errors)
        #expect(violations[0].scenario == scenario)
        #expect(violations[0].explanation == "expected the source's error, saw the error 'OtherError()'")
        #expect(
            violations[0].description == "mine, when the source fails at once, breaks law 6 (results as they are): "
                + "expected the source's error, saw the error 'OtherError()'. What to do: \(Law.errors.advice)."
                + "\n  Made at \(#fileID):\(line)"
        )
        #expect("\(violations[0].made)" == "\(#fileID):\(line)")
    }

    /// A cancellation that hangs costs a thread, never the suite: it is said which lock it is, and what was lost.
    @Test func `a cancellation that hangs is explained`() async throws {
        let wrong = try #require(WrongOneShotBridge.all.first { $0.name == "cancels under its own lock" })
        let violations = await wrong.check(["the source answers inside cancel"])
        try #require(violations.count == 2)
        #expect(violations[0].law == .noLocks)
        #expect(violations[0].explanation.hasPrefix("expected task.cancel() to return, but it hangs: the bridge "))
        #expect(violations[0].advice.hasPrefix("take the handle out under the lock, release the lock"))
        #expect(violations[1].law == .noBlocking)
        #expect(violations[1].explanation.hasPrefix("expected every thread to come back from the bridge, but 1 of"))
    }

    /// A scenario may know better what to do than the law.
    @Test func `a scenario has advice of its own`() async throws {
        let wrong = try #require(WrongOneShotBridge.all.first { $0.name == "keeps one handle for all its calls" })
        let violations = await wrong.check(["two calls wait, the earlier is cancelled"])
        #expect(
            violations.first?.description.hasPrefix(
                "keeps one handle for all its calls, when two calls wait, the earlier is cancelled, breaks law 3 "
                    + "(cancel, at any moment): expected cancellations of the work: 1, saw 0. What to do: keep the "
                    + "handle of each call with that call: one property for all holds only the last one.\n"
            ) == true
        )
    }

    /// Who starts the work there has neither a task of its own nor a hop in sight.
    @Test func `the operation of a cancellation handler is named`() async throws {
        let name = "starts in the operation of withTaskCancellationHandler"
        let wrong = try #require(WrongOneShotBridge.all.first { $0.name == name })
        let violations = await wrong.check(["an actor calls"])
        #expect(violations.map(\.explanation).first?.hasSuffix("on the caller's actor, but it was elsewhere") == true)
        #expect(violations.first?.advice.contains("start it before withTaskCancellationHandler") == true)
    }

    @Test func `every law has advice`() {
        for law in Law.allCases { #expect(!law.advice.isEmpty && !law.advice.hasSuffix(".")) }
        #expect(Set(Law.allCases.map(\.advice)).count == 10)
    }

    @Test func `every law that can be seen is tested`() {
        let oneShot = Set(WrongOneShotBridge.all.flatMap { $0.breaks.map(\.0) })
        let sequence = Set(WrongSequenceBridge.all.flatMap { $0.breaks.map(\.0) })
        #expect(oneShot.union(sequence) == Set(Law.allCases))
    }

    @Test func `names of scenarios are unique`() {
        let names = [
            OneShotLaws.scenarioNames(for: .everything),
            SequenceLaws.scenarioNames(for: .everything),
        ]
        for names in names { #expect(Set(names).count == names.count) }
    }
}
