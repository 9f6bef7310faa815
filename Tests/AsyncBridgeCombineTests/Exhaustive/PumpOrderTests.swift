// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim
import Testing

import AsyncBridgeCombine

@Suite(
    "publisher() of a sequence: every order of the subscriber's, the sequence's, a canceller's and the pump's steps",
    .timeLimit(.minutes(60))
)
struct PumpOrderTests {
    enum Step: Equatable {
        case request(Subscribers.Demand)
        case sequence(HandSequence.Event)
        case cancel
        /// The pump's task runs as far as it can.
        case run
    }

    struct Plan: CustomTestStringConvertible, Sendable {
        let requests: [Subscribers.Demand]
        /// What the subscriber returns for each element.
        let returned: Subscribers.Demand
        let end: HandSequence.Event
        let ignoresCancellation: Bool

        var testDescription: String {
            "\(self.requests), returns \(self.returned), \(self.end), ignores: \(self.ignoresCancellation)"
        }
    }

    static let plans: [Plan] = [[Subscribers.Demand.max(1), .max(1), .max(1)], [.max(1), .max(2)], [.unlimited]]
        .flatMap { requests in
            [Subscribers.Demand.none, .max(1)].flatMap { returned in
                [HandSequence.Event.finish, .fail].flatMap { end in
                    [false, true].map {
                        Plan(requests: requests, returned: returned, end: end, ignoresCancellation: $0)
                    }
                }
            }
        }

    @Test(arguments: plans)
    func `what was asked for comes, once, and no more`(_ plan: Plan) {
        let requests = plan.requests.map { Step.request($0) }
        let events: [Step] = [.sequence(.value(1)), .sequence(.value(2)), .sequence(plan.end)]
        var violations: [String] = []
        for cancels in [[], [Step.cancel]] {
            forEachOrder(of: [requests, events, cancels, [.run, .run]]) { order in
                let trial = Trial(plan, order)
                trial.play()
                violations += trial.violations
            }
        }
        #expect(violations.prefix(3).isEmpty)
    }

    private final class Trial {
        private let plan: Plan
        private let order: [Step]
        private let executor = ManualExecutor()
        private let sequence: HandSequence
        private let subscriber: HandSubscriber<Int, any Error>
        private var requested = Subscribers.Demand.none
        private var isCancelled = false
        private var hasRun = false
        private(set) var violations: [String] = []

        init(_ plan: Plan, _ order: [Step]) {
            self.plan = plan
            self.order = order
            self.sequence = HandSequence(ignoresCancellation: plan.ignoresCancellation)
            self.subscriber = HandSubscriber(onValue: { _, _ in plan.returned })
            self.sequence.publisher(executor: self.executor).subscribe(self.subscriber)
        }

        private func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
            if !condition { self.violations.append("\(what()): \(self.order), \(self.plan.testDescription)") }
        }

        func play() {
            self.expect(self.subscriber.isSubscribed, "no subscription")
            for step in self.order {
                self.take(step)
                self.check("after \(step)")
            }
            self.executor.run()
            self.check("at the end")
            if !self.isCancelled { self.checkEnd() }
            self.expect(self.subscriber.violations.isEmpty, "\(self.subscriber.violations)")
            // Lets a sequence that ignores the cancellation go.
            for _ in 0..<2 { self.sequence.take(.finish) }
            self.executor.run()
        }

        private func take(_ step: Step) {
            switch step {
            case .request(let demand):
                if !self.isCancelled { self.requested += demand }
                self.subscriber.request(demand)
            case .sequence(let event):
                self.sequence.take(event)
            case .cancel:
                self.cancel()
            case .run:
                self.run()
            }
        }

        private func run() {
            if self.executor.run() > 0, self.requested > .none, !self.isCancelled { self.hasRun = true }
        }

        private func cancel() {
            self.isCancelled = true
            let (asked, values, isOver) = (self.sequence.asked, self.subscriber.values, self.subscriber.isOver)
            self.subscriber.cancel()
            let jobs = self.executor.run()
            self.expect(self.sequence.asked == asked, "asked after the cancellation, in \(jobs) jobs")
            self.expect(self.subscriber.values == values && self.subscriber.isOver == isOver, "sent afterwards")
            if !self.hasRun { self.expect(self.sequence.iterations == 0, "iterated for nobody") }
        }

        /// What was asked for, with what the subscriber has returned.
        private var demand: Subscribers.Demand {
            self.subscriber.values.reduce(self.requested) { demand, _ in demand + self.plan.returned }
        }

        private func check(_ place: String) {
            let values = self.subscriber.values
            self.expect(values == Array([1, 2].prefix(values.count)), "\(values) received, \(place)")
            self.expect(.max(values.count) <= self.demand, "\(values) received, \(place)")
            self.expect(.max(self.sequence.asked) <= self.demand, "asked \(self.sequence.asked) times, \(place)")
            self.expect(self.sequence.iterations <= 1, "\(self.sequence.iterations) iterations, \(place)")
        }

        private func checkEnd() {
            // The end comes to a subscriber that asks for more than there is.
            self.expect(self.subscriber.values == [1, 2], "\(self.subscriber.values) received")
            let hears = self.demand > .max(2)
            self.expect(self.subscriber.isOver == hears, "over: \(self.subscriber.isOver)")
            if hears {
                let isFailure = self.subscriber.failure is StepFailure
                self.expect(isFailure == (self.plan.end == .fail), "the wrong end")
            }
            self.expect(.max(self.sequence.asked) == min(self.demand, .max(3)), "asked \(self.sequence.asked) times")
        }
    }
}
#endif
