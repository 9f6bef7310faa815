// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim
import Synchronization

/// Plays one history of a subscriber.
final class SubscriberHistoryPlayer: RandomHistoryPlayer {
    typealias History = SubscriberHistory
    typealias Record = RecordingSubscription.Record

    /// A call of the subscription.
    enum Method: String, Sendable {
        case request = "request(_:)"
        case cancel = "cancel()"
    }

    /// A call that has not come back.
    struct Call: Sendable {
        let rule: ReactiveStreamsRule
        let name: String
    }

    struct State: Sendable {
        var model: SubscriberModel
        var publisher: ScriptedPublisher?
        var handle: SubscriberHandle?
        /// What happens inside the next calls of the subscription.
        var plans: [Method: ArraySlice<SubscriberStep.Reaction>] = [:]
        var second: [Watched<Record>] = []
        var calls: [Call] = []
        var begun = 0
        /// Tells whether the subscriber is gone.
        var watch: WeakObject?
    }

    let history: SubscriberHistory
    let report: TrialReport
    let patience: Duration
    let record = Watched(Record())
    let lifetime = LifetimeTracker()
    let state: Mutex<State>
    /// One signal at a time.
    let turn = Turn()
    private let subscribe: @Sendable (ScriptedPublisher) -> SubscriberHandle
    private let promises: SubscriberPromises
    let error: SourceError
    private let count: @Sendable () -> Void

    /// Makes a player of a history; `count` is called at each step, to show that there is progress.
    init(
        _ history: SubscriberHistory,
        _ bridge: JudgedBridge,
        _ subscribe: @escaping @Sendable (ScriptedPublisher) -> SubscriberHandle,
        _ promises: SubscriberPromises,
        _ error: SourceError,
        patience: Duration,
        count: @escaping @Sendable () -> Void
    ) {
        self.history = history
        self.subscribe = subscribe
        self.promises = promises
        self.error = error
        self.patience = patience
        self.count = count
        self.report = TrialReport(bridge: bridge, scenario: "", law: .backPressure)
        self.state = Mutex(State(model: SubscriberModel(promises)))
        self.record.update { record in
            record.mayRace = true
            // What takes only some elements cancels by itself.
            record.mayCancel = !promises.requestsByItself
        }
    }

    var begun: Int { self.state.withLock { $0.begun } }

    func play() -> (violation: Violation, steps: Int)? {
        self.count()
        self.begin()
        if let violation = self.report.violations.first { return (violation, 0) }
        for (index, step) in self.history.steps.enumerated() {
            self.count()
            self.state.withLock { $0.begun = index + 1 }
            self.perform(step)
            self.settle()
            if let violation = self.report.violations.first { return (violation, index + 1) }
        }
        self.count()
        self.state.withLock { $0.begun += 1 }
        self.end()
        return self.report.violations.first.map { ($0, self.history.steps.count) }
    }

    // MARK: Steps

    private func begin() {
        var script = RecordingSubscription.Script()
        script.onRequest = { [weak self] in self?.react(in: .request) }
        script.onCancel = { [weak self] in self?.react(in: .cancel) }
        let subscription = RecordingSubscription(script, self.record, self.lifetime.token("the subscription"))
        let isEager = self.history.isEager
        let publisher = ScriptedPublisher(subscription) { [weak self] _ in if isEager { self?.sendSubscription() } }
        self.state.withLock { $0.publisher = publisher }
        let handle = self.calling(.signalsReturn, "the subscriber") { self.subscribe(publisher) }
        self.state.withLock { $0.handle = handle }
        guard Self.waits(for: self.patience, until: { publisher.isSubscribed.value }) else {
            return self.report.breach(
                of: .demandIsSent,
                "expected the publisher to be subscribed to, but it was not",
                advice: SubscriberTrial.subscribeAtOnce
            )
        }
        self.settle()
    }

    private func perform(_ step: SubscriberStep) {
        switch step {
        case .subscribe: self.sendSubscription()
        case .subscribeAgain: self.sendSecondSubscription()
        case .planRequest(let reaction): self.state.withLock { $0.plans[.request, default: []].append(reaction) }
        case .planCancel(let reaction): self.state.withLock { $0.plans[.cancel, default: []].append(reaction) }
        case .send(let count, let place): self.at(place) { $0.send(count) }
        case .sendAll(let place): self.at(place) { $0.send($0.requestedCount) }
        case .end(let end, let place): self.at(place) { $0.finish(end) }
        case .cancel(let place): self.at(place) { $0.cancel() }
        case .cancelDuringSend(let count): self.cancel { $0.send(count) }
        case .cancelDuringEnd(let end): self.cancel { $0.finish(end) }
        case .drop: if self.isOver { self.drop() }
        }
    }

    var isOver: Bool {
        let record = self.record.value
        return self.state.withLock { $0.model.isOver(record) }
    }

    /// How many are requested; few, if that is no number.
    private var requestedCount: Int {
        let requested = self.record.value.requested
        let count = requested - self.state.withLock { $0.model.sent }
        return count > self.history.most ? 33 : count
    }

    /// Cancels on another thread while this one does something.
    private func cancel(during body: (SubscriberHistoryPlayer) -> Void) {
        let start = Rendezvous()
        let hasCancelled = Monitor(false)
        startThread {
            start.meet()
            self.cancel()
            hasCancelled.open()
        }
        start.meet()
        body(self)
        hasCancelled.pass()
    }

    private func at(_ place: SubscriberStep.Place, _ body: @escaping @Sendable (SubscriberHistoryPlayer) -> Void) {
        if place == .here { return body(self) }
        let isDone = Monitor(false)
        startThread {
            body(self)
            isDone.open()
        }
        isDone.pass()
    }

    /// Ends what is not over, and expects that nothing is kept then.
    private func end() {
        if !self.isOver {
            self.sendSubscription()
            if self.promises.cancels { self.cancel() } else { self.finish(.finished) }
            // It may have cancelled before, without effect, as its promises say.
            self.settle()
            if !self.isOver { self.finish(.finished) }
            self.settle()
        }
        guard self.report.violations.isEmpty else { return }
        self.drop()
        self.release()
    }

    // MARK: Judging

    /// Waits until all has come that must, and reports what is wrong.
    private func settle() {
        var missing: SubscriberModel.Finding?
        let isSettled = Self.waits(for: self.patience) {
            missing = nil
            // Race: first what was seen, since the model has all that was done before it only then.
            let record = self.record.value
            let (model, second) = self.state.withLock { ($0.model, $0.second) }
            record.report(to: self.report)
            if !self.report.violations.isEmpty { return true }
            guard let finding = model.judge(record, second: second.map(\.value)) else { return true }
            if finding.isMissing { missing = finding } else { self.report(finding) }
            return missing == nil
        }
        if !isSettled, let missing { self.report(missing) }
    }

    private func report(_ finding: SubscriberModel.Finding) {
        self.report.breach(of: finding.rule, finding.explanation, advice: finding.advice)
    }
}
#endif
