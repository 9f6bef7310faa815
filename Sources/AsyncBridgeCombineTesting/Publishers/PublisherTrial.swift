// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Synchronization

/// One run of one scenario: publishers, subscribers, threads, and what was seen of them.
final class PublisherTrial: LawTrial {
    typealias Promises = PublisherTraits

    let traits: PublisherTraits
    let stage: Stage
    private let publishers = Mutex<[PublisherUnderTest]>([])
    private let probes = Mutex<[Probe]>([])
    private let drivers = Mutex<[PublisherDriver]>([])
    /// Whether a call hangs: then leaks cannot be judged.
    private let hangs = Atomic(false)
    /// Whether one of the publishers never ends.
    private let isEndless = Atomic(false)

    var promises: PublisherPromises { self.traits.promises }
    var report: TrialReport { self.stage.report }

    init(_ traits: PublisherTraits, _ vainWaits: VainWaits, _ report: TrialReport) {
        self.traits = traits
        self.stage = Stage(report, patience: traits.promises.patience, vainWaits)
    }

    /// Notes that a thread does not come back.
    func noteHang() { self.hangs.store(true, ordering: .relaxed) }

    // MARK: Acting

    /// As many elements as wanted, or as near to it as the publisher can have.
    func count(_ wanted: Int) -> Int {
        min(max(wanted, self.promises.counts.lowerBound), self.promises.counts.upperBound)
    }

    /// Makes a subscriber.
    func probe(_ change: (inout Probe.Script) -> Void = { _ in }) -> Probe {
        var script = Probe.Script()
        change(&script)
        let probe = Probe(script, self.promises, self.report)
        self.probes.withLock { $0.append(probe) }
        return probe
    }

    /// Makes a publisher of so many elements.
    func publisher(_ count: Int) async -> PublisherUnderTest? {
        guard let make = self.traits.cases.elements else { return nil }
        return await self.made { make(count) }
    }

    /// Makes a publisher of so many elements, which then fails.
    func failing(_ count: Int, _ error: SourceError) async -> PublisherUnderTest? {
        guard let make = self.traits.cases.failing else { return nil }
        return await self.made { make(count, error) }
    }

    /// Makes a publisher that never ends.
    func endless() async -> PublisherUnderTest? {
        guard let make = self.traits.cases.endless else { return nil }
        self.isEndless.store(true, ordering: .relaxed)
        return await self.made(by: make)
    }

    /// Makes a publisher that sends the driver's events.
    func drive() async -> (driver: PublisherDriver, publisher: PublisherUnderTest)? {
        guard let make = self.traits.cases.driven else { return nil }
        let driver = PublisherDriver()
        self.drivers.withLock { $0.append(driver) }
        guard let publisher = await self.made(by: { make(driver) }) else { return nil }
        return (driver, publisher)
    }

    /// Makes a publisher, on a separate thread, and keeps it up to the end of the run.
    private func made(by make: @escaping @Sendable () -> PublisherUnderTest) async -> PublisherUnderTest? {
        let isMade = await self.returns(.making) {
            let publisher = make()
            self.publishers.withLock { $0.append(publisher) }
        }
        return isMade ? self.publishers.withLock { $0.last } : nil
    }

    /// Subscribes.
    ///
    /// - Returns: Whether there is a subscription.
    func subscribe(_ probe: Probe, to publisher: PublisherUnderTest?, stackSize: Int? = nil) async -> Bool {
        guard let publisher else { return false }
        guard await self.returns(.attaching, stackSize: stackSize, { publisher.attach(probe) }) else { return false }
        if await self.stage.wait(for: probe.state, until: { $0.subscriptions > 0 }) { return true }
        self.report.breach(of: .subscriptionIsFirst, "expected receive(subscription:), but it was not called")
        return false
    }

    /// Makes a publisher of a number of elements, subscribes, and releases the publisher.
    ///
    /// - Returns: Whether there is a subscription.
    func subscribe(_ probe: Probe, toOneOf count: Int) async -> Bool {
        guard await self.subscribe(probe, to: self.publisher(count)) else { return false }
        return await self.releasePublishers()
    }

    /// Makes a publisher that sends the driver's events, subscribes, and releases the publisher.
    func drive(for probe: Probe) async -> PublisherDriver? {
        guard let (driver, publisher) = await self.drive(), await self.subscribe(probe, to: publisher) else {
            return nil
        }
        return await self.releasePublishers() ? driver : nil
    }

    private func releasePublishers() async -> Bool {
        await self.returns(HangingCall("the release of the publisher")) { self.clear() }
    }

    /// Requests elements on a separate thread.
    ///
    /// - Returns: Whether the call came back.
    @discardableResult
    func request(_ count: Int, for probe: Probe, stackSize: Int? = nil) async -> Bool {
        await self.returns(.requesting, stackSize: stackSize) { probe.request(count) }
    }

    /// Cancels on a separate thread.
    func cancel(_ probe: Probe) async { await self.returns(.cancelling) { probe.cancel() } }

    /// Sends events, one by one, on a separate thread.
    func send(_ events: [PublisherDriver.Event], by driver: PublisherDriver) async {
        let sent = Atomic(0)
        await self.returns(.taking(events[min(sent.load(ordering: .relaxed), events.count - 1)])) {
            for event in events {
                driver.send(event)
                sent.add(1, ordering: .relaxed)
            }
        }
    }

    @discardableResult
    private func returns(
        _ call: @autoclosure () -> HangingCall,
        stackSize: Int? = nil,
        _ body: @escaping @Sendable () -> Void
    ) async -> Bool {
        if self.hangs.load(ordering: .relaxed) { return false }
        let isDone = Watched(false)
        self.stage.begin(stackSize: stackSize) {
            body()
            isDone.update { $0 = true }
        }
        // A small stack is for what takes long, and does come to its end.
        let isBack =
            stackSize == nil
            ? await isDone.wait(idlePatience: self.promises.patience) { $0 }
            : await self.waits(for: isDone) { $0 }
        if isBack { return true }
        self.hangs.store(true, ordering: .relaxed)
        self.stage.noteHang()
        // What has been seen before may be the reason: the suite stops a thread that would send for ever.
        guard self.report.violations.isEmpty else { return false }
        // The probes know best which call hangs.
        let inner = self.probes.withLock { $0 }.lazy.compactMap { $0.state.value.innerCalls.last }.first
        self.report.hang(of: inner.map { HangingCall($0) } ?? call())
        return false
    }

    // MARK: Waiting

    /// Waits as long as elements arrive meanwhile.
    ///
    /// - Returns: Whether the condition held in time.
    func waits<State>(
        for watched: Watched<State>,
        until isSatisfied: @escaping @Sendable (State) -> Bool
    ) async -> Bool {
        while true {
            let before = self.progress
            // In full, even if patience was lost before: a call that returns must not be reported as stuck.
            if await watched.wait(idlePatience: self.promises.patience, until: isSatisfied) { return true }
            if self.progress == before { return false }
        }
    }

    private var progress: Int { self.probes.withLock { $0.reduce(0) { $0 + $1.state.value.elements.count } } }

    /// Waits until so many elements have arrived.
    @discardableResult
    func arrived(_ count: Int, at probe: Probe) async -> Bool {
        let before = probe.state.value.elements.count
        var hasCome = await self.stage.wait(for: probe.state) { $0.elements.count >= count || !$0.ends.isEmpty }
        // As long as elements come there is patience.
        if !hasCome, probe.state.value.elements.count > before {
            hasCome = await self.waits(for: probe.state) { $0.elements.count >= count || !$0.ends.isEmpty }
        }
        if hasCome {
            let seen = probe.state.value
            if seen.elements.count >= count { return true }
            self.report.violation(
                of: .backPressure,
                "expected \(count) elements before \(seen.ends[0]), saw \(seen.elements.count)",
                advice: "send the end when the buffer is empty, and drop nothing on the way"
            )
        } else {
            let seen = probe.state.value
            if self.hangsInside(probe) { return false }
            let explanation =
                "expected \(count) elements after requests for \(Self.text(of: seen.requested)), "
                + "saw \(seen.elements.count)"
            guard seen.requested == Probe.unlimited else {
                self.report.breach(of: .demandIsAdded, explanation)
                return false
            }
            self.report.violation(
                of: .backPressure,
                explanation,
                advice: "keep each element until it is sent, by one thread at a time; and keep the demand as "
                    + "Subscribers.Demand, which .unlimited never uses up"
            )
        }
        return false
    }

    /// Waits until a publisher has had the time to send what it must not send.
    ///
    /// The time is that of another run of the same publisher, from its first request to its end.
    func settle() async {
        guard !self.hangs.load(ordering: .relaxed) else { return }
        let probe = self.probe()
        guard await self.subscribe(probe, to: self.publisher(self.count(3))) else { return }
        let call = HangingCall("request(_:) of another subscriber", breaks: .requestReturns)
        guard await self.returns(call, { probe.request(Probe.unlimited) }) else { return }
        // If it does not end, another scenario says so.
        _ = await self.stage.wait(for: probe.state, as: .end) { !$0.ends.isEmpty }
    }

    // MARK: Ending

    /// Ends the run: nothing may be left over.
    func finish() async {
        self.stage.rescue()
        let probes = self.probes.withLock { $0 }
        for probe in probes where probe.state.value.ends.isEmpty && !probe.state.value.isCancelled {
            probe.state.update { $0.grace = .max }
            await self.cancel(probe)
        }
        let isLost = self.hangs.load(ordering: .relaxed)
        if isLost { for probe in probes { probe.state.update { $0.isOver = true } } }
        // What this releases is the user's, which may do anything then.
        let what = Mutex("the closure that passes events on")
        let isReleased = await self.stage.attempt {
            for driver in self.drivers.withLock({ $0 }) { driver.clear() }
            what.withLock { $0 = "the subscription" }
            for probe in probes {
                _ = probe.dropSubscription()
                probe.state.update { $0.ends = [] }
            }
            what.withLock { $0 = "the publisher" }
            self.clear()
        }
        if !isReleased, self.report.violations.isEmpty {
            self.report.hang(of: HangingCall("the release of \(what.withLock { $0 })"))
        }
        var keptProbe: Probe?
        for probe in probes where isReleased && !isLost && keptProbe == nil {
            if await !self.stage.wait(for: probe.lifetime.state, as: .release, until: \.alive.isEmpty) {
                keptProbe = probe
            }
        }
        if let keptProbe, self.report.violations.isEmpty {
            let what = "expected the subscriber to be released when publisher and subscription are gone, but it is kept"
            if self.isEndless.load(ordering: .relaxed) {
                self.report.breach(
                    of: .cancelStops,
                    what + ": what sends without end goes on after cancel(), or never sees it",
                    advice: "let the loop look, before each element, for a flag that cancel() sets in that call: where "
                        + "cancel() only sends a job to the loop's actor or queue, the job waits behind the loop"
                )
            } else {
                self.report.breach(of: .cancelReleases, what, advice: Self.adviceToRelease(keptProbe))
            }
        }
        await self.stage.finish(hangs: isLost || keptProbe != nil || !isReleased)
        self.stage.thread.stop()
    }

    private func clear() {
        let publishers = self.publishers.withLock { publishers in
            defer { publishers = [] }
            return publishers
        }
        withExtendedLifetime(publishers) {}
    }

    static func text(of count: Int) -> String { count == Probe.unlimited ? "all" : "\(count)" }
}
#endif
