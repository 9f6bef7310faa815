// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@Suite("Wrong sequence bridges are caught", .timeLimit(.minutes(10)))
struct WrongSequenceBridgeTests {
    @Test(arguments: WrongSequenceBridge.all)
    func `is caught`(_ wrong: WrongSequenceBridge) async {
        let violations = await wrong.checkUntilCaught()
        for (law, scenario) in wrong.breaks { expect(violations, name: law, or: wrong.orElse, when: scenario) }
    }

    @Test func `every scenario catches some`() {
        let caught = Set(WrongSequenceBridge.all.flatMap { $0.breaks.map(\.1) })
        let idle = SequencePromises.kinds.flatMap { SequenceLaws.scenarioNames(for: $0) }
            .filter { !caught.contains($0) }
        #expect(idle == [])
    }
}

/// A bridge with a mistake, and where the suite must find it.
struct WrongSequenceBridge: Sendable, CustomTestStringConvertible {
    let name: String
    let breaks: [(Law, String)]
    /// A law that may be named instead: which one is seen depends on how far the consumer was.
    let orElse: Law?
    /// Whether two threads must come close for it, which they may not in each run.
    let isRace: Bool
    private let run: @Sendable (_ names: Set<String>?, _ seed: UInt64) async -> [Violation]

    init<S: AsyncSequence & SendableMetatype>(
        _ name: String,
        promises: SequencePromises = .wrong,
        breaks: [(Law, String)],
        orElse: Law? = nil,
        isRace: Bool = false,
        _ bridge: @escaping @Sendable (SequenceSource) -> S
    ) where S.Element == Int {
        self.name = name
        self.breaks = breaks
        self.orElse = orElse
        self.isRace = isRace
        self.run = { names, seed in
            await ForgottenCells.resumed {
                await SequenceLaws.check(name, promises: promises, only: names, seed: seed, bridge)
            }
        }
    }

    func check(_ names: Set<String>?, seed: UInt64 = 1) async -> [Violation] { await self.run(names, seed) }

    /// Runs the scenarios in which the suite must find it, up to five times if that takes a race.
    func checkUntilCaught() async -> [Violation] {
        var violations: [Violation] = []
        for _ in 1...(self.isRace ? 5 : 1) {
            violations = await self.check(Set(self.breaks.map(\.1)))
            let isCaught = self.breaks.allSatisfy { law, scenario in
                violations.contains { ($0.law == law || $0.law == self.orElse) && $0.scenario == scenario }
            }
            if isCaught { break }
        }
        return violations
    }

    var testDescription: String { self.name }

    static let all = Self.ofStreams + Self.ofPipes + Self.withOneMistake + Self.ofHistories + Self.ofEndings
}
