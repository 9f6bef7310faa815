// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridge
public import OpenCombineShim

/// The life of a subscription whose elements come from an async sequence: every decision, and nothing else.
///
/// The pump is the task that iterates. It takes an allowance, the demand there is, and pulls as many elements.
///
/// | State         | Holds                                              | Next                      |
/// |---------------|----------------------------------------------------|---------------------------|
/// | `subscribing` | the subscriber, and what it has asked for already  | `idle`, `running`, `over` |
/// | `idle`        | the subscriber; nothing was asked for, no pump yet | `running`, `over`         |
/// | `running`     | the subscriber, and the demand that no pump took   | `parked`, `last`, `over`  |
/// | `parked`      | the subscriber, and the pump, which has no demand  | `running`, `over`         |
/// | `last`        | as `running`; the subscription was dropped         | `over`                    |
/// | `over`        | nothing: completed, or cancelled                   | none                      |
///
/// A subscriber that drops its subscription gets what it has asked for, and then no more: only what it returns from
/// `receive(_:)` can still ask.
///
/// While the subscriber is receiving its subscription no pump is started, whose first element could come beside it.
///
/// Invariant: a parked pump leaves once, in an action. Invariant: the subscriber leaves with `over`, so nothing is sent
/// after that.
@usableFromInline
package struct PumpState<Downstream: Sendable>: ~Copyable {
    @usableFromInline
    package enum State: Sendable {
        case subscribing(Downstream, Subscribers.Demand)
        case idle(Downstream)
        case running(Downstream, Subscribers.Demand)
        case parked(Downstream, ParkedContinuation)
        case last(Downstream, Subscribers.Demand)
        case over
    }

    @usableFromInline package var state: State

    @inlinable
    package init(_ downstream: Downstream) { self.state = .subscribing(downstream, .none) }

    /// The subscriber has received its subscription.
    ///
    /// - Returns: Whether to start the pump, because there is demand.
    @inlinable
    package mutating func subscribed() -> Bool {
        guard case .subscribing(let downstream, let demand) = self.state else { return false }
        self.state = demand > .none ? .running(downstream, demand) : .idle(downstream)
        return demand > .none
    }

    /// What the caller of ``request(_:)`` does next.
    @usableFromInline
    package enum RequestAction: Sendable {
        case none
        /// The first demand: start the pump.
        case start
        /// Resume the pump.
        case resume(ParkedContinuation)
    }

    /// The subscriber asks for more elements; not for none.
    @inlinable
    package mutating func request(_ demand: Subscribers.Demand) -> RequestAction {
        switch self.state {
        case .subscribing(let downstream, let earlier):
            self.state = .subscribing(downstream, earlier + demand)
            return .none
        case .idle(let downstream):
            self.state = .running(downstream, demand)
            return .start
        case .running(let downstream, let earlier):
            self.state = .running(downstream, earlier + demand)
            return .none
        case .last(let downstream, let earlier):
            self.state = .last(downstream, earlier + demand)
            return .none
        case .parked(let downstream, let pump):
            self.state = .running(downstream, demand)
            return .resume(pump)
        case .over:
            return .none
        }
    }

    /// The pump has used up its allowance.
    ///
    /// - Returns: What it may pull now: `.none` if it must park, or `nil` if it must end.
    @inlinable
    package mutating func takeAllowance() -> Subscribers.Demand? {
        switch self.state {
        case .running(let downstream, let demand):
            self.state = .running(downstream, .none)
            return demand
        case .last(let downstream, let demand):
            self.state = .last(downstream, .none)
            return demand > .none ? demand : nil
        case .subscribing, .idle, .parked, .over:
            return nil
        }
    }

    /// The pump has no allowance, and has made its continuation.
    ///
    /// - Returns: Whether it is parked; otherwise, resume it.
    @inlinable
    package mutating func park(_ pump: ParkedContinuation) -> Bool {
        guard case .running(let downstream, .none) = self.state else { return false }
        self.state = .parked(downstream, pump)
        return true
    }

    /// The subscriber that gets the next element; `nil` if it gets no more.
    @inlinable
    package var receiver: Downstream? {
        switch self.state {
        case .subscribing(let downstream, _), .idle(let downstream), .running(let downstream, _),
            .parked(let downstream, _), .last(let downstream, _):
            downstream
        case .over: nil
        }
    }

    /// The sequence has ended.
    ///
    /// - Returns: The subscriber to tell, unless it has cancelled.
    @inlinable
    package mutating func finish() -> Downstream? {
        defer { self.state = .over }
        return self.receiver
    }

    /// What the caller of ``cancel()`` releases, and whom it resumes.
    @usableFromInline
    package struct Cancellation: Sendable {
        @usableFromInline package var downstream: Downstream?
        @usableFromInline package var pump: ParkedContinuation?

        @inlinable
        package init(downstream: Downstream? = nil, pump: ParkedContinuation? = nil) {
            self.downstream = downstream
            self.pump = pump
        }
    }

    /// The subscription was dropped: no code can request more, or cancel.
    ///
    /// - Returns: What the caller releases and resumes, if nothing is left to send; then it is cancelled.
    @inlinable
    package mutating func drop() -> Cancellation? {
        switch self.state {
        case .running(let downstream, let demand):
            self.state = .last(downstream, demand)
            return nil
        case .subscribing, .idle, .parked:
            return self.cancel()
        case .last, .over:
            return nil
        }
    }

    /// The subscriber wants no more.
    @inlinable
    package mutating func cancel() -> Cancellation {
        defer { self.state = .over }
        switch self.state {
        case .subscribing(let downstream, _), .idle(let downstream), .running(let downstream, _),
            .last(let downstream, _):
            return Cancellation(downstream: downstream)
        case .parked(let downstream, let pump):
            return Cancellation(downstream: downstream, pump: pump)
        case .over:
            return Cancellation()
        }
    }
}
#endif
