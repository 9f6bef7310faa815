// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridgeTesting
public import OpenCombineShim
import Synchronization

/// The publisher to which the subscriber under test subscribes.
///
/// It sends the scenario's signals, which may be some that no correct publisher sends. Subscribe to it once.
public final class ScriptedPublisher: Publisher, Sendable {
    /// Its elements are the numbers from 0.
    public typealias Output = Int

    /// It may fail.
    public typealias Failure = SourceError

    /// Safe: the suite sends its signals on one thread at a time, as publishers must.
    private struct Downstream: @unchecked Sendable {
        let subscriber: AnySubscriber<Int, SourceError>
    }

    let isSubscribed = Watched(false)
    private let onSubscriber: @Sendable (ScriptedPublisher) -> Void
    private let lastSubscriber = Mutex<WeakObject?>(nil)
    private let downstream = Mutex<Downstream?>(nil)
    private let subscription: Mutex<Held>

    /// Its own subscription: once it was sent, the subscriber's to keep, as with most publishers.
    private struct Held {
        var strong: RecordingSubscription?
        weak var weak: RecordingSubscription?
    }

    /// Makes a publisher; `onSubscriber` is called when there is a subscriber, and may send the subscription.
    init(
        _ subscription: RecordingSubscription,
        _ onSubscriber: @escaping @Sendable (ScriptedPublisher) -> Void
    ) {
        self.subscription = Mutex(Held(strong: subscription, weak: subscription))
        self.onSubscriber = onSubscriber
    }

    /// Takes the subscriber.
    ///
    /// - Parameter subscriber: The subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        let downstream = Downstream(subscriber: AnySubscriber(subscriber))
        self.downstream.withLock { $0 = downstream }
        let watch = WeakObject(subscriber)
        self.lastSubscriber.withLock { $0 = watch }
        self.onSubscriber(self)
        self.isSubscribed.update { $0 = true }
    }

    /// Sends its own subscription.
    func sendSubscription() {
        guard let own = self.own else { return }
        self.send(own)
        self.subscription.withLock { $0.strong = nil }
    }

    private var own: RecordingSubscription? { self.subscription.withLock { $0.weak } }

    func send(_ subscription: RecordingSubscription) { self.subscriber?.receive(subscription: subscription) }

    func send(_ element: Int) {
        let demand = self.subscriber?.receive(element) ?? .none
        self.own?.add(demand)
    }

    func send(_ end: Subscribers.Completion<SourceError>) {
        // From now on no call of the subscription is right.
        self.own?.end()
        self.subscriber?.receive(completion: end)
        self.own?.noteEndIsReceived()
    }

    /// Sends the end to a subscriber that has cancelled, and may call it again.
    func sendLate(_ end: Subscribers.Completion<SourceError>) { self.subscriber?.receive(completion: end) }

    /// Tells whether the subscriber is gone, if there was one.
    var watch: WeakObject? { self.lastSubscriber.withLock { $0 } }

    /// Forgets the subscriber and the subscription.
    func clear() {
        let own = self.subscription.withLock { subscription in
            defer { subscription = Held() }
            return subscription.strong
        }
        let old = self.downstream.withLock { downstream in
            defer { downstream = nil }
            return downstream
        }
        withExtendedLifetime((old, own)) {}
    }

    private var subscriber: AnySubscriber<Int, SourceError>? { self.downstream.withLock { $0 }?.subscriber }
}
#endif
