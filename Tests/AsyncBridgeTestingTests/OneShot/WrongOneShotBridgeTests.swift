// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@Suite("Wrong one-shot bridges are caught", .timeLimit(.minutes(10)))
struct WrongOneShotBridgeTests {
    @Test(arguments: WrongOneShotBridge.all)
    func `is caught`(_ wrong: WrongOneShotBridge) async {
        var violations: [Violation] = []
        // A mistake that needs two threads at once does not show each time, on a busy machine.
        for _ in 0..<5 {
            violations += await wrong.check(Set(wrong.breaks.map(\.1)))
            let isCaught = wrong.breaks.allSatisfy { law, scenario in
                violations.contains { $0.law == law && $0.scenario == scenario }
            }
            if isCaught { break }
        }
        for (law, scenario) in wrong.breaks { expect(violations, name: law, when: scenario) }
    }

    /// The first violation is the true one: nothing hangs.
    @Test func `a value that is handed back again is not taken for a lock`() async throws {
        let wrong = try #require(
            WrongOneShotBridge.all.first { $0.name == "hands back its first late value again" }
        )
        let violations = await wrong.check(Set(wrong.breaks.map(\.1)))
        #expect(violations.map(\.law) == [.once], "\(violations)")
    }

    /// In words: the number alone does not say that it is the handler that calls.
    @Test func `a cancellation inside a cancellation is told`() async throws {
        let wrong = try #require(WrongOneShotBridge.ofLoops.first)
        let violations = await wrong.check(["the source answers inside cancel"])
        #expect(
            violations.map(\.explanation) == [
                "expected cancellations of the work: 1, but cancel() is called inside cancel(): the completion "
                    + "handler, which the source calls there, stops the source again"
            ]
        )
    }

    @Test func `a start inside a start is told`() async throws {
        let wrong = try #require(
            WrongOneShotBridge.ofLoops.first { $0.name == "starts the work again inside a failure" }
        )
        let violations = await wrong.check(["the source fails at once"])
        #expect(violations.contains { $0.explanation.contains("but start is called inside start without end") })
    }

    #if !THREAD_SANITIZER
    /// A typing mistake would look like a right bridge.
    @Test func `a scenario that there is not ends the process`() async {
        await #expect(processExitsWith: .failure) {
            _ = await OneShotLaws.check("mine", only: ["the source answers at one"]) { _ in 0 }
        }
        await #expect(processExitsWith: .failure) {
            _ = await SequenceLaws.check("mine", only: ["no such scenario"]) { _ in AsyncStream<Int> { nil } }
        }
    }
    #endif

    @Test func `every scenario catches some`() {
        let caught = Set(WrongOneShotBridge.all.flatMap { $0.breaks.map(\.1) })
        let names = OneShotLaws.scenarioNames(for: .everything)
        let idle = names.filter { !caught.contains($0) }
        #expect(idle == [])
    }
}

/// A bridge with a mistake, and where the suite must find it.
struct WrongOneShotBridge: Sendable, CustomTestStringConvertible {
    typealias Bridge = nonisolated(nonsending) @Sendable (OneShotSource) async throws -> Int

    let name: String
    let promises: OneShotPromises
    let breaks: [(Law, String)]
    let bridge: Bridge

    init(
        _ name: String,
        promises: OneShotPromises = .wrong,
        breaks: [(Law, String)],
        _ bridge: nonisolated(nonsending) @escaping @Sendable (OneShotSource) async throws -> Int
    ) {
        self.name = name
        self.promises = promises
        self.breaks = breaks
        self.bridge = bridge
    }

    func check(_ names: Set<String>?) async -> [Violation] {
        await ForgottenCells.resumed {
            await OneShotLaws.check(self.name, promises: self.promises, only: names, self.bridge)
        }
    }

    var testDescription: String { self.name }

    static let all =
        Self.ofAnswers + Self.ofCancellation + Self.ofSurroundings + Self.withOneMistake + Self.ofHistories
        + Self.ofTimeouts + Self.ofLoops + Self.ofWorkers
}
