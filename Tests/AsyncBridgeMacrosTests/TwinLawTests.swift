// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeTesting
import BridgedFixtures
import BridgedInSwift5
import BridgedInSwift5Nonsending
import BridgedInSwift6
import Testing

/// Twins of the suite's own source, compiled in four language modes, under the laws (Laws.swift of the fixtures).
@Suite(.timeLimit(.minutes(10)))
struct TwinLawTests {
    @Test(arguments: LawMode.allCases)
    func twinsObeyTheLaws(_ mode: LawMode) async {
        let findings = await mode.findings()
        #expect(findings.count == 8)
        for (name, violations) in findings { #expect(violations.isEmpty, "\(name): \(violations)") }
    }

    @Test(arguments: LawMode.allCases)
    func aTwinThatIgnoresItsHandleBreaksTheLawOfCancellation(_ mode: LawMode) async {
        let violations = await mode.abandoned("the task is cancelled during the wait")
        #expect(violations.map(\.law) == [.cancellation], "\(violations)")
    }

    /// Why there is `.nonsending`.
    @Test(arguments: LawMode.allCases)
    func aTwinLeavesItsCallersActorWhereAsyncFunctionsDo(_ mode: LawMode) async {
        let violations = await mode.leaving("an actor calls")
        #expect(violations.map(\.law) == (mode.asyncFunctionsStay ? [] : [.isolation]), "\(violations)")
    }
}

enum LawMode: CaseIterable {
    case nonsending6, plain6, plain5, nonsending5

    /// Whether a function without isolation stays where its caller is: `NonisolatedNonsendingByDefault`.
    var asyncFunctionsStay: Bool { self == .nonsending6 || self == .nonsending5 }

    /// What the suite has found of each twin, which should be nothing.
    func findings() async -> [(name: String, violations: [Violation])] {
        switch self {
        case .nonsending6: await BridgedFixtures.LawTwins.findings().map { ($0.name, $0.violations) }
        case .plain6: await BridgedInSwift6.LawTwins.findings().map { ($0.name, $0.violations) }
        case .plain5: await BridgedInSwift5.LawTwins.findings().map { ($0.name, $0.violations) }
        case .nonsending5: await BridgedInSwift5Nonsending.LawTwins.findings().map { ($0.name, $0.violations) }
        }
    }

    /// What it finds in one scenario, of a twin that ignores its handle.
    func abandoned(_ scenario: String) async -> [Violation] {
        switch self {
        case .nonsending6: await BridgedFixtures.LawTwins.abandoned(only: [scenario]).violations
        case .plain6: await BridgedInSwift6.LawTwins.abandoned(only: [scenario]).violations
        case .plain5: await BridgedInSwift5.LawTwins.abandoned(only: [scenario]).violations
        case .nonsending5: await BridgedInSwift5Nonsending.LawTwins.abandoned(only: [scenario]).violations
        }
    }

    /// What it finds in one scenario, of a twin without `.nonsending`.
    func leaving(_ scenario: String) async -> [Violation] {
        switch self {
        case .nonsending6: await BridgedFixtures.LawTwins.leaving(only: [scenario]).violations
        case .plain6: await BridgedInSwift6.LawTwins.leaving(only: [scenario]).violations
        case .plain5: await BridgedInSwift5.LawTwins.leaving(only: [scenario]).violations
        case .nonsending5: await BridgedInSwift5Nonsending.LawTwins.leaving(only: [scenario]).violations
        }
    }
}
#endif
