// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// Whatever changes the diagnostics of a whole process has a process of its own.
@Suite("BridgeDiagnostics of a process", .timeLimit(.minutes(10)))
struct DiagnosticsExitTests {
    /// Answers twice, at lines that the test knows.
    @Sendable
    static func answerTwice(line: UInt = 1) async throws {
        let value = try await withCallback(of: Int.self, fileID: "Module/Made.swift", line: line) { callback in
            callback.resume(returning: 1, fileID: "Module/First.swift", line: 2)
            callback.resume(returning: 2, fileID: "Module/Second.swift", line: 3)
        }
        #expect(value == 1)
    }

    private func message(of result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func `writes one line to standard error by default`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            #expect(BridgeDiagnostics.policy == .report)
            try await Self.answerTwice()
            try await Self.answerTwice()
        }
        let lines = self.message(of: result).split(separator: "\n").filter {
            $0.hasPrefix("swift-async-bridge: withCallback at Module/Made.swift:1: answered twice")
        }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("at Module/First.swift:2, then at Module/Second.swift:3") == true)
    }

    @Test func `names all places when it traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            BridgeDiagnostics.policy = .trap
            try await Self.answerTwice()
        }
        let message = self.message(of: result)
        for place in ["Module/Made.swift:1", "Module/First.swift:2", "Module/Second.swift:3"] {
            #expect(message.contains(place))
        }
    }

    @Test func `traps on a dropped callback if told to`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            BridgeDiagnostics.policy = .trap
            _ = try await withCallback(of: Int.self, fileID: "Module/Made.swift", line: 7) { _ in }
        }
        let message = self.message(of: result)
        #expect(message.contains("withCallback at Module/Made.swift:7: never answered"))
    }

    @Test func `says nothing if told to ignore`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let reports = Log<BridgeDiagnostics.Misuse>()
            BridgeDiagnostics.policy = .ignore
            #expect(BridgeDiagnostics.policy == .ignore)
            try await Self.answerTwice()
            BridgeDiagnostics.setHandler { reports($0) }
            try await Self.answerTwice()
            await #expect(throws: BridgeFault.self) { try await withCallback(of: Int.self) { _ in } }
            #expect(reports.count == 0)
            BridgeDiagnostics.policy = .report
            try await Self.answerTwice()
            #expect(reports.count == 1, "what was ignored does not count as reported")
        }
        let message = self.message(of: result)
        #expect(!message.contains("swift-async-bridge:"))
    }

    @Test func `replaces forgets and resets the handler`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let reports = Log<BridgeDiagnostics.Misuse>()
            let lifetimes = Lifetimes()
            let handler = { (probe: Lifetimes.Probe) -> @Sendable (BridgeDiagnostics.Misuse) -> Void in
                { misuse in
                    probe.touch()
                    reports(misuse)
                }
            }
            BridgeDiagnostics.setHandler(handler(lifetimes.probe()))
            #expect(lifetimes.alive == 1)
            try await Self.answerTwice()
            #expect(reports.count == 1)
            BridgeDiagnostics.forgetReportedPlaces()
            try await Self.answerTwice()
            #expect(reports.count == 2)
            BridgeDiagnostics.resetHandler()
            #expect(lifetimes.alive == 0, "the old handler is released")
            try await Self.answerTwice(line: 99)
            #expect(reports.count == 2)
        }
        let message = self.message(of: result)
        #expect(message.contains("Module/Made.swift:99"))
    }

    @Test func `calls the handler outside its lock`() async {
        await #expect(processExitsWith: .success) {
            let reports = Log<BridgeDiagnostics.Misuse>()
            BridgeDiagnostics.setHandler { misuse in
                _ = BridgeDiagnostics.policy
                BridgeDiagnostics.forgetReportedPlaces()
                BridgeDiagnostics.setHandler { _ in }
                reports(misuse)
            }
            try await Self.answerTwice()
            #expect(reports.count == 1)
        }
    }
}
