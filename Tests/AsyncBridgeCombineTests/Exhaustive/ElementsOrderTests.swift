// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import OpenCombineShim
import Testing

import AsyncBridgeCombine

@Suite(
    "elements(buffering:): every order of the publisher's, the consumer's and a canceller's steps",
    .timeLimit(.minutes(60))
)
struct ElementsOrderTests {
    static let plans: [ElementsTrial.Plan] =
        [BufferingPolicy.bounded(capacity: 1), .bounded(capacity: 2), .bounded(capacity: 3), .unbounded].flatMap {
            buffer in
            [SubscriptionTime.atFirstNext, .immediately].flatMap { time in
                [true, false].flatMap { obeys in
                    [StepPublisher.Event.finish, .fail].map { end in
                        ElementsTrial.Plan(buffer: buffer, time: time, obeys: obeys, end: end)
                    }
                }
            }
        }

    private func play(
        _ plan: ElementsTrial.Plan,
        _ others: [ElementsTrial.Step]...,
        orders expected: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let events: [StepPublisher.Event] = [.subscription, .value(1), .value(2), plan.end]
        var orders = 0
        var violations: [String] = []
        forEachOrder(of: [events.map { .publisher($0) }] + others) { order in
            orders += 1
            let trial = ElementsTrial(plan, order)
            trial.play()
            violations += trial.violations
        }
        #expect(violations.prefix(3).isEmpty, sourceLocation: sourceLocation)
        #expect(orders == expected, sourceLocation: sourceLocation)
    }

    @Test(arguments: plans)
    func `a consumer gets all elements and the end, each once`(_ plan: ElementsTrial.Plan) {
        self.play(plan, [.next, .next, .next, .next], orders: 70)
    }

    @Test(arguments: plans)
    func `a consumer that leaves cancels once`(_ plan: ElementsTrial.Plan) {
        self.play(plan, [.leave], orders: 5)
        self.play(plan, [.next, .leave], orders: 15)
        self.play(plan, [.next, .next, .leave], orders: 35)
    }

    @Test(arguments: plans)
    func `a cancellation at any moment ends both sides once`(_ plan: ElementsTrial.Plan) {
        self.play(plan, [.next, .next, .next, .next], [.cancel], orders: 630)
        self.play(plan, [.next, .next, .leave], [.cancel], orders: 280)
    }
}
#endif
