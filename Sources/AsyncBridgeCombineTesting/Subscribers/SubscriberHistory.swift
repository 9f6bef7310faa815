// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

/// A course of events over one subscriber.
struct SubscriberHistory: RandomHistory {
    let seed: UInt64
    /// Whether the publisher sends its subscription at once.
    var isEager: Bool
    /// The most elements that are sent to reach the end of what is requested.
    let most: Int
    var steps: [SubscriberStep]

    var beginning: String {
        self.isEager
            ? "the subscriber subscribes, and gets its subscription at once"
            : "the subscriber subscribes, and the publisher sends no subscription yet"
    }

    var overSimplerSubjects: [SubscriberHistory] {
        guard !self.isEager else { return [] }
        var copy = self
        copy.isEager = true
        return [copy]
    }

    /// Makes a history at random.
    init(seed: UInt64, _ promises: SubscriberPromises) {
        var random = SplitMix(seed: seed)
        // Soon, so that one comes on a busy machine too; and few, since they take long.
        self.most = seed % 40 == 7 ? 100_000 : 5_000
        self.seed = seed
        self.isEager = random.happens(2, of: 3)
        var steps: [SubscriberStep] = []
        if !self.isEager {
            if random.happens(2, of: 3) { steps.append(.planRequest(Self.reaction(promises, &random))) }
            if promises.cancels, promises.cancelsEarly, random.happens(1, of: 5) { steps.append(.cancel(.here)) }
            steps.append(.subscribe)
        }
        for _ in 0..<(3 + random.below(18)) { steps.append(Self.step(promises, &random)) }
        self.steps = steps
    }

    private static func step(_ promises: SubscriberPromises, _ random: inout SplitMix) -> SubscriberStep {
        let place = random.happens(1, of: 4) ? SubscriberStep.Place.elsewhere : .here
        let count = random.pick([1, 1, 1, 1, 2, 3, 8, 33])
        // The rarer ones are over what comes before them.
        return switch random.below(25) {
        case 0..<8: .send(count, place)
        case 8..<12: .sendAll(place)
        case 12..<16: .planRequest(Self.reaction(promises, &random))
        case 16: .planCancel(Self.late(&random))
        case 17: .subscribeAgain
        case 18 where promises.cancels: .cancel(place)
        case 19 where promises.cancels: .cancelDuringSend(count)
        case 20: .end(.finished, place)
        case 21 where random.happens(1, of: 2): .end(.failed, place)
        case 22: .drop
        case 23 where promises.cancels: .cancelDuringEnd(random.happens(1, of: 2) ? .finished : .failed)
        default: .sendAll(place)
        }
    }

    private static func reaction(_ promises: SubscriberPromises, _ random: inout SplitMix) -> SubscriberStep.Reaction {
        var reaction = SubscriberStep.Reaction()
        if random.happens(3, of: 4) { reaction.sends = random.pick([1, 1, 2, 3, 5]) }
        if promises.cancels, random.happens(1, of: 10) { reaction.cancels = true }
        if random.happens(1, of: 10) { reaction.end = random.happens(1, of: 2) ? .finished : .failed }
        return reaction
    }

    /// What still comes while the subscription is cancelled.
    private static func late(_ random: inout SplitMix) -> SubscriberStep.Reaction {
        var reaction = SubscriberStep.Reaction()
        reaction.sends = random.below(3)
        if random.happens(1, of: 3) { reaction.end = random.happens(1, of: 2) ? .finished : .failed }
        return reaction
    }
}
#endif
