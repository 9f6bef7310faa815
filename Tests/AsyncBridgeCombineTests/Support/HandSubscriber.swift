// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeTesting
import OpenCombineShim
import Synchronization

/// A subscriber that a test drives by hand, and that records each signal.
///
/// It reports signals that overlap, that come before the subscription or after the end, and a second subscription.
final class HandSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    /// Safe: Combine lets a subscription be used on any thread.
    private struct Held: @unchecked Sendable {
        let subscription: any Subscription
    }

    private struct State {
        var held: Held?
        var values: [Input] = []
        var completions: [Subscribers.Completion<Failure>] = []
        var violations: [String] = []
        /// How many signals are being received.
        var depth = 0
        var onSubscription: (@Sendable (HandSubscriber) -> Void)?
        var onValue: (@Sendable (HandSubscriber, Input) -> Subscribers.Demand)?

        mutating func begin(_ signal: String) {
            self.depth += 1
            if self.depth > 1 { self.violations.append("\(signal) came while another signal was being received") }
            if !self.completions.isEmpty { self.violations.append("\(signal) came after the end") }
        }
    }

    private let state = Mutex(State())

    init(
        onSubscription: (@Sendable (HandSubscriber) -> Void)? = nil,
        onValue: (@Sendable (HandSubscriber, Input) -> Subscribers.Demand)? = nil
    ) {
        self.state.withLock { state in
            state.onSubscription = onSubscription
            state.onValue = onValue
        }
    }

    // MARK: What the publisher calls

    func receive(subscription: any Subscription) {
        let held = Held(subscription: subscription)
        let action = self.state.withLock { state in
            state.begin("a subscription")
            if state.held != nil { state.violations.append("a second subscription came") }
            state.held = held
            return state.onSubscription
        }
        action?(self)
        self.state.withLock { $0.depth -= 1 }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let action = self.state.withLock { state in
            state.begin("a value")
            if state.held == nil { state.violations.append("a value came without a subscription") }
            state.values.append(input)
            return state.onValue
        }
        let demand = action?(self, input) ?? .none
        self.state.withLock { $0.depth -= 1 }
        return demand
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        self.state.withLock { state in
            state.begin("a completion")
            if state.held == nil { state.violations.append("a completion came without a subscription") }
            state.completions.append(completion)
            state.depth -= 1
        }
    }

    // MARK: What the test calls

    func request(_ demand: Subscribers.Demand) { self.state.withLock { $0.held }?.subscription.request(demand) }

    func cancel() { self.state.withLock { $0.held }?.subscription.cancel() }

    /// Cancels, and lets what was waiting on the executor end, so that nothing is left when the test is over.
    func end(_ executor: ManualExecutor) {
        self.cancel()
        executor.run()
    }

    /// Forgets its subscription.
    func forget() {
        let held = self.state.withLock { state in
            defer { state.held = nil }
            return state.held
        }
        withExtendedLifetime(held) {}
    }

    // MARK: What was seen

    var isSubscribed: Bool { self.state.withLock { $0.held != nil } }
    var values: [Input] { self.state.withLock { $0.values } }
    var isOver: Bool { self.state.withLock { !$0.completions.isEmpty } }
    var violations: [String] { self.state.withLock { $0.violations } }

    /// The end that came; several are violations.
    var completion: Subscribers.Completion<Failure>? { self.state.withLock { $0.completions.first } }

    var hasFinished: Bool {
        if case .finished = self.completion { true } else { false }
    }

    var failure: Failure? {
        if case .failure(let error) = self.completion { error } else { nil }
    }
}
#endif
