// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@Suite struct LawTests {
    @Test func areTen() {
        #expect(Law.allCases.map(\.number) == Array(1...10))
        #expect(Set(Law.allCases.map(\.name)).count == 10)
        #expect("\(Law.noBlocking)" == "law 10 (no thread blocks)")
    }

    @Test func aViolationTellsEverything() async throws {
        let promises = OneShotPromises.wrong
        let scenario = "the source fails at once"
        let violations = await OneShotLaws.check("mine", promises: promises, only: [scenario]) { source in
            try await withCell { cell in _ = source.start { cell.resume($0.mapError { _ in OtherError() }) } }
        }
        try #require(violations.count == 1)
        #expect(violations[0].bridge == "mine")
        #expect(violations[0].law == .errors)
        #expect(violations[0].scenario == scenario)
        #expect(violations[0].explanation == "expected the source's error, saw the error 'OtherError()'")
        #expect(
            violations[0].description == "mine, when the source fails at once, breaks law 6 (errors as they are): "
                + violations[0].explanation
        )
    }

    @Test func everyLawThatCanBeSeenIsTested() {
        let oneShot = Set(WrongOneShotBridge.all.flatMap { $0.breaks.map(\.0) })
        let sequence = Set(WrongSequenceBridge.all.flatMap { $0.breaks.map(\.0) })
        #expect(oneShot.union(sequence) == Set(Law.allCases))
    }

    @Test func namesOfScenariosAreUnique() {
        let names = [OneShotLaws.scenarioNames(), SequenceLaws.scenarioNames(for: .all.with { $0.overflow = .pauses })]
        for names in names { #expect(Set(names).count == names.count) }
    }
}
