// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim
import Synchronization

// What a player calls of the subscriber, and what happens inside.

extension SubscriberHistoryPlayer {
    /// Makes a call of the subscriber, and notes that as long as it has not come back.
    func calling<Result>(_ rule: ReactiveStreamsRule, _ name: String, _ body: () -> Result) -> Result {
        self.state.withLock { $0.calls.append(Call(rule: rule, name: name)) }
        let result = body()
        _ = self.state.withLock { $0.calls.popLast() }
        return result
    }

    private var publisher: ScriptedPublisher? { self.state.withLock { $0.publisher } }

    func sendSubscription() {
        self.turn.take {
            guard let publisher = self.publisher, self.state.withLock({ $0.model.subscribe() }) else { return }
            self.calling(.signalsReturn, "receive(subscription:)") { publisher.sendSubscription() }
            self.state.withLock { $0.model.connect() }
        }
    }

    func sendSecondSubscription() {
        guard !self.isOver else { return }
        let record = Watched(Record())
        let second = RecordingSubscription(
            RecordingSubscription.Script(),
            record,
            self.lifetime.token("the second subscription")
        )
        self.turn.take {
            guard let publisher = self.publisher, self.state.withLock({ $0.model.isSubscribed }) else { return }
            self.state.withLock { $0.second.append(record) }
            self.calling(.secondIsCancelled, "receive(subscription:)") { publisher.send(second) }
        }
    }

    func send(_ count: Int, waits: Bool = true, inside method: Method? = nil) {
        for _ in 0..<max(0, count) {
            self.turn.take(waits: waits) {
                let record = self.record.value
                guard let publisher = self.publisher,
                    let element = self.state.withLock({ $0.model.send(record) })
                else { return }
                let isLate = record.cancels > 0
                self.calling(
                    isLate ? .lateElementsAreSurvived : method == nil ? .signalsReturn : .requestMaySend,
                    "receive(_:)\(isLate ? " after cancel()" : "")\(method.map { " inside \($0.rawValue)" } ?? "")"
                ) {
                    publisher.send(element)
                }
            }
        }
    }

    func finish(_ end: SubscriberStep.End, waits: Bool = true, inside method: Method? = nil) {
        self.turn.take(waits: waits) {
            let isCancelled = self.record.value.cancels > 0
            guard let publisher = self.publisher, self.state.withLock({ $0.model.finish(end) }) else { return }
            let isEarly = self.state.withLock { $0.model.sent == 0 }
            let early: ReactiveStreamsRule = end == .finished ? .earlyFinishIsSurvived : .earlyFailureIsSurvived
            self.calling(
                isCancelled ? .signalsReturn : method != nil ? .requestMayEnd : isEarly ? early : .signalsReturn,
                "receive(completion:)\(method.map { " inside \($0.rawValue)" } ?? "")"
            ) {
                let completion: Subscribers.Completion<SourceError> =
                    end == .finished ? .finished : .failure(self.error)
                if isCancelled { publisher.sendLate(completion) } else { publisher.send(completion) }
            }
        }
    }

    func cancel() {
        let handle = self.state.withLock { state in
            state.handle != nil && state.model.cancel() ? state.handle : nil
        }
        guard let handle else { return }
        self.record.update { if !$0.hasReceivedEnd { $0.mayCancel = true } }
        self.calling(.unneededIsCancelled, "the cancellation") { handle.cancel() }
    }

    /// Called inside a call of the subscription.
    func react(in method: Method) {
        guard let plan = self.state.withLock({ $0.plans[method, default: []].popFirst() }) else { return }
        // Not while another thread sends: a publisher would wait for it, or leave it to that.
        self.send(plan.sends, waits: false, inside: method)
        if plan.cancels { self.cancel() }
        if let end = plan.end { self.finish(end, waits: false, inside: method) }
    }

    // MARK: Releasing

    /// The publisher forgets its subscriber, which must not keep the subscription then.
    func drop() {
        let publisher = self.state.withLock { state in
            defer { state.publisher = nil }
            return state.publisher
        }
        guard let publisher else { return }
        // Race: the end may just be on its way to the subscriber, inside a request on another thread.
        self.turn.take {
            self.calling(.signalsReturn, "the end of the subscriber") { publisher.clear() }
        }
        self.state.withLock { $0.watch = publisher.watch }
        if Self.waits(for: self.patience, until: { self.lifetime.state.value.alive.isEmpty }) { return }
        let kept = Set(self.lifetime.aliveLabels).sorted().joined(separator: " and ")
        self.report.breach(
            of: .endReleasesSubscription,
            "expected the subscription to be released after its end, but the subscriber keeps \(kept)"
        )
    }

    /// Forgets what cancels the subscriber, which nothing must keep then.
    func release() {
        self.calling(.signalsReturn, "the end of the subscriber") {
            let handle = self.state.withLock { state in
                defer { state.handle = nil }
                return state.handle
            }
            withExtendedLifetime(handle) {}
        }
        let watch = self.state.withLock { $0.watch }
        if Self.waits(for: self.patience, until: { watch?.isGone ?? true }) { return }
        self.report.violation(
            of: .teardown,
            "expected the subscriber to be released after its end, when nobody uses it any more, but it is kept",
            advice: "look for a cycle: a subscriber that keeps itself, or keeps a closure or a task that keeps it"
        )
    }
}
#endif
