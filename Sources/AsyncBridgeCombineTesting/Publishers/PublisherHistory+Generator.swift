// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

extension PublisherHistory {
    /// How many elements the largest histories have: more than the usual limits of a buffer.
    static let many = 4_200

    /// Makes a history at random.
    init(seed: UInt64, isDriven: Bool, _ traits: PublisherTraits) {
        var random = SplitMix(seed: seed)
        // Soon, so that one comes on a busy machine too; and few, since they take long.
        let isLarge = seed % 40 == 7
        let source = isDriven ? Source.driven : Self.cold(traits, isLarge: isLarge, &random)
        let canShare =
            switch traits.promises.subscribers {
            case .each: !isDriven
            case .shared: isDriven
            case .one: false
            }
        let subscribers = canShare && random.happens(1, of: 3) ? random.below(2) + 2 : 1
        self.seed = seed
        self.source = source
        var steps: [PublisherStep] = []
        // What those get that come later is not promised where elements are kept.
        let comeLate = isDriven && traits.promises.unrequested != .kept && random.happens(1, of: 2)
        var late: [PublisherStep] = []
        for subscriber in 0..<subscribers {
            let subscribe = PublisherStep.subscribe(subscriber, Self.opening(traits, &random))
            if comeLate, subscriber > 0 { late.append(subscribe) } else { steps.append(subscribe) }
            if random.happens(1, of: 2) { steps.append(.plan(subscriber, Self.reaction(traits, &random))) }
        }
        if isLarge, isDriven {
            if random.happens(1, of: 2) { steps.append(.request(0, Probe.unlimited)) }
            steps.append(.send(Self.many))
        }
        for _ in 0..<(3 + random.below(18)) {
            steps.append(Self.step(random.below(subscribers), isDriven, traits, &random))
        }
        for subscribe in late { steps.insert(subscribe, at: 1 + random.below(steps.count)) }
        // Half of all let everything come.
        if random.happens(1, of: 2) {
            for subscriber in 0..<subscribers { steps.append(.request(subscriber, Probe.unlimited)) }
            if isDriven { steps.append(.finish) }
        }
        self.steps = steps
    }

    private static func cold(_ traits: PublisherTraits, isLarge: Bool, _ random: inout SplitMix) -> Source {
        let counts = traits.promises.counts
        let wanted = isLarge ? Self.many : random.pick([0, 1, 2, 3, 5, 10, 20, 33])
        let count = min(max(wanted, counts.lowerBound), counts.upperBound)
        return .cold(count: count, fails: traits.cases.failing != nil && random.happens(1, of: 4))
    }

    private static func opening(_ traits: PublisherTraits, _ random: inout SplitMix) -> PublisherStep.Reaction {
        var opening = PublisherStep.Reaction()
        if random.happens(1, of: 3) {
            for _ in 0...random.below(2) { opening.requests.append(Self.demand(traits, &random)) }
        }
        opening.cancels = random.happens(1, of: 40)
        return opening
    }

    private static func reaction(_ traits: PublisherTraits, _ random: inout SplitMix) -> PublisherStep.Reaction {
        var reaction = PublisherStep.Reaction()
        if random.happens(1, of: 3) {
            for _ in 0...random.below(2) { reaction.requests.append(Self.demand(traits, &random)) }
        }
        if random.happens(1, of: 4) { reaction.sends = 1 + random.below(3) }
        reaction.finishes = random.happens(1, of: 20)
        reaction.cancels = random.happens(1, of: 12)
        if random.happens(1, of: 2) { reaction.returns = max(0, Self.demand(traits, &random)) }
        return reaction
    }

    private static func step(
        _ subscriber: Int,
        _ isDriven: Bool,
        _ traits: PublisherTraits,
        _ random: inout SplitMix
    ) -> PublisherStep {
        switch random.below(isDriven ? 20 : 12) {
        case 0..<5: .request(subscriber, Self.demand(traits, &random))
        case 5..<10: .plan(subscriber, Self.reaction(traits, &random))
        case 10: random.happens(1, of: 2) ? .cancel(subscriber) : .request(subscriber, 1)
        case 11: .drop(subscriber)
        case 12: random.happens(1, of: 2) ? .finish : traits.cases.drivenFails ? .fail : .send(1)
        default: .send(Self.batch(traits, &random))
        }
    }

    private static func batch(_ traits: PublisherTraits, _ random: inout SplitMix) -> Int {
        let isFull = traits.promises.keptCount <= Self.many && random.happens(1, of: 3)
        return isFull ? traits.promises.keptCount : random.pick([1, 1, 1, 1, 2, 3, 8, 33])
    }

    private static func demand(_ traits: PublisherTraits, _ random: inout SplitMix) -> Int {
        let demand = random.pick([0, 1, 1, 1, 1, 2, 2, 3, 5, 20, .max - 1, Probe.unlimited])
        return demand == 0 && !traits.promises.takesZeroDemand ? 1 : demand
    }
}
#endif
