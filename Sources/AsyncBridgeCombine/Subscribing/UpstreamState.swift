// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
package import OpenCombineShim

/// The life of a subscriber's subscription: every decision, and nothing else.
///
/// | State        | Holds                                                      | Next                           |
/// |--------------|------------------------------------------------------------|--------------------------------|
/// | `awaited`    | the demand asked for before the subscription came          | `active`, `requesting`, `over` |
/// | `active`     | the subscription                                           | `requesting`, `over`           |
/// | `requesting` | the subscription, and the demand that came while one runs  | `requesting`, `active`, `over` |
/// | `over`       | nothing: completed, or cancelled                           | none                           |
///
/// Requests are made one at a time, as Reactive Streams 2.7 asks: one that comes while another runs is left to the
/// thread that is making that one. A cancellation does not wait for it: a publisher may deliver without end inside a
/// request, and only a cancellation can stop it then. Combine asks that `cancel()` may be called on any thread.
///
/// Invariant: a subscription that enters leaves once: to be cancelled, or to be released.
package struct UpstreamState: ~Copyable {
    private enum State {
        case awaited(Subscribers.Demand)
        case active(UpstreamSubscription)
        case requesting(UpstreamSubscription, next: Subscribers.Demand)
        case over
    }

    private var state = State.awaited(.none)

    package init() {}

    /// Whether the publisher has completed, or the subscriber wants no more.
    package var isOver: Bool {
        switch self.state {
        case .over: true
        case .awaited, .active, .requesting: false
        }
    }

    /// What the caller of ``receive(_:)`` does next.
    package enum ReceiveAction {
        case keep
        /// Make the request, then call ``requestEnded()``.
        case request(Subscribers.Demand)
        /// There is a subscription already, or none is wanted any more: cancel this one.
        case cancel
    }

    /// The publisher sends a subscription.
    package mutating func receive(_ subscription: UpstreamSubscription) -> ReceiveAction {
        guard case .awaited(let demand) = self.state else { return .cancel }
        guard demand > .none else {
            self.state = .active(subscription)
            return .keep
        }
        self.state = .requesting(subscription, next: .none)
        return .request(demand)
    }

    /// The subscriber wants more elements.
    ///
    /// - Returns: The subscription to ask, if it can be done now; then call ``requestEnded()``.
    package mutating func request(_ demand: Subscribers.Demand) -> UpstreamSubscription? {
        switch self.state {
        case .awaited(let earlier):
            self.state = .awaited(earlier + demand)
            return nil
        case .active(let subscription):
            self.state = .requesting(subscription, next: .none)
            return subscription
        case .requesting(let subscription, let next):
            self.state = .requesting(subscription, next: next + demand)
            return nil
        case .over:
            return nil
        }
    }

    /// A request has returned.
    ///
    /// - Returns: The demand to ask for next, if some came meanwhile.
    package mutating func requestEnded() -> Subscribers.Demand? {
        guard case .requesting(let subscription, let next) = self.state else { return nil }
        guard next > .none else {
            self.state = .active(subscription)
            return nil
        }
        self.state = .requesting(subscription, next: .none)
        return next
    }

    /// The publisher has completed, or the subscriber wants no more.
    ///
    /// - Returns: The subscription: to be released after a completion, otherwise to be cancelled.
    package mutating func end() -> UpstreamSubscription? {
        defer { self.state = .over }
        switch self.state {
        case .active(let subscription), .requesting(let subscription, _): return subscription
        case .awaited, .over: return nil
        }
    }
}

/// A subscription that may be used on any thread.
///
/// Safe: Combine asks publishers that a subscription's functions may be called on any thread.
package struct UpstreamSubscription: @unchecked Sendable {
    private let subscription: any Subscription

    package init(_ subscription: any Subscription) { self.subscription = subscription }

    package func request(_ demand: Subscribers.Demand) { self.subscription.request(demand) }
    package func cancel() { self.subscription.cancel() }
}
#endif
