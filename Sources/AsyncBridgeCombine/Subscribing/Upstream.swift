// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeFutures
package import OpenCombineShim
import Synchronization

/// The subscription of one subscriber, from before it comes until after its end: the lock around its ``UpstreamState``.
///
/// The subscription usually holds the subscriber, so this forms a cycle, which the completion or ``cancel()`` breaks.
package final class Upstream: Sendable {
    private let state = Mutex(UpstreamState())
    private let call = Atomic(ConsumerCall.none)

    // What is between the publisher and this subscriber may belong to the main actor.
    package init() { SubscriberOfMainActor.explain }

    /// The publisher sends its subscription.
    package func receive(_ subscription: any Subscription) {
        let subscription = UpstreamSubscription(subscription)
        switch self.state.withLock({ $0.receive(subscription) }) {
        case .keep: break
        case .request(let demand): self.request(demand, from: subscription)
        case .cancel: subscription.cancel()
        }
    }

    /// Asks for more elements; once there is a subscription, if there is none yet.
    package func request(_ demand: Subscribers.Demand) {
        guard demand > .none, let subscription = self.state.withLock({ $0.request(demand) }) else { return }
        self.request(demand, from: subscription)
    }

    private func request(_ demand: Subscribers.Demand, from subscription: UpstreamSubscription) {
        var demand = demand
        while true {
            subscription.request(demand)
            // Race: a request that came meanwhile was left to us.
            guard let next = self.state.withLock({ $0.requestEnded() }) else { return }
            demand = next
        }
    }

    /// The publisher has completed: the subscription is released.
    package func complete() { releaseHere(self.state.withLock { $0.end() }) }

    /// Cancels the subscription, now or when it comes.
    ///
    /// Has no effect after the end.
    package func cancel() { self.state.withLock { $0.end() }?.cancel() }

    /// Whether the publisher has completed, or was cancelled: then it may release its subscriber.
    package var isOver: Bool { self.state.withLock { $0.isOver } }

    // MARK: Publishers that work inside the call

    /// Makes a call of the consumer, in its task, in which the publisher may work, and send, for long.
    ///
    /// If the task is cancelled meanwhile, the subscription is.
    ///
    /// - Returns: What the call returns, and whether it was cancelled.
    package func whileBusy<Result>(_ call: () -> Result) -> (result: Result, isCancelled: Bool) {
        self.call.store(.running, ordering: .releasing)
        // Safe: this object is alive during the call.
        let result = unsafe CurrentTask.withCancellationHandler(Unmanaged.passUnretained(self)) { object in
            unsafe Unmanaged<Upstream>.fromOpaque(object).takeUnretainedValue().cancelIfBusy()
        } during: {
            call()
        }
        return (result, self.call.exchange(.none, ordering: .acquiringAndReleasing) == .cancelled)
    }

    /// Whether the consumer is in such a call.
    package var isBusy: Bool { self.call.load(ordering: .acquiring) != .none }

    /// Cancels the subscription if the consumer is in such a call, where no wait can notice that its task was
    /// cancelled.
    ///
    /// Called under a lock of the runtime, so another thread does it. By then a call that is short has ended: the
    /// consumer cancels the subscription itself, on its own actor.
    private func cancelIfBusy() {
        guard self.call.load(ordering: .acquiring) == .running else { return }
        OtherStack.run {
            let (isCancelled, _) = self.call.compareExchange(
                expected: .running,
                desired: .cancelled,
                ordering: .acquiringAndReleasing
            )
            if isCancelled { self.cancel() }
        }
    }

    /// The consumer's call in which the publisher may work.
    ///
    /// | State       | The call begins | The task is cancelled           | The call ends |
    /// |-------------|-----------------|---------------------------------|---------------|
    /// | `none`      | `running`       | nothing: the next wait sees it  | does not come |
    /// | `running`   | does not come   | `cancelled`, by another thread  | `none`        |
    /// | `cancelled` | does not come   | nothing                         | `none`        |
    ///
    /// Without a lock, because it is read under one of the runtime's.
    private enum ConsumerCall: UInt8, AtomicRepresentable {
        case none
        case running
        case cancelled
    }
}
#endif
