// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeTesting
import OpenCombineShim
import Synchronization

import AsyncBridgeCombine

/// A publisher that a test drives by hand: it sends what the test tells it to, whether or not it was asked for.
final class HandPublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
    /// Sends its subscription when told to, not at once.
    let isLate: Bool
    private let all = Mutex<[HandSubscription<Output, Failure>]>([])

    init(isLate: Bool = false) { self.isLate = isLate }

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let subscription = HandSubscription(Receiver(subscriber))
        self.all.withLock { $0.append(subscription) }
        if !self.isLate { subscription.sendSubscription() }
    }

    /// Each subscriber's, in their order.
    var subscriptions: [HandSubscription<Output, Failure>] { self.all.withLock { $0 } }

    /// The newest subscriber's.
    var current: HandSubscription<Output, Failure>? { self.subscriptions.last }

    func send(_ value: Output) { self.current?.send(value) }

    func send(completion: Subscribers.Completion<Failure>) { self.current?.send(completion: completion) }

    /// Forgets its subscribers, without a completion.
    func forget() {
        for subscription in self.subscriptions { subscription.forget() }
        let all = self.all.withLock { all in
            defer { all = [] }
            return all
        }
        withExtendedLifetime(all) {}
    }
}

extension HandPublisher {
    /// Its elements, for one consumer, and the place that reports about them name.
    func reportedElements(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> (elements: HotPublisherSequence<Output, Failure>, made: CallSite) {
        CollectedReports.begin()
        let elements = self.elements(
            buffering: .bounded(capacity: 4),
            subscribing: .immediately,
            fileID: fileID,
            line: line
        )
        return (elements, CallSite(fileID: fileID, line: line))
    }
}

/// The subscription of one subscriber to a ``HandPublisher``, which records what it is asked.
final class HandSubscription<Output: Sendable, Failure: Error>: Subscription, Sendable {
    private struct State {
        var receiver: Receiver<Output, Failure>?
        var requests: [Subscribers.Demand] = []
        var cancels = 0
        var sent = 0
        var onRequest: (@Sendable (Subscribers.Demand) -> Void)?
        var onCancel: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    init(_ receiver: Receiver<Output, Failure>) { self.state = Mutex(State(receiver: receiver)) }

    // MARK: What the subscriber calls

    func request(_ demand: Subscribers.Demand) {
        let onRequest = self.state.withLock { state in
            state.requests.append(demand)
            return state.onRequest
        }
        onRequest?(demand)
    }

    func cancel() {
        // As publishers do, it releases the subscriber.
        let (receiver, onCancel) = self.state.withLock { state in
            state.cancels += 1
            defer { state.receiver = nil }
            return (state.receiver, state.onCancel)
        }
        onCancel?()
        withExtendedLifetime(receiver) {}
    }

    // MARK: What the test calls

    func sendSubscription() { self.receiver?.subscriber.receive(subscription: self) }

    /// Sends it, also to a subscriber that has cancelled: a publisher may be about to when the cancellation comes.
    @discardableResult
    func send(_ value: Output, to receiver: Receiver<Output, Failure>? = nil) -> Subscribers.Demand {
        guard let receiver = receiver ?? self.receiver else { return .none }
        self.state.withLock { $0.sent += 1 }
        return receiver.subscriber.receive(value)
    }

    func send(completion: Subscribers.Completion<Failure>) {
        self.receiver?.subscriber.receive(completion: completion)
    }

    /// Says what happens when it is asked for elements, after that was recorded.
    func onRequest(_ body: @escaping @Sendable (Subscribers.Demand) -> Void) {
        self.state.withLock { $0.onRequest = body }
    }

    /// Says what happens when it is cancelled, after that was recorded.
    func onCancel(_ body: @escaping @Sendable () -> Void) { self.state.withLock { $0.onCancel = body } }

    /// Forgets its subscriber.
    func forget() {
        let state = self.state.withLock { state in
            defer { state = State(receiver: nil, requests: state.requests, cancels: state.cancels, sent: state.sent) }
            return state
        }
        withExtendedLifetime(state) {}
    }

    // MARK: What was seen

    var receiver: Receiver<Output, Failure>? { self.state.withLock { $0.receiver } }

    /// Each request, in their order.
    var requests: [Subscribers.Demand] { self.state.withLock { $0.requests } }

    /// The sum of all requests.
    var requested: Subscribers.Demand { self.requests.reduce(.none, +) }

    var cancels: Int { self.state.withLock { $0.cancels } }

    /// How many values were sent.
    var sent: Int { self.state.withLock { $0.sent } }
}
#endif
