// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim

/// The suite's subscriber, which only the publisher holds.
final class ProbeSubscriber<Input, Failure: Error>: Subscriber {
    private let probe: Probe
    private let publisher: WeakObject
    private let number: @Sendable (Input) -> Int
    private let token: LifetimeTracker.Token

    init(_ probe: Probe, _ publisher: WeakObject, _ number: @escaping @Sendable (Input) -> Int) {
        self.probe = probe
        self.publisher = publisher
        self.number = number
        self.token = probe.lifetime.token("the subscriber")
    }

    func receive(subscription: any Subscription) {
        self.probe.receive(
            SubscriptionBox(subscription, isPublisher: self.publisher.isSame(as: subscription))
        )
    }

    func receive(_ input: Input) -> Subscribers.Demand { Probe.demand(self.probe.receive(self.number(input))) }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: self.probe.receive(ProbeState.End.finished)
        case .failure(let error): self.probe.receive(ProbeState.End.failed(error))
        }
    }
}
#endif
