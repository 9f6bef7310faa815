// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import OpenCombineShim

import AsyncBridgeCombine

/// With what a publisher fails in an order.
struct StepFailure: Error {}

/// A publisher whose events are steps of an order: each waits until it may happen.
///
/// Safe: each trial has one thread.
final class StepPublisher: Publisher, @unchecked Sendable {
    typealias Output = Int
    typealias Failure = any Error

    enum Event: Equatable {
        case subscription
        case value(Int)
        case finish
        case fail
    }

    /// Whether values wait for demand; a subject's do not.
    private let obeys: Bool
    private var receiver: Receiver<Int, any Error>?
    private var isOpen = false
    private var hasSentSubscription = false
    private var isSending = false
    private var waiting: [Event] = []

    private(set) var subscribers = 0
    private(set) var requested = Subscribers.Demand.none
    private(set) var sent: [Int] = []
    private(set) var cancels = 0
    private(set) var hasCompleted = false

    init(obeys: Bool) { self.obeys = obeys }

    /// Whether the subscription was sent and nothing has ended it.
    var isActive: Bool { self.hasSentSubscription && !self.hasCompleted && self.cancels == 0 }

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Int, Downstream.Failure == any Error {
        self.subscribers += 1
        self.receiver = Receiver(subscriber)
        self.sendWhatIsDue()
    }

    func take(_ event: Event) {
        if event == .subscription { self.isOpen = true } else { self.waiting.append(event) }
        self.sendWhatIsDue()
    }

    private func sendWhatIsDue() {
        // A request inside a signal: the loop below goes on with it.
        if self.isSending { return }
        self.isSending = true
        defer { self.isSending = false }
        guard self.isOpen, let subscriber = self.receiver?.subscriber else { return }
        if !self.hasSentSubscription {
            self.hasSentSubscription = true
            subscriber.receive(subscription: Line(self))
        }
        while let event = self.waiting.first, self.receiver != nil {
            switch event {
            case .subscription:
                break
            case .value(let value):
                if self.obeys, let limit = self.requested.max, self.sent.count >= limit { return }
                self.sent.append(value)
                _ = subscriber.receive(value)
            case .finish, .fail:
                self.hasCompleted = true
                self.receiver = nil
                subscriber.receive(completion: event == .fail ? .failure(StepFailure()) : .finished)
            }
            self.waiting.removeFirst()
        }
    }

    private final class Line: Subscription {
        private let publisher: StepPublisher

        init(_ publisher: StepPublisher) { self.publisher = publisher }

        func request(_ demand: Subscribers.Demand) {
            self.publisher.requested += demand
            self.publisher.sendWhatIsDue()
        }

        func cancel() {
            self.publisher.cancels += 1
            self.publisher.receiver = nil
        }
    }
}
#endif
