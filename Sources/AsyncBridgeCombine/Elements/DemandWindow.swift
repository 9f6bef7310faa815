// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridge
import OpenCombineShim
public import Synchronization

/// How much a consumer of a publisher has asked for, and how much of that it has consumed.
///
/// Invariant: requested - consumed <= size: what is on its way, in the buffer, or in the consumer's hands.
@usableFromInline
final class DemandWindow: Sendable {
    let upstream = Upstream()
    @usableFromInline let buffering: BufferingPolicy
    let size: Subscribers.Demand
    // After so many elements were consumed, the same number is asked for. `Int.max` for a window without a limit.
    @usableFromInline let batch: Int
    @usableFromInline let consumed = Atomic(0)
    // How many more elements the publisher may send. Not used without a limit.
    private let allowance: Atomic<Int>
    private let unrequested = Atomic(0)
    private let subscriber = Mutex(HeldSubscriber())

    @usableFromInline
    init(_ buffering: BufferingPolicy) {
        let (size, batch) = Self.demand(for: buffering)
        self.size = size
        self.batch = batch
        self.buffering = buffering
        self.allowance = Atomic(size.max ?? .max)
    }

    /// How much is requested at first, and after how many consumed elements as many more.
    private static func demand(for buffering: BufferingPolicy) -> (size: Subscribers.Demand, batch: Int) {
        switch buffering {
        case .bounded, .watermark: (.max(buffering.high), buffering.high - buffering.low)
        case .unbounded, .newest, .oldest, .failing: (.unlimited, .max)
        @unknown default: (.unlimited, .max)
        }
    }

    /// How many elements have come that were not asked for.
    var unrequestedCount: Int { self.unrequested.load(ordering: .relaxed) }

    /// Asks for the first elements, before there is a subscription.
    @usableFromInline
    func begin() { self.upstream.request(self.size) }

    /// Makes a call in which the publisher is subscribed to, or asked for more, so that a cancellation of the task can
    /// end it.
    ///
    /// - Parameter call: The call.
    /// - Returns: What the call returns.
    @usableFromInline
    func subscribing<Result>(_ call: () -> Result) -> Result {
        self.subscriber.withLock { $0.hold() }
        let (result, isCancelled) = self.upstream.whileBusy(call)
        // Otherwise kept until the consumer has noticed: a publisher that is cancelled drops its subscriber, and
        // that is no fault.
        if !isCancelled { self.releaseSubscriber() }
        return result
    }

    /// The elements are no longer needed.
    @usableFromInline
    func cancel() {
        self.upstream.cancel()
        self.releaseSubscriber()
    }

    /// The subscriber that is about to subscribe.
    @usableFromInline
    func adopt(_ subscriber: any AnyObject & Sendable) {
        let isBusy = self.upstream.isBusy
        self.subscriber.withLock { $0.adopt(subscriber, holding: isBusy) }
    }

    private func releaseSubscriber() { releaseHere(self.subscriber.withLock { $0.release() }) }

    /// The subscriber, which belongs to the publisher, but for the time of a call.
    private struct HeldSubscriber {
        private weak var subscriber: (any AnyObject & Sendable)?
        private var held: (any AnyObject & Sendable)?

        mutating func adopt(_ subscriber: any AnyObject & Sendable, holding: Bool) {
            self.subscriber = subscriber
            if holding { self.held = subscriber }
        }

        mutating func hold() { self.held = self.subscriber }

        mutating func release() -> (any AnyObject & Sendable)? { self.held.take() }
    }

    /// The publisher has sent an element.
    ///
    /// - Returns: Whether it is the first one that was not asked for.
    func receiveOne() -> Bool {
        if self.size == .unlimited { return false }
        guard self.allowance.wrappingSubtract(1, ordering: .relaxed).oldValue <= 0 else { return false }
        return self.unrequested.wrappingAdd(1, ordering: .relaxed).oldValue == 0
    }

    /// The consumer wants an element, and is done with those before.
    ///
    /// Only the consumer calls it, so the counter is written by one thread at a time.
    @inlinable
    func refill() {
        let consumed = self.consumed.load(ordering: .relaxed)
        if consumed < self.batch {
            self.consumed.store(consumed &+ 1, ordering: .relaxed)
        } else {
            self.request()
        }
    }

    /// Asks for more; not in a cancelled task, which would not consume it.
    @usableFromInline
    func request() {
        if CurrentTask.isCancelled { return }
        self.consumed.store(1, ordering: .relaxed)
        self.allowance.wrappingAdd(self.batch, ordering: .relaxed)
        self.subscribing { self.upstream.request(.max(self.batch)) }
    }
}
#endif
