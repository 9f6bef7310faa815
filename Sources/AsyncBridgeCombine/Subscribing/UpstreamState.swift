// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import OpenCombineShim

/// The life of a subscriber's subscription: every decision, and nothing else.
///
/// | State     | Holds                                                | Next             |
/// |-----------|------------------------------------------------------|------------------|
/// | `awaited` | the demand asked for before the subscription came    | `active`, `over` |
/// | `active`  | the subscription; while a request runs, what is next | `over`           |
/// | `over`    | nothing: completed, or cancelled                     | none             |
///
/// Requests are made one at a time, as Reactive Streams 2.7 asks: one that comes while another runs is left to the
/// thread that is making that one. A cancellation does not wait for it: a publisher may deliver without end inside a
/// request, and only a cancellation can stop it then. Combine asks that `cancel()` may be called on any thread.
///
/// Invariant: a subscription that enters leaves once: to be cancelled, or to be released.
struct UpstreamState: ~Copyable {
    private enum State {
        case awaited(Subscribers.Demand)
        case active(UpstreamSubscription, next: Subscribers.Demand, isRequesting: Bool)
        case over
    }

    private var state = State.awaited(.none)

    /// What the caller of ``receive(_:)`` does next.
    enum ReceiveAction {
        case keep
        /// Make the request, then call ``requestEnded()``.
        case request(Subscribers.Demand)
        /// There is a subscription already, or none is wanted any more: cancel this one.
        case cancel
    }

    /// The publisher sends a subscription.
    mutating func receive(_ subscription: UpstreamSubscription) -> ReceiveAction {
        guard case .awaited(let demand) = self.state else { return .cancel }
        self.state = .active(subscription, next: .none, isRequesting: demand > .none)
        return demand > .none ? .request(demand) : .keep
    }

    /// The subscriber wants more elements.
    ///
    /// - Returns: The subscription to ask, if it can be done now; then call ``requestEnded()``.
    mutating func request(_ demand: Subscribers.Demand) -> UpstreamSubscription? {
        switch self.state {
        case .awaited(let earlier):
            self.state = .awaited(earlier + demand)
            return nil
        case .active(let subscription, let next, isRequesting: true):
            self.state = .active(subscription, next: next + demand, isRequesting: true)
            return nil
        case .active(let subscription, _, isRequesting: false):
            self.state = .active(subscription, next: .none, isRequesting: true)
            return subscription
        case .over:
            return nil
        }
    }

    /// A request has returned.
    ///
    /// - Returns: The demand to ask for next, if some came meanwhile.
    mutating func requestEnded() -> Subscribers.Demand? {
        guard case .active(let subscription, let next, isRequesting: true) = self.state else { return nil }
        self.state = .active(subscription, next: .none, isRequesting: next > .none)
        return next > .none ? next : nil
    }

    /// The publisher has completed, or the subscriber wants no more.
    ///
    /// - Returns: The subscription: to be released after a completion, otherwise to be cancelled.
    mutating func end() -> UpstreamSubscription? {
        guard case .active(let subscription, _, _) = self.state else {
            self.state = .over
            return nil
        }
        self.state = .over
        return subscription
    }
}

/// A subscription that may be used on any thread.
///
/// Safe: Combine asks publishers that a subscription's functions may be called on any thread.
struct UpstreamSubscription: @unchecked Sendable {
    private let subscription: any Subscription

    init(_ subscription: any Subscription) { self.subscription = subscription }

    func request(_ demand: Subscribers.Demand) { self.subscription.request(demand) }
    func cancel() { self.subscription.cancel() }
}
#endif
