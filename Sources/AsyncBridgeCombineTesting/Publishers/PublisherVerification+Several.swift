// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

// Rules 1.10 and 1.11: each subscriber of a cold publisher gets a run of its own. And 3.7: one that cancels twice does
// the others no harm, whatever they share.

extension PublisherVerification {
    static let several: [Scenario<PublisherTrial>] = [
        Scenario("two subscribe one after the other", .subscribersAreServed, if: { $0.isCold(0...) }) { trial in
            let count = trial.count(10)
            let publisher = await trial.publisher(count)
            for _ in 0..<2 {
                let probe = trial.probe()
                guard await trial.subscribe(probe, to: publisher) else { return }
                await trial.getsAll(probe, count)
            }
        },
        Scenario("two subscribe at different paces", .subscribersAreServed, if: { $0.isCold(3...) }) { trial in
            let count = trial.count(10)
            let publisher = await trial.publisher(count)
            let (slow, fast) = (trial.probe(), trial.probe())
            for probe in [slow, fast] {
                guard await trial.subscribe(probe, to: publisher) else { return }
            }
            if trial.promises.obeysDemand {
                await trial.request(2, for: slow)
                guard await trial.arrived(2, at: slow) else { return }
            }
            await trial.getsAll(fast, count)
            await trial.getsAll(slow, count)
        },
        Scenario("one of two subscribers cancels", .subscribersAreServed, if: { $0.isCold(3...) }) { trial in
            let count = trial.count(10)
            let publisher = await trial.publisher(count)
            let (first, second) = (trial.probe(), trial.probe())
            for probe in [first, second] {
                guard await trial.subscribe(probe, to: publisher) else { return }
            }
            await trial.cancel(first)
            await trial.getsAll(second, count)
        },
        Scenario("one of two subscribers cancels twice", .lateCancelIsNothing, if: { $0.isCold(3...) }) { trial in
            let count = trial.count(10)
            let publisher = await trial.publisher(count)
            let (first, second) = (trial.probe(), trial.probe())
            for probe in [first, second] {
                guard await trial.subscribe(probe, to: publisher) else { return }
            }
            for _ in 0..<2 { await trial.cancel(first) }
            await trial.getsAll(second, count, else: .lateCancelIsNothing)
        },
        Scenario("two subscribe at the same time", .subscribersAreServed, rounds: 100, if: { $0.isCold(3...) }) {
            trial in
            let count = trial.count(10)
            guard let publisher = await trial.publisher(count) else { return }
            let probes = [trial.probe(), trial.probe()]
            let start = Rendezvous()
            for probe in probes {
                trial.stage.begin {
                    start.meet()
                    publisher.attach(probe)
                }
            }
            for probe in probes {
                guard await trial.subscribed(probe) else { return }
                await trial.getsAll(probe, count)
            }
        },
        Self.subscribeAnother("receive(_:)", if: { $0.isCold(3...) }) { trial, inner, publisher in
            trial.probe(subscribing: inner, to: publisher)
        },
        // Found: "is sending", which belongs to one subscription, kept in the publisher.
        Self.subscribeAnother(
            "receive(_:), which requests all at once",
            requestsAtOnce: true,
            if: { $0.isCold(3...) }
        ) { trial, inner, publisher in
            trial.probe(subscribing: inner, to: publisher)
        },
        // Found: a publisher that is over for all when it is for one.
        Self.subscribeAnother("its end", if: { $0.isCold(0...) }) { trial, inner, publisher in
            trial.probe { script in script.onEnd = { _ in publisher.attach(inner) } }
        },
    ]

    /// Lets one subscriber subscribe another one, and expects both to get all.
    ///
    /// - Parameters:
    ///   - place: Inside what, for the name.
    ///   - requestsAtOnce: Whether the other one requests all when it gets its subscription.
    ///   - applies: Whether it is for a publisher.
    ///   - makeOuter: Makes the one that subscribes the other.
    /// - Returns: The scenario.
    private static func subscribeAnother(
        _ place: String,
        requestsAtOnce: Bool = false,
        if applies: @escaping @Sendable (PublisherTraits) -> Bool,
        _ makeOuter: @escaping @Sendable (PublisherTrial, _ inner: Probe, PublisherUnderTest) -> Probe
    ) -> Scenario<PublisherTrial> {
        Scenario("one subscribes another one inside \(place)", .subscribersAreServed, if: applies) { trial in
            let count = trial.count(10)
            guard let publisher = await trial.publisher(count) else { return }
            let inner = trial.probe { script in
                if requestsAtOnce { script.onSubscription = { $0.request(Probe.unlimited) } }
            }
            let outer = makeOuter(trial, inner, publisher)
            guard await trial.subscribe(outer, to: publisher) else { return }
            await trial.getsAll(outer, count)
            guard await trial.subscribed(inner) else { return }
            await trial.getsAll(inner, count, requests: !requestsAtOnce)
        }
    }
}

extension PublisherTraits {
    fileprivate func isCold(_ counts: PartialRangeFrom<Int>) -> Bool {
        switch self.promises.subscribers {
        case .each: self.makes(counts)
        case .shared, .one: false
        }
    }
}

extension PublisherTrial {
    /// Makes a subscriber that subscribes another one when it gets the element 1.
    func probe(subscribing inner: Probe, to publisher: PublisherUnderTest) -> Probe {
        self.probe { script in
            script.onElement = { _, element in
                if element == 1 { publisher.attach(inner) }
                return 0
            }
        }
    }

    /// Waits until a subscriber has its subscription, without a call of this run's own.
    func subscribed(_ probe: Probe) async -> Bool {
        if await self.stage.wait(for: probe.state, until: { $0.subscriptions > 0 }) { return true }
        self.report.breach(
            of: .subscribersAreServed,
            "expected receive(subscription:) of each of two subscribers, but one did not get it",
            advice: "let several subscribe at the same time, and inside receive(_:): no lock is held then"
        )
        return false
    }

    /// Expects all elements and the end, as every subscriber gets them that is alone.
    fileprivate func getsAll(
        _ probe: Probe,
        _ count: Int,
        requests: Bool = true,
        else rule: ReactiveStreamsRule = .subscribersAreServed
    ) async {
        if requests, probe.state.value.ends.isEmpty { await self.request(Probe.unlimited, for: probe) }
        let isOver = await self.stage.wait(for: probe.state) { !$0.ends.isEmpty }
        let state = probe.state.value
        if isOver, state.elements == Array(0..<count), case .finished = state.ends[0] { return }
        self.report.breach(
            of: rule,
            "expected each subscriber to get all \(count) elements and the end, saw one with \(state.elements.count)"
                + (state.elements.count == count ? " other" : "")
                + " elements and \(state.ends.first.map { "\($0)" } ?? "no end")"
        )
    }
}
#endif
