// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// Lets some participants take their steps in every possible order.
///
/// Orders that have led to the same situation go on together, because what follows is the same.
struct SequenceExploration {
    let policy: BufferingPolicy
    let participants: [SequenceParticipant]
    private(set) var violations: [String] = []
    private(set) var outcomes: Set<SequenceWorld.Outcome> = []
    /// How many orders there are.
    private(set) var orders = 0
    private var known: [SequenceWorld.Situation: Int] = [:]

    init(of participants: [SequenceParticipant], _ policy: BufferingPolicy) {
        self.policy = policy
        self.participants = participants
        self.orders = self.explore(after: [])
    }

    /// The number of orders in which everything can go on after some steps.
    private mutating func explore(after choices: [SequenceParticipant]) -> Int {
        // Worlds can not be copied halfway, because a machine cannot: each order is played from its start.
        var world = SequenceWorld(self.policy, self.participants)
        for choice in choices { world.step(choice) }
        let situation = world.situation
        if let orders = self.known[situation] { return orders }
        let movable = world.movable
        if movable.isEmpty {
            world.close()
            self.outcomes.formUnion(world.outcomes.values)
        }
        if let violation = world.violations.first {
            if self.violations.count < 3 { self.violations.append("\(violation), after \(choices), \(self.policy)") }
            return 0
        }
        var orders = movable.isEmpty ? 1 : 0
        for participant in movable { orders += self.explore(after: choices + [participant]) }
        self.known[situation] = orders
        return orders
    }
}

@Suite("SequenceStateMachine: every order of the steps of all participants", .timeLimit(.minutes(10)))
struct SequenceOrderTests {
    static let others: [SequenceParticipant] = [
        .producer(1), .producer(2), .finisher, .failer, .canceller, .sender(1), .senderCanceller(1), .sender(2),
        .installer,
    ]

    static let policies: [BufferingPolicy] = [
        .unbounded,
        .newest(capacity: 1), .oldest(capacity: 1), .failing(capacity: 1),
        .watermark(low: 0, high: 1), .watermark(low: 1, high: 2),
        // The smallest one that gives batches.
        .watermark(low: 0, high: 4),
        .bounded(capacity: 0),
    ]

    /// All sets of up to three others, beside a consumer.
    static let casts: [[SequenceParticipant]] = (0..<(1 << others.count)).compactMap { bits in
        let cast = others.indices.filter { bits & (1 << $0) != 0 }.map { others[$0] }
        if cast.contains(.senderCanceller(1)), !cast.contains(.sender(1)) { return nil }
        return cast.count <= 3 ? cast : nil
    }

    private func explore(_ participants: [SequenceParticipant], sourceLocation: SourceLocation = #_sourceLocation) {
        for policy in Self.policies {
            let exploration = SequenceExploration(of: participants, policy)
            #expect(exploration.violations.isEmpty, "\(policy)", sourceLocation: sourceLocation)
            #expect(exploration.orders > 0, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: casts)
    func `a consumer gets what is not undelivered, and each park is resumed once`(with others: [SequenceParticipant]) {
        self.explore([.consumer] + others)
    }

    @Test(arguments: casts)
    func `a consumer that leaves stops the source once`(with others: [SequenceParticipant]) {
        self.explore([.leaver] + others)
    }

    @Test(
        arguments: casts.filter { $0.count < 3 }
    )
    func `a copy of the iterator that takes at the same time disturbs nobody`(with others: [SequenceParticipant]) {
        self.explore([.consumer, .copy] + others)
    }

    /// Guards the explorer itself: it reaches every end that there is.
    @Test func `every end is reached`() {
        let participants: [SequenceParticipant] = [.consumer, .producer(1), .finisher, .canceller]
        #expect(
            SequenceExploration(of: participants, .failing(capacity: 1)).outcomes == [
                .end(.finished), .end(.fault(.bufferOverflow)), .cancelled,
            ]
        )
        #expect(SequenceExploration(of: [.consumer, .failer], .unbounded).outcomes == [.end(.failed(1))])
        #expect(SequenceExploration(of: [.consumer, .producer(1)], .unbounded).outcomes == [.waitsForEver])
        #expect(SequenceExploration(of: [.leaver, .producer(1)], .unbounded).outcomes == [.left])
        #expect(SequenceExploration(of: [.consumer, .copy], .unbounded).outcomes == [.waitsForEver, .refused])
    }

    /// Participants of a, b and c steps have (a + b + c)! / a! b! c! orders.
    @Test func `every order is tried`() {
        // take, park, look: nobody disturbs.
        #expect(SequenceExploration(of: [.consumer], .unbounded).orders == 1)
        // Two participants of two steps, and two of one.
        let cancellers: [SequenceParticipant] = [.senderCanceller(1), .senderCanceller(2)]
        #expect(SequenceExploration(of: cancellers, .unbounded).orders == 6)
        #expect(SequenceExploration(of: cancellers + [.installer, .finisher], .unbounded).orders == 180)
    }
}
