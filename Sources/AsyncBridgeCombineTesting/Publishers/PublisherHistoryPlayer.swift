// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Synchronization

/// Plays one history of a publisher.
final class PublisherHistoryPlayer: RandomHistoryPlayer {
    typealias History = PublisherHistory

    struct State: Sendable {
        var model: PublisherModel
        /// What each subscriber does at its next elements.
        var plans: [[PublisherStep.Reaction]]
        var attached: [Int] = []
        var dropped: Set<Int> = []
        /// The subscribers that have been released.
        var released: Set<Int> = []
        /// Whether a signal has come on another thread: then one may be on its way when a cancellation returns.
        var isForeign = false
        /// The calls into the publisher that have not returned, the innermost of each thread last.
        var calls: [(thread: ThreadID, call: HangingCall)] = []
        var begun = 0
    }

    let history: PublisherHistory
    let report: TrialReport
    let probes: [Probe]
    let traits: PublisherTraits
    private let error: SourceError
    let patience: Duration
    private let count: @Sendable () -> Void
    private let driver = PublisherDriver()
    let state: Mutex<State>
    private let turn = Turn()

    /// Makes a player of a history; `count` is called at each step, to show that there is progress.
    init(
        _ history: PublisherHistory,
        _ bridge: JudgedBridge,
        _ traits: PublisherTraits,
        _ error: SourceError,
        patience: Duration,
        count: @escaping @Sendable () -> Void
    ) {
        self.history = history
        self.traits = traits
        self.error = error
        self.patience = patience
        self.count = count
        let report = TrialReport(bridge: bridge, scenario: "", law: .backPressure)
        self.report = report
        let player = Reference()
        self.probes = (0..<3).map { index in
            var script = Probe.Script()
            let thread = ThreadID.current
            script.onSubscription = { player.value?.subscribed(index, $0) }
            script.onElement = { probe, _ in player.value?.react(index, probe, thread) ?? 0 }
            script.onEnd = { _ in player.value?.note(thread) }
            return Probe(script, traits.promises, report)
        }
        let model = PublisherModel(history.source, traits.promises, subscribers: 3)
        self.state = Mutex(State(model: model, plans: [[], [], []]))
        player.set(self)
    }

    var begun: Int { self.state.withLock { $0.begun } }

    /// The call into the publisher that has not returned.
    var call: HangingCall? { self.state.withLock { $0.calls.last?.call } }

    func play() -> (violation: Violation, steps: Int)? {
        var publisher = self.calling(.making) { self.makePublisher() }
        for (index, step) in self.history.steps.enumerated() {
            self.count()
            self.state.withLock { $0.begun = index + 1 }
            guard let source = publisher else { return nil }
            self.perform(step, source)
            self.settle()
            if let violation = self.report.violations.first { return (violation, index + 1) }
        }
        self.end(&publisher)
        return self.report.violations.first.map { ($0, self.history.steps.count) }
    }

    private func makePublisher() -> PublisherUnderTest? {
        switch self.history.source {
        case .driven: self.traits.cases.driven?(self.driver)
        case .cold(let count, fails: true): self.traits.cases.failing?(count, self.error)
        case .cold(let count, fails: false): self.traits.cases.elements?(count)
        }
    }

    /// Makes a call into the publisher, and notes that as long as it has not come back.
    private func calling<Result>(_ call: HangingCall, _ body: () -> Result) -> Result {
        let thread = ThreadID.current
        self.state.withLock { $0.calls.append((thread, call)) }
        let result = body()
        self.state.withLock { state in
            if let index = state.calls.lastIndex(where: { $0.thread == thread }) { state.calls.remove(at: index) }
        }
        return result
    }

    // MARK: Steps

    private func perform(_ step: PublisherStep, _ publisher: PublisherUnderTest) {
        switch step {
        case .subscribe(let index, _):
            let mayAttach = self.state.withLock { state in
                let isLate = self.history.source == .driven && state.model.end != nil
                guard !state.attached.contains(index), !isLate else { return false }
                state.attached.append(index)
                return true
            }
            if mayAttach { self.calling(.attaching) { publisher.attach(self.probes[index]) } }
        case .plan(let index, let reaction): self.state.withLock { $0.plans[index].append(reaction) }
        case .request(let index, let count): self.request(count, for: self.probes[index])
        case .cancel(let index): self.cancel(index)
        case .drop(let index): self.drop(index)
        case .send(let count): for _ in 0..<count { self.send(isInside: false) }
        case .finish: self.finish(.finished)
        case .fail: self.finish(.failed)
        }
    }

    func request(_ count: Int, for probe: Probe) { self.calling(.requesting) { probe.request(count) } }

    private func cancel(_ index: Int) {
        let probe = self.probes[index]
        let seen = probe.state.value
        let (mayBeLate, isAlone) = self.state.withLock { state in
            (state.isForeign || state.model.maySendByItself(seen), state.attached.count == 1)
        }
        // Why not twice where others are: `share()` of OpenCombine 0.14 counts the calls, and disconnects at the last.
        guard isAlone || !PublisherModel.Seen(seen).isOver else { return }
        if mayBeLate { probe.state.update { $0.grace = 1 } }
        self.calling(.cancelling) { probe.cancel() }
    }

    /// Sends an element, if that makes sense and the publisher need not keep more than it promises.
    func send(isInside: Bool) {
        guard self.history.source == .driven else { return }
        // Why not to several from inside: a subject sends a nested element to the others before they get the outer one.
        let attached = self.state.withLock { $0.attached.count }
        guard attached == 1 || attached > 1 && !isInside else { return }
        // Not from inside while another thread sends: which of the two is first would not be known.
        self.turn.take(waits: !isInside) {
            let seen = self.probes.map { $0.state.update { PublisherModel.Seen($0) } }
            guard let element = self.state.withLock({ $0.model.send(seen, isInside: isInside) }) else { return }
            self.pass(on: .element(element))
        }
    }

    private func pass(on event: PublisherDriver.Event) {
        self.calling(.taking(event)) { self.driver.send(event) }
    }

    private func finish(_ end: PublisherModel.End, isInside: Bool = false) {
        guard self.history.source == .driven else { return }
        self.turn.take(waits: !isInside) {
            let isAttached = self.state.withLock { state in
                if !state.attached.isEmpty { state.model.finish(end) }
                return !state.attached.isEmpty
            }
            guard isAttached else { return }
            switch end {
            case .finished: self.pass(on: .finished)
            case .failed: self.pass(on: .failed(self.error))
            }
        }
    }

    private func drop(_ index: Int) {
        let probe = self.probes[index]
        guard PublisherModel.Seen(probe.state.value).isOver else { return }
        self.state.withLock { _ = $0.dropped.insert(index) }
        let isGone = self.calling(Self.releasing) { probe.dropSubscription() }
        // A driven publisher may be its own subscription.
        let isCold = self.history.source != .driven
        guard !self.waits(until: { probe.lifetime.state.value.alive.isEmpty && (!isCold || isGone()) }) else { return }
        self.report.breach(
            of: .cancelReleases,
            "expected subscriber and subscription to be released when it is over and the subscription is dropped, but "
                + "the publisher keeps them"
        )
    }

    private static let releasing = HangingCall("the release of the subscription")

    // MARK: Inside the subscriber's methods

    private func subscribed(_ index: Int, _ probe: Probe) {
        for case .subscribe(index, let reaction) in self.history.steps {
            return self.act(reaction, probe, isSubscribing: true)
        }
    }

    private func react(_ index: Int, _ probe: Probe, _ thread: ThreadID) -> Int {
        self.note(thread)
        let plan = self.state.withLock { state in state.plans[index].isEmpty ? nil : state.plans[index].removeFirst() }
        guard let plan else { return 0 }
        self.act(plan, probe)
        return plan.returns
    }

    private func note(_ thread: ThreadID) {
        if thread != .current { self.state.withLock { $0.isForeign = true } }
    }

    private func act(_ reaction: PublisherStep.Reaction, _ probe: Probe, isSubscribing: Bool = false) {
        for count in reaction.requests { self.request(count, for: probe) }
        for _ in 0..<reaction.sends { self.send(isInside: true) }
        let isAlone = self.state.withLock { $0.attached.count == 1 }
        if reaction.finishes, isAlone { self.finish(.finished, isInside: true) }
        guard reaction.cancels, !self.isEmpty else { return }
        // Inside another signal nothing is on its way: one comes at a time.
        if isSubscribing {
            let seen = probe.state.value
            if self.state.withLock({ $0.model.maySendByItself(seen) }) { probe.state.update { $0.grace = 1 } }
        }
        self.calling(.cancelling) { probe.cancel() }
    }

    /// Whether there are no elements: then even Combine's own `Empty` and `Fail` send their end when they are cancelled
    /// inside `receive(subscription:)`.
    private var isEmpty: Bool { if case .cold(0, _) = self.history.source { true } else { false } }

    /// Waits as long as elements come meanwhile.
    func waits(until isSatisfied: () -> Bool) -> Bool {
        while true {
            let before = self.received
            if Self.waits(for: self.patience, until: isSatisfied) { return true }
            // What comes without end is stopped after some hundred thousand elements.
            if self.received == before || before > ProbeState.queueLimit { return false }
            self.count()
        }
    }

    /// How many elements have come, to all subscribers together.
    private var received: Int { self.probes.reduce(0) { $0 + $1.state.value.elements.count } }

    /// Nothing is kept when the history is over.
    private func end(_ publisher: inout PublisherUnderTest?) {
        self.state.withLock { $0.begun += 1 }
        let attached = self.state.withLock { $0.attached }
        for index in attached where !PublisherModel.Seen(self.probes[index].state.value).isOver {
            self.probes[index].state.update { $0.grace = .max }
            self.calling(.cancelling) { self.probes[index].cancel() }
        }
        for probe in self.probes { _ = self.calling(Self.releasing) { probe.dropSubscription() } }
        self.calling(HangingCall("the release of the closure that passes events on")) { self.driver.clear() }
        self.calling(HangingCall("the release of the publisher")) { publisher = nil }
        let probes = self.probes
        let isReleased = self.waits { probes.allSatisfy { $0.lifetime.state.value.alive.isEmpty } }
        guard !isReleased, self.report.violations.isEmpty else { return }
        self.report.breach(
            of: .cancelReleases,
            "expected the subscribers to be released when publisher and subscriptions are gone, but one is kept"
        )
    }
}

/// Lets the subscribers find the player without keeping it.
///
/// Safe: set once, before a subscriber is used.
private final class Reference: @unchecked Sendable {
    private(set) weak var value: PublisherHistoryPlayer?

    func set(_ value: PublisherHistoryPlayer) { self.value = value }
}
#endif
