// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization
import Testing

@testable import AsyncBridgeTesting

@Suite("The search for the shortest history", .timeLimit(.minutes(10)))
struct HistorySearchTests {
    /// Letters, of which some are left out.
    private struct Letters: LawHistory, ExpressibleByStringLiteral {
        var letters: String
        var hasRace = false

        init(stringLiteral letters: String) { self.letters = letters }

        var simpler: [Letters] {
            self.letters.indices.map { index in
                var copy = self
                copy.letters.remove(at: index)
                return copy
            }
        }
    }

    /// Says what comes of the plays, and counts them.
    private final class FakeBridge: Sendable {
        private let count = Mutex(0)
        private let law: @Sendable (Letters, _ play: Int) -> (law: Law, isTimed: Bool)?

        init(_ law: @escaping @Sendable (Letters, _ play: Int) -> (law: Law, isTimed: Bool)?) { self.law = law }

        var plays: Int { self.count.withLock { $0 } }

        func play(_ history: Letters) -> HistoryFinding<Letters>? {
            let play = self.count.withLock { count in
                count += 1
                return count
            }
            guard let found = self.law(history, play) else { return nil }
            let report = TrialReport(
                bridge: JudgedBridge("mine", made: .init()),
                scenario: "letters come",
                law: found.law
            )
            report.violation("expected the value 1, saw \(history.letters)")
            return HistoryFinding(
                violation: report.violations[0],
                history: history,
                steps: history.letters.map(String.init),
                isTimed: found.isTimed
            )
        }
    }

    private func search(_ bridge: FakeBridge, _ history: Letters, count: UInt64 = 1) async -> [Violation] {
        let search = HistorySearch<Letters>(
            count: count,
            patience: .milliseconds(10),
            time: LawTime(),
            make: { _ in history },
            admits: { _ in true },
            play: { history, _ in bridge.play(history) }
        )
        return await search.run(from: 1)
    }

    private static let alphabet: Letters = "ABCDEFGHIJKLMNOPQRST"

    /// As long as the longest random history.
    @Test func `only what matters is left`() async throws {
        let bridge = FakeBridge { history, _ in
            history.letters.contains("A") && history.letters.contains("C") ? (.order, false) : nil
        }
        let violation = try #require(await self.search(bridge, Self.alphabet).first)
        #expect(violation.steps == ["A", "C"])
        #expect(violation.law == .order)
        #expect(violation.seed == 1)
    }

    /// Whatever is left out, the bridge is right.
    @Test(arguments: ["T", "AT", "BDFHJLNPR", "KLMNO", "ABCDEFGHIJ", "ABCDEFGHIJKLMNOPQRST"])
    func `no single removal is left that fails`(_ needed: String) async throws {
        let fails: @Sendable (Letters) -> Bool = { history in needed.allSatisfy(history.letters.contains) }
        let bridge = FakeBridge { history, _ in fails(history) ? (.order, false) : nil }
        let violation = try #require(await self.search(bridge, Self.alphabet).first)
        let shortest = Letters(stringLiteral: violation.steps.joined())
        #expect(fails(shortest))
        #expect(shortest.simpler.filter(fails) == [])
    }

    /// A shorter history may break another law: that is another mistake.
    @Test func `the law stays the same`() async throws {
        let bridge = FakeBridge { history, _ in
            guard history.letters.contains("A") else { return nil }
            return (history.letters.contains("C") ? .order : .once, false)
        }
        let violation = try #require(await self.search(bridge, Self.alphabet).first)
        #expect(violation.steps == ["A", "C"])
        #expect(violation.law == .order)
    }

    @Test(arguments: [true, false])
    func `a race that goes well in most plays is told`(_ isTimed: Bool) async throws {
        let bridge = FakeBridge { history, play in
            history.letters.contains("A") && play % 4 == 0 ? (.neverLost, isTimed) : nil
        }
        var history = Self.alphabet
        history.hasRace = true
        let violation = try #require(await self.search(bridge, history, count: 4).first)
        #expect(violation.law == .neverLost)
        #expect(violation.steps.contains("A"))
        #expect(violation.seed == 4)
    }

    /// A busy machine makes right bridges slow.
    @Test(arguments: [true, false])
    func `what is late only once is not told`(_ hasRace: Bool) async {
        let bridge = FakeBridge { _, play in play == 3 ? (.neverLost, true) : nil }
        var history = Self.alphabet
        history.hasRace = hasRace
        #expect(await self.search(bridge, history, count: 5) == [])
        // Each history once, and the third again.
        #expect(bridge.plays == 5 + (hasRace ? 10 : 2))
    }

    @Test func `what is wrong only once is told if nothing was waited for`() async throws {
        let bridge = FakeBridge { _, play in play == 3 ? (.once, false) : nil }
        let violation = try #require(await self.search(bridge, Self.alphabet, count: 5).first)
        #expect(violation.steps.joined() == Self.alphabet.letters)
        #expect(violation.seed == 3)
    }

    // MARK: Real histories

    /// The steps to a simpler one are small enough, and there are enough of them.
    @Test func `random histories of calls become short`() async throws {
        let promises = OneShotPromises.everything
        let fails: @Sendable (OneShotHistory) -> Bool = { history in
            let calls = Dictionary(grouping: history.events, by: \.call).values
            return calls.contains { events in
                events.count { if case .cancel = $0 { true } else { false } } > 0
                    && events.count { if case .answer = $0 { true } else { false } } > 1
            }
        }
        var lengths: [Int] = []
        for seed in 1...OneShotLaws.historyCount {
            let history = OneShotHistory.random(seed: seed, for: promises)
            guard fails(history) else { continue }
            let search = HistorySearch<OneShotHistory>(
                count: 1,
                patience: .milliseconds(10),
                time: LawTime(),
                make: { .random(seed: $0, for: promises) },
                admits: { OneShotModel.admits($0, promises) },
                play: { history, _ in
                    guard fails(history) else { return nil }
                    let report = TrialReport(
                        bridge: JudgedBridge("mine", made: .init()),
                        scenario: "calls come",
                        law: .once
                    )
                    report.violation("expected the value 1, saw the value 2")
                    return HistoryFinding(
                        violation: report.violations[0],
                        history: history,
                        steps: history.steps,
                        isTimed: false
                    )
                }
            )
            lengths.append(try #require(await search.run(from: seed).first).steps.count)
        }
        #expect(lengths.count > 1)
        #expect(lengths.allSatisfy { $0 == 4 }, "\(lengths)")
    }
}
