// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombine
import AsyncBridgeFutures
import OpenCombineShim
import Testing

/// `TaskPublisher` has the same subscription; here nothing but the steps decides what comes when.
@Suite(
    "CoFuture.publisher(): every order of subscribing, requests, results and a cancellation",
    .timeLimit(.minutes(60))
)
struct ResultOrderTests {
    enum Step {
        case subscribe
        case request
        case result
        case otherResult
        case cancel
    }

    @Test(arguments: [true, false], [WaitPolicy.abandon, .propagate])
    func `every order`(_ succeeds: Bool, _ policy: WaitPolicy) {
        var orders = 0
        var violations: [String] = []
        forEachOrder(of: [[.subscribe, .request, .request], [.result, .otherResult], [Step.cancel]]) { order in
            orders += 1
            let trial = Trial(order, succeeds, policy)
            trial.play()
            violations += trial.violations
        }
        #expect(orders == 60)
        #expect(violations.prefix(3).isEmpty)
    }

    private final class Trial {
        private let order: [Step]
        private let succeeds: Bool
        private let policy: WaitPolicy
        private let promise = CoPromise<Int>()
        private let subscriber = HandSubscriber<Int, any Error>()
        private(set) var violations: [String] = []

        // What is expected.
        private enum Result {
            case value
            case failure
            case cancellation
        }

        private var result: Result?
        private var hasAsked = false
        private var hasCancelled = false
        private var isDelivered = false

        init(_ order: [Step], _ succeeds: Bool, _ policy: WaitPolicy) {
            self.order = order
            self.succeeds = succeeds
            self.policy = policy
        }

        private func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
            if !condition { self.violations.append("\(what()): \(self.order), \(self.succeeds), \(self.policy)") }
        }

        func play() {
            for step in self.order {
                self.take(step)
                self.check("after \(step)")
            }
            self.expect(self.subscriber.violations.isEmpty, "\(self.subscriber.violations)")
        }

        private func take(_ step: Step) {
            switch step {
            case .subscribe:
                self.promise.publisher(cancellation: self.policy).subscribe(self.subscriber)
                self.expect(self.subscriber.isSubscribed, "no subscription")
            case .request:
                self.subscriber.request(.max(1))
                self.hasAsked = true
            case .result:
                if self.succeeds { self.promise.success(1) } else { self.promise.fail(StepFailure()) }
                if self.result == nil { self.result = self.succeeds ? .value : .failure }
            case .otherResult:
                self.promise.success(2)
            case .cancel:
                self.subscriber.cancel()
                guard self.subscriber.isSubscribed else { return }
                self.hasCancelled = true
                if self.policy == .propagate, self.result == nil { self.result = .cancellation }
            }
            if self.subscriber.isSubscribed, !self.hasCancelled, let result = self.result {
                self.isDelivered = self.isDelivered || result != .value || self.hasAsked
            }
        }

        private func check(_ place: String) {
            self.expect(self.promise.isCancelled == (self.result == .cancellation), "cancelled or not, \(place)")
            self.expect(self.subscriber.isOver == self.isDelivered, "over: \(self.subscriber.isOver), \(place)")
            let isValue = self.isDelivered && self.result == .value
            self.expect(self.subscriber.values == (isValue ? [1] : []), "\(self.subscriber.values), \(place)")
            let isFailure = self.isDelivered && self.result == .failure
            self.expect((self.subscriber.failure is StepFailure) == isFailure, "the wrong end, \(place)")
        }
    }
}
#endif
