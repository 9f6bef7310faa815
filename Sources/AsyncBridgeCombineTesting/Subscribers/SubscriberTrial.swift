// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim
import Synchronization

/// One run of one scenario: a subscriber, its publisher, and what was seen of it.
final class SubscriberTrial: LawTrial {
    typealias Promises = SubscriberPromises
    typealias Record = RecordingSubscription.Record
    /// Finds the publisher.
    typealias Lookup = @Sendable () -> ScriptedPublisher?

    let promises: SubscriberPromises
    let stage: Stage
    let record = Watched(Record())
    private let lifetime = LifetimeTracker()
    let subscribe: @Sendable (ScriptedPublisher) -> SubscriberHandle
    let seed: UInt64
    private let publisher = Mutex<ScriptedPublisher?>(nil)
    private let handle = Mutex<SubscriberHandle?>(nil)
    private let hangs = Atomic(false)

    var report: TrialReport { self.stage.report }

    init(
        _ subscribe: @escaping @Sendable (ScriptedPublisher) -> SubscriberHandle,
        _ promises: SubscriberPromises,
        seed: UInt64,
        _ vainWaits: VainWaits,
        _ report: TrialReport
    ) {
        self.subscribe = subscribe
        self.promises = promises
        self.seed = seed
        self.stage = Stage(report, patience: promises.patience, vainWaits)
    }

    // MARK: Acting

    /// Lets the subscriber subscribe.
    ///
    /// - Parameters:
    ///   - isEager: Whether it gets its subscription at once.
    ///   - change: Says what the subscription does.
    /// - Returns: The publisher, once it has been subscribed to.
    func connect(
        isEager: Bool = true,
        _ change: (inout RecordingSubscription.Script, _ publisher: @escaping Lookup) -> Void = { _, _ in }
    ) async -> ScriptedPublisher? {
        var script = RecordingSubscription.Script()
        change(&script) { [weak self] in self?.publisher.withLock { $0 } }
        let publisher = ScriptedPublisher(self.makeSubscription(self.record, script)) {
            if isEager { $0.sendSubscription() }
        }
        self.publisher.withLock { $0 = publisher }
        let isDone = await self.calls(.signalsReturn, "receive(subscription:)") {
            let handle = self.subscribe(publisher)
            self.handle.withLock { $0 = handle }
        }
        guard isDone else { return nil }
        if await self.stage.wait(for: publisher.isSubscribed, until: { $0 }) { return publisher }
        self.report.breach(
            of: .demandIsSent,
            "expected the publisher to be subscribed to, but it was not",
            advice: Self.subscribeAtOnce
        )
        return nil
    }

    func makeSubscription(
        _ record: Watched<Record>,
        _ script: RecordingSubscription.Script = RecordingSubscription.Script()
    ) -> RecordingSubscription {
        RecordingSubscription(script, record, self.lifetime.token("the subscription"))
    }

    /// Makes a call of the subscriber, on a separate thread.
    ///
    /// - Returns: Whether it came back; if not, that is reported.
    @discardableResult
    func calls(_ rule: ReactiveStreamsRule, _ what: String, _ body: @escaping @Sendable () -> Void) async -> Bool {
        if self.hangs.load(ordering: .relaxed) { return false }
        if await self.stage.attempt(body) { return true }
        self.noteHang()
        self.report.breach(of: rule, "expected \(what) to return, but it hangs", advice: Self.waitForNothing)
        return false
    }

    static let subscribeAtOnce =
        "subscribe to the publisher that the closure gets, before the closure returns or soon after"

    /// What to do about a call of a subscriber that hangs, in whatever state it is.
    static let waitForNothing =
        "wait for nothing in the subscriber's methods and when it is cancelled: take what is needed out under the "
        + "lock, unlock, then call the subscription; and ignore signals that the state does not expect"

    /// Notes that a call has not come back.
    func noteHang() { self.hangs.store(true, ordering: .relaxed) }

    /// Cancels on this thread, inside another call.
    func cancelHere() { self.handle.withLock { $0 }?.cancel() }

    /// Cancels, as the user does.
    func cancel(after wait: @escaping @Sendable () -> Void = {}) async {
        let handle = self.handle.withLock { $0 }
        await self.calls(.unneededIsCancelled, "the cancellation") {
            wait()
            handle?.cancel()
        }
    }

    // MARK: Expecting

    /// Waits until more is requested than was sent.
    func requested(moreThan count: Int) async -> Bool {
        if await self.stage.wait(for: self.record, until: { $0.requested > count }) { return true }
        self.report.breach(
            of: .demandIsSent,
            "expected a request after \(count) elements, but \(self.record.value.requested) were requested in all"
        )
        return false
    }

    /// Waits for the cancellation.
    func cancelled(_ moment: String) async {
        if await self.stage.wait(for: self.record, until: { $0.cancels > 0 }) { return }
        self.report.breach(of: .unneededIsCancelled, "expected cancel() \(moment), but it was not called")
    }

    /// Ends the run: the subscription must be released, and the calls must have been right.
    func finish() async {
        self.stage.rescue()
        let record = self.record.value
        record.report(to: self.report)
        if record.isLost, self.promises.cancels {
            self.report.violation(
                of: .neverLost,
                "expected the subscription to be kept until its end or cancel(), but it was released",
                advice: "hold the subscription, and not weakly: most publishers live in it, and send nothing more when "
                    + "it is gone"
            )
        }
        let isOver = record.endedOn != nil || record.cancels > 0
        if !isOver { await self.cancel() }
        let publisher = self.publisher.withLock { publisher in
            defer { publisher = nil }
            return publisher
        }
        await self.calls(.signalsReturn, "the end of the subscriber") { publisher?.clear() }
        await self.checkRelease(isOver: isOver)
        self.checkLateCalls(since: record)
        await self.calls(.signalsReturn, "the end of the subscriber") {
            let handle = self.handle.withLock { handle in
                defer { handle = nil }
                return handle
            }
            withExtendedLifetime(handle) {}
        }
        await self.stage.finish(hangs: self.hangs.load(ordering: .relaxed))
        self.stage.thread.stop()
    }

    /// Looks again when the subscription is gone: what a subscriber has put on a queue is done by then.
    ///
    /// One call may have been on its way on another thread.
    private func checkLateCalls(since before: Record) {
        guard before.callsAtEnd.isEmpty, self.record.value.callsAtEnd.count > 1 else { return }
        self.record.value.report(to: self.report)
    }

    /// Expects that a subscription that is over is not kept, while what cancels it is.
    private func checkRelease(isOver: Bool) async {
        guard isOver, !self.hangs.load(ordering: .relaxed) else { return }
        if await self.stage.wait(for: self.lifetime.state, as: .release, until: \.alive.isEmpty) { return }
        let record = self.record.value
        self.report.breach(
            of: .endReleasesSubscription,
            "expected the subscription to be released after \(record.endedOn == nil ? "cancel()" : "its end"), but the "
                + "subscriber keeps it",
            advice: record.endedOn == nil
                ? "set the subscription to nil when it is cancelled, and let the subscriber hold neither itself nor a "
                    + "list of those that there were" : nil
        )
    }
}
#endif
