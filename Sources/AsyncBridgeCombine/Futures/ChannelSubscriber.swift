// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeFutures
import OpenCombineShim

/// Puts what a publisher sends into a channel in which every element finds room.
///
/// If the publisher releases its subscriber without a completion, the channel ends with that error.
final class ChannelSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    /// Cancels the subscription.
    ///
    /// Does not hold the subscriber.
    let upstream = Upstream()

    private let sender: CoChannel<Input>.Sender
    private let made: CallSite

    init(_ sender: CoChannel<Input>.Sender, made: CallSite) {
        self.sender = sender
        self.made = made
        self.upstream.request(.unlimited)
    }

    deinit {
        // A publisher that is cancelled releases its subscriber, and that is no fault.
        guard !self.upstream.isOver else { return }
        self.sender.close(throwing: DroppedSubscriber.report("subscribeCoChannel", made: self.made))
    }

    func receive(subscription: any Subscription) { self.upstream.receive(subscription) }

    func receive(_ input: Input) -> Subscribers.Demand {
        self.sender.offer(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        self.upstream.complete()
        switch completion {
        case .finished: self.sender.close()
        case .failure(let error): self.sender.close(throwing: error)
        }
    }
}
#endif
