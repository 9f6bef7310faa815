// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Testing

@testable import AsyncBridgeCombineTesting

@Suite("Random histories of publishers", .timeLimit(.minutes(10)))
struct PublisherHistoryTests {
    private static func traits(_ promises: PublisherPromises) -> PublisherTraits {
        var cases = PublisherCases()
        cases.elements = { PublisherUnderTest(Numbers($0)) { $0 } }
        cases.failing = { PublisherUnderTest(Numbers($0, error: $1)) { $0 } }
        cases.driven = { PublisherUnderTest(Relay($0)) { $0 } }
        cases.drivenFails = true
        return PublisherTraits(promises: promises, cases: cases, seed: 0)
    }

    /// Those that are played on a busy machine, too.
    private static func histories(isDriven: Bool, _ promises: PublisherPromises) -> [PublisherHistory] {
        let traits = Self.traits(promises)
        return (0..<UInt64(HistoryLimits.leastCount)).map { PublisherHistory(seed: $0, isDriven: isDriven, traits) }
    }

    private static func text(_ histories: [PublisherHistory]) -> String {
        histories.flatMap { [$0.beginning] + $0.steps.map(\.description) }.map { $0 + "\n" }.joined()
    }

    // MARK: The generator

    /// What the generator never makes, no history can find.
    @Test(arguments: [false, true])
    func `everything happens that can happen`(_ isDriven: Bool) {
        let promises = PublisherPromises.standard.with { $0.subscribers = isDriven ? .shared : .each }
        let text = Self.text(Self.histories(isDriven: isDriven, promises))
        for part in [
            "\nsubscriber A subscribes\n", "\nsubscriber B subscribes", "\nsubscriber C subscribes",
            ", and inside receive(subscription:) requests 1\n", " inside receive(subscription:) requests 20, requests ",
            ", and inside receive(subscription:) requests all", ", and inside receive(subscription:) cancels\n",
            "\nsubscriber A will do at its next element\n", ", and inside receive(_:) requests 1, requests all",
            ", and inside receive(_:) cancels", ", and inside receive(_:) returns demand for all",
            ", and inside receive(_:) returns demand for \(Int.max - 1)\n", ", cancels, returns demand for 1\n",
            "\nsubscriber C requests all\n", "\nsubscriber B requests \(Int.max - 1)\n", "\nsubscriber A requests 1\n",
            "\nsubscriber A cancels\n", "\nsubscriber C cancels\n", "\nsubscriber A drops its subscription",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test func `everything happens that a source can do`() {
        let text = Self.text(Self.histories(isDriven: true, .standard.with { $0.keptCount = 77 }))
        for part in [
            "\nthe source sends an element\n", "\nthe source sends 2 elements\n", "\nthe source sends 33 elements\n",
            "\nthe source sends 77 elements\n", "\nthe source sends 4200 elements\n", "\nthe source finishes\n",
            "\nthe source fails\n", ", and inside receive(_:) lets the source send 3", ", lets the source finish",
            "lets the source send 1, cancels", "lets the source finish, cancels",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test func `publishers of all sizes are made`() {
        let histories = Self.histories(isDriven: false, .standard)
        for count in [0, 1, 2, 3, 5, 10, 20, 33, 4_200] {
            #expect(histories.contains { $0.source == .cold(count: count, fails: false) }, "\(count)")
        }
        for count in [0, 1, 33] {
            #expect(histories.contains { $0.source == .cold(count: count, fails: true) }, "\(count)")
        }
    }

    @Test func `nothing happens that is not promised`() {
        let one = PublisherPromises.standard.with {
            $0.subscribers = .one
            $0.counts = 1...1
        }
        let histories = Self.histories(isDriven: false, one)
        #expect(Set(histories.map(\.beginning)).count == 2)
        let text = Self.text(histories)
        #expect(!text.contains("publisher of 0") && !text.contains("subscriber B") && !text.contains("requests 0"))
        let zero = PublisherPromises.standard.with { $0.takesZeroDemand = true }
        #expect(Self.text(Self.histories(isDriven: false, zero)).contains("\nsubscriber A requests 0\n"))
    }

    @Test func `a seed makes one history`() {
        let traits = Self.traits(.standard)
        for seed in 0..<50 as Range<UInt64> {
            let history = PublisherHistory(seed: seed, isDriven: true, traits)
            #expect(history.steps == PublisherHistory(seed: seed, isDriven: true, traits).steps)
            for step in history.steps { for simpler in step.simpler { #expect(simpler != step) } }
        }
    }
}

// MARK: The contract, step by step

extension PublisherHistoryTests {
    typealias Seen = PublisherModel.Seen

    /// What a subscriber has seen and done.
    private static func state(
        _ elements: [Int] = [],
        requested: Int,
        ends: [ProbeState.End] = [],
        isCancelled: Bool = false
    ) -> ProbeState {
        var state = ProbeState(obeysDemand: true, stopsAtOnce: true)
        state.subscriptions = 1
        state.elements = elements
        state.requested = requested
        state.ends = ends
        state.isCancelled = isCancelled
        return state
    }

    /// Each inside the one before it, on another thread: then the publisher starts threads without end.
    @Test func `elements inside each other on many threads are stopped`() {
        var state = ProbeState(obeysDemand: true, stopsAtOnce: true)
        state.subscriptions = 1
        state.requested = Probe.unlimited
        _ = state.enter(.element(0), on: .current)
        let other = Monitor<ThreadID?>(nil)
        startThread { other.update { $0 = .current } }
        let thread = other.wait { $0 }
        for element in 1...(2 * ProbeState.deepest) {
            #expect(!state.isRunaway)
            _ = state.enter(.element(element), on: thread)
        }
        #expect(state.isRunaway)
        _ = state.leave(on: thread, 0)
        #expect(!state.isRunaway)
    }

    private struct OwnError: Error {}

    private static let stranger = ProbeState(obeysDemand: true, stopsAtOnce: true)

    private static func driven(_ promises: PublisherPromises, subscribers: Int = 1) -> PublisherModel {
        PublisherModel(.driven, promises, subscribers: subscribers)
    }

    private static func cold(
        _ count: Int,
        fails: Bool = false,
        _ promises: PublisherPromises = .standard
    ) -> PublisherModel {
        PublisherModel(.cold(count: count, fails: fails), promises, subscribers: 1)
    }

    /// Those that have requested it must get it, and no others.
    @Test func `what becomes of an element of a subject`() {
        var model = Self.driven(.subject, subscribers: 4)
        let states = [
            Self.state(requested: 1), Self.state(requested: 0), Self.stranger,
            Self.state(requested: 2, isCancelled: true),
        ]
        let element = model.send(states.map { Seen($0) }, isInside: false)
        #expect(element == 0)
        #expect(model.judge(0, states[0])?.rule == .demandIsAdded)
        #expect(model.judge(0, states[0])?.isMissing == true)
        #expect(model.judge(0, Self.state([0], requested: 1)) == nil)
        #expect(model.judge(1, states[1]) == nil)
        #expect(model.judge(1, Self.state([0], requested: 0))?.law == .backPressure)
        #expect(model.judge(2, Self.stranger)?.rule == .subscriptionIsFirst)
        #expect(model.judge(2, Self.state(requested: 1)) == nil)
        #expect(model.judge(3, states[3]) == nil)
    }

    @Test func `order at a subject`() {
        var model = Self.driven(.subject)
        for _ in 0..<3 { _ = model.send([Seen(Self.state(requested: Probe.unlimited))], isInside: false) }
        #expect(model.judge(0, Self.state([0, 1, 2], requested: Probe.unlimited)) == nil)
        #expect(model.judge(0, Self.state([0, 2], requested: Probe.unlimited))?.law == .backPressure)
        #expect(model.judge(0, Self.state([0, 2, 1], requested: Probe.unlimited))?.isMissing == false)
        #expect(model.judge(0, Self.state([0, 0], requested: Probe.unlimited))?.law == .order)
        #expect(model.judge(0, Self.state([0, 1], requested: Probe.unlimited))?.rule == .demandIsUnbounded)
        #expect(model.judge(0, Self.state([0, 1], requested: Probe.unlimited, isCancelled: true)) == nil)
    }

    /// What the element returns may count or not, and so may the first of two elements that are sent inside another.
    @Test func `an element inside another at a subject`() {
        var model = Self.driven(.subject)
        _ = model.send([Seen(Self.state([], requested: 2))], isInside: true)
        #expect(model.judge(0, Self.state(requested: 2)) == nil)
        #expect(model.judge(0, Self.state([0], requested: 2)) == nil)
        _ = model.send([Seen(Self.state([0], requested: Probe.unlimited))], isInside: true)
        #expect(model.judge(0, Self.state([0], requested: Probe.unlimited))?.rule == .demandIsUnbounded)
    }

    @Test func `elements of which little is promised`() {
        var model = Self.driven(.subject.with { $0.unrequested = .unspecified })
        _ = model.send([Seen(Self.state(requested: 1))], isInside: false)
        #expect(model.judge(0, Self.state(requested: 1))?.isMissing == true)
        let full = Self.state([0], requested: 1)
        for _ in 0..<2 { _ = model.send([Seen(full)], isInside: false) }
        for elements in [[0], [0, 1], [0, 2], [0, 1, 2]] {
            #expect(model.judge(0, Self.state(elements, requested: 9)) == nil, "\(elements)")
        }
        #expect(model.judge(0, Self.state([0, 2, 1], requested: 9))?.law == .order)
    }

    @Test func `a publisher keeps as much as it promises`() {
        var model = Self.driven(.standard.with { $0.keptCount = 2 })
        let idle = [Seen(Self.state(requested: 0))]
        let sent = (0..<3).map { _ in model.send(idle, isInside: false) }
        #expect(sent == [0, 1, nil])
        let next = model.send([Seen(Self.state([0], requested: 1))], isInside: false)
        #expect(next == 2)
        #expect(model.judge(0, Self.state([0], requested: 1)) == nil)
        #expect(model.judge(0, Self.state([0], requested: 2))?.rule == .demandIsAdded)
        #expect(model.judge(0, Self.state([0], requested: Probe.unlimited))?.rule == .demandIsUnbounded)
        #expect(model.judge(0, Self.state([1], requested: 1))?.law == .backPressure)
        #expect(model.judge(0, Self.state([0, 0], requested: 3))?.law == .order)
        #expect(model.judge(0, Self.state([1, 0], requested: 3))?.law == .order)
        #expect(model.judge(0, Self.state([0, 1, 2, 3], requested: 4))?.law == .once)
        // A slow one that is over keeps nobody waiting.
        let others = [Seen(Self.state(requested: 0, isCancelled: true)), Seen(Self.state([0, 1, 2], requested: 3))]
        let last = model.send(others, isInside: false)
        #expect(last == 3)
    }

    /// All that is kept comes first, and then the end, at a request that comes later if it was not awaited.
    @Test(arguments: [
        (PublisherModel.End.finished, ReactiveStreamsRule.finishIsSent),
        (.failed, .failureIsSent),
    ])
    func `the end of a source`(_ end: PublisherModel.End, _ rule: ReactiveStreamsRule) {
        let error = OwnError()
        let (right, wrong): (ProbeState.End, ProbeState.End) =
            end == .finished ? (.finished, .failed(error)) : (.failed(error), .finished)
        var model = Self.driven(.standard)
        let waiting = Self.state(requested: 1)
        #expect(model.judge(0, Self.state(requested: 1, ends: [right]))?.rule == .finishIsSent)
        for _ in 0..<2 { _ = model.send([Seen(waiting)], isInside: false) }
        model.finish(end)
        model.finish(end == .finished ? .failed : .finished)
        let late = model.send([Seen(waiting)], isInside: false)
        #expect(late == 2)
        #expect(model.judge(0, Self.state([0], requested: 1)) == nil)
        #expect(model.judge(0, Self.state([0], requested: 1, ends: [right]))?.law == .backPressure)
        #expect(model.judge(0, Self.state([0, 1], requested: 2)) == nil)
        #expect(model.judge(0, Self.state([0, 1], requested: 3))?.rule == rule)
        #expect(model.judge(0, Self.state([0, 1], requested: 3))?.isMissing == true)
        #expect(model.judge(0, Self.state([0, 1], requested: 3, isCancelled: true)) == nil)
        #expect(model.judge(0, Self.state([0, 1], requested: 2, ends: [right])) == nil)
        #expect(model.judge(0, Self.state([0, 1], requested: 2, ends: [wrong]))?.rule == rule)
    }

    @Test func `the end of a cold publisher`() {
        let all = Self.state([0, 1], requested: 2)
        #expect(Self.cold(2).judge(0, all) == nil)
        #expect(Self.cold(2).judge(0, Self.state([0, 1], requested: 3))?.rule == .finishIsSent)
        #expect(Self.cold(2, fails: true).judge(0, Self.state([0, 1], requested: 3))?.rule == .failureIsSent)
        #expect(Self.cold(2).judge(0, Self.state([0, 1, 2], requested: 3))?.law == .once)
        let early = PublisherPromises.standard.with { $0.finishesWithoutRequest = true }
        #expect(Self.cold(2, early).judge(0, all)?.rule == .finishIsSent)
        #expect(Self.cold(2, early).judge(0, Self.state([0], requested: 1)) == nil)
        #expect(Self.cold(0, early).judge(0, Self.state(requested: 0)) == nil)
        #expect(Self.cold(0, early).judge(0, Self.state(requested: 1))?.rule == .finishIsSent)
    }

    /// What may come then depends on how fast it stops.
    @Test func `a subscriber that has cancelled`() {
        let scrambled = Self.state([1], requested: 1, isCancelled: true)
        #expect(Self.cold(2).judge(0, scrambled)?.law == .backPressure)
        #expect(Self.cold(2, .standard.with { $0.stopsAtOnce = false }).judge(0, scrambled) == nil)
        #expect(Self.cold(2).judge(0, Self.state([0], requested: 2, isCancelled: true)) == nil)
    }
}
#endif
