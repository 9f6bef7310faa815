// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim
import Synchronization

/// What the suite's subscriber does, and what was seen of its publisher.
///
/// It looks at the rules that hold at every signal: see ``ProbeState``. It is not the subscriber itself, so that the
/// subscriber is alive only as long as the publisher holds it.
final class Probe: Sendable {
    /// What the subscriber does inside its methods.
    struct Script: Sendable {
        var onSubscription: @Sendable (Probe) -> Void = { _ in }
        /// Gets the number of the element and returns the demand to add.
        var onElement: @Sendable (Probe, Int) -> Int = { _, _ in 0 }
        var onEnd: @Sendable (Probe) -> Void = { _ in }
    }

    /// Stands for unlimited demand.
    static let unlimited = Int.max

    let state: Watched<ProbeState>
    /// Tracks the subscriber.
    let lifetime = LifetimeTracker()
    private let script: Script
    private let report: TrialReport
    private let subscription = Mutex<SubscriptionBox?>(nil)

    init(_ script: Script, _ promises: PublisherPromises, _ report: TrialReport) {
        self.script = script
        self.report = report
        self.state = Watched(ProbeState(obeysDemand: promises.obeysDemand, stopsAtOnce: promises.stopsAtOnce))
    }

    // MARK: Signals

    func receive(_ subscription: SubscriptionBox) {
        // Before it is counted: a scenario that waits for it requests then.
        let isFirst = self.subscription.withLock { stored in
            if stored == nil { stored = subscription }
            return stored === subscription
        }
        let (breaches, cancelsOther) = self.state.update { ($0.subscribe(), $0.cancelsOther) }
        self.report(breaches)
        guard isFirst else {
            if cancelsOther { subscription.subscription.cancel() }
            return
        }
        let thread = ThreadID.current
        self.state.update { $0.subscribingThread = thread }
        self.script.onSubscription(self)
        self.state.update { $0.subscribingThread = nil }
    }

    func receive(_ element: Int) -> Int {
        let thread = ThreadID.current
        let place = Self.placeOfStack()
        let (breaches, isRunaway) = self.state.update { state in
            (state.enter(.element(element), on: thread) + state.note(place, on: thread), state.isRunaway)
        }
        self.report(breaches)
        if isRunaway {
            // It would go on forever. The thread is lost, and the end of the run says so.
            Monitor(false).pass()
        }
        let demand = self.script.onElement(self, element)
        return self.state.update { $0.leave(on: thread, demand) }
    }

    func receive(_ end: ProbeState.End) {
        let thread = ThreadID.current
        let (breaches, isFirst) = self.state.update { ($0.enter(.end(end), on: thread), $0.ends.count == 1) }
        self.report(breaches)
        if isFirst { self.script.onEnd(self) }
        _ = self.state.update { $0.leave(on: thread, 0) }
    }

    /// Tells how deep the stack is: less is deeper.
    ///
    /// Not by the address of a variable, which AddressSanitizer keeps elsewhere. It leaves what has no constant size on
    /// the stack.
    @inline(never)
    private static func placeOfStack(size: Int = 1) -> UInt {
        // Safe: only the bits are kept; nothing is read through the pointer.
        unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { UInt(bitPattern: $0.baseAddress) }
    }

    private func report(_ breaches: [ProbeState.Breach]) {
        for breach in breaches { self.report.breach(of: breach.rule, breach.explanation) }
    }

    // MARK: Calls

    /// Requests elements.
    ///
    /// Does nothing before there is a subscription, and nothing when the publisher has been seen to recurse: it would
    /// end the process.
    func request(_ count: Int) {
        guard let subscription = self.subscription.withLock({ $0 }) else { return }
        let thread = ThreadID.current
        let (isInner, isShallow) = self.state.update { $0.request(count, on: thread) }
        guard isShallow else { return }
        subscription.subscription.request(Self.demand(count))
        if isInner { self.state.update { $0.endInnerCall() } }
    }

    func cancel() {
        guard let subscription = self.subscription.withLock({ $0 }) else { return }
        let thread = ThreadID.current
        let isInner = self.state.update { state in
            state.cancellingThread = thread
            if state.cancelledOn == nil { state.cancelledOn = thread }
            return state.begin("cancel()", on: thread)
        }
        subscription.subscription.cancel()
        self.state.update { state in
            state.cancellingThread = nil
            if isInner { state.endInnerCall() }
            state.isCancelled = true
        }
    }

    /// Forgets the subscription.
    ///
    /// - Returns: Whether the subscription is gone, asked later.
    func dropSubscription() -> @Sendable () -> Bool {
        let box = self.subscription.withLock { stored in
            defer { stored = nil }
            return stored
        }
        guard let box, !box.isPublisher else { return { true } }
        let watch = WeakObject(box.subscription)
        return { watch.isGone }
    }

    static func demand(_ count: Int) -> Subscribers.Demand { count == Self.unlimited ? .unlimited : .max(count) }
}

/// A subscription on its way between threads.
///
/// Safe: `request(_:)` and `cancel()` may be called on any thread; that is what is verified.
final class SubscriptionBox: @unchecked Sendable {
    let subscription: any Subscription
    /// Whether it is the publisher itself, which lives on.
    let isPublisher: Bool

    init(_ subscription: any Subscription, isPublisher: Bool) {
        self.subscription = subscription
        self.isPublisher = isPublisher
    }
}
#endif
