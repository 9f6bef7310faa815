// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// All laws at once: what nobody has thought of.

extension SequenceLaws {
    /// The name under which the random histories are run.
    static let historiesName = "elements, ends and consumers come and go in random order"

    /// How many histories are played.
    static let historyCount: UInt64 = 60

    /// Plays random histories on a bridge, up to the first with a violation, which is then made as short as possible.
    ///
    /// - Parameters:
    ///   - seed: The seed of the first history. That of each other is one more than that of the one before it.
    ///   - judged: What reports say of the bridge.
    ///   - time: The time of the whole check.
    ///   - promises: What the bridge promises.
    ///   - traits: What the type of its sequences tells.
    ///   - bridge: The bridge.
    /// - Returns: The violation; empty if there is none.
    static func playHistories(
        from seed: UInt64,
        _ judged: JudgedBridge,
        in time: LawTime,
        _ promises: SequencePromises,
        _ traits: SequenceTraits,
        _ bridge: @escaping SequenceHistoryPlayer.Bridge
    ) async -> [Violation] {
        let search = HistorySearch<SequenceHistory>(
            count: Self.historyCount,
            patience: promises.patience,
            // A slow machine may have needed all of it for a bridge that is right so far.
            time: time.orAtLeast(.seconds(20)),
            make: { .random(seed: $0, for: promises, traits) },
            // The player passes over what makes no sense.
            admits: { _ in true },
            play: { history, patience in
                let report = TrialReport(bridge: judged, scenario: Self.historiesName, law: .once)
                let patient = promises.with { $0.patience = patience }
                return await SequenceHistoryPlayer.play(history, bridge, patient, traits, report)
            }
        )
        return await search.run(from: seed)
    }
}
