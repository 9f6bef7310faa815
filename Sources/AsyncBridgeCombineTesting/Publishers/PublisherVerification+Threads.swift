// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Synchronization

// Rules 1.3, 3.4 and 3.5: several threads request and cancel, and none waits for another.

extension PublisherVerification {
    static let threads: [Scenario<PublisherTrial>] = [
        Scenario("another thread requests while receive(_:) runs", .requestIsPrompt, if: { $0.obeys(3...) }) { trial in
            let count = trial.count(10)
            await Self.callDuringReceive(trial, .requestIsPrompt, "request(_:)", count, { $0.request(1) }) { probe in
                guard await trial.arrived(2, at: probe) else { return }
                await trial.finishes(probe, with: 0..<count)
            }
        },
        Scenario("another thread cancels while receive(_:) runs", .cancelIsPrompt, if: { $0.makes(3...) }) { trial in
            await Self.callDuringReceive(trial, .cancelIsPrompt, "cancel()", trial.count(10), { $0.cancel() }) {
                await trial.callCancelled($0)
                if trial.promises.stopsAtOnce { trial.expect(0..<1, at: $0) }
            }
        },
        Scenario(
            "four threads request at the same time",
            .signalsAreSerial,
            rounds: 5,
            if: { $0.obeys(100...) && $0.promises.takesRequestsFromThreads }
        ) { trial in
            let count = trial.count(1_000)
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
            let ready = Monitor(0)
            let done = Watched(0)
            for _ in 0..<4 {
                trial.stage.begin {
                    ready.update { $0 += 1 }
                    ready.wait { $0 >= 4 ? () : nil }
                    for _ in 0..<(count / 4) { probe.request(1) }
                    done.update { $0 += 1 }
                }
            }
            guard await trial.waits(for: done, until: { $0 == 4 }) else {
                return trial.report.breach(of: .requestIsPrompt, "expected request(_:) to return, but it hangs")
            }
            guard await trial.arrived(count / 4 * 4, at: probe) else { return }
            await trial.finishes(probe, with: 0..<count)
        },
        Scenario(
            "two threads request one element each, again and again",
            .demandIsAdded,
            if: { $0.obeys(1_000...) && $0.promises.takesRequestsFromThreads }
        ) { trial in
            let count = trial.count(20_000)
            await Self.requestInPairs(trial, count: count, of: trial.publisher(count))
        },
    ]

    /// How long two threads take turns: longer than most publishers need for all elements.
    private static let racingTime = Duration.milliseconds(500)

    /// How often they look before they leave the processor to others: about as long as an element takes.
    private static let spins = 1_000

    /// Lets one thread request an element, and another thread one more when that element is being received.
    ///
    /// So the second request comes when the publisher has sent the element and is about to stop, each time at another
    /// moment of that. If the publisher does not notice it, nobody requests again.
    static func requestInPairs(
        _ trial: PublisherTrial,
        count: Int,
        of publisher: PublisherUnderTest?,
        whenSubscribed prepare: () async -> Void = {}
    ) async {
        let received = Atomic(0)
        let probe = trial.probe { script in
            script.onElement = { _, _ in
                received.add(1, ordering: .releasing)
                return 0
            }
        }
        guard await trial.subscribe(probe, to: publisher) else { return }
        await prepare()
        /// Waits without leaving the processor, since what it waits for is a matter of some instructions.
        @Sendable func isReceived(_ goal: Int) -> Bool {
            for _ in 0..<Self.spins where received.load(ordering: .acquiring) >= goal { return true }
            return trial.stage.block { received.load(ordering: .acquiring) >= goal }
        }
        let isOver = Atomic(false)
        let calls = Atomic(0)
        let served = Atomic(0)
        @Sendable func request() {
            calls.add(1, ordering: .relaxed)
            probe.request(1)
            calls.subtract(1, ordering: .relaxed)
        }
        let requestedBySecond = Atomic(0)
        let hasMissed = Watched(false)
        let done = Watched(0)
        trial.stage.begin {
            let deadline = ContinuousClock.now + Self.racingTime
            for pair in 1...(count / 2) where ContinuousClock.now < deadline {
                request()
                // Up to four times as long as there is patience: on a busy machine the other thread comes late.
                let isRequested = (1...8).contains { _ in
                    isOver.load(ordering: .relaxed)
                        || trial.stage.block { requestedBySecond.load(ordering: .acquiring) >= pair }
                }
                guard isRequested, !isOver.load(ordering: .relaxed) else { break }
                guard isReceived(2 * pair) else {
                    hasMissed.update { $0 = true }
                    break
                }
                served.store(pair, ordering: .relaxed)
            }
            isOver.store(true, ordering: .relaxed)
            done.update { $0 += 1 }
        }
        trial.stage.begin {
            for pair in 1...(count / 2) {
                var spins = 0
                while !isOver.load(ordering: .relaxed), received.load(ordering: .acquiring) < 2 * pair - 1 {
                    spins += 1
                    if spins > Self.spins { yieldThread() }
                }
                guard !isOver.load(ordering: .relaxed) else { break }
                for _ in 0..<(pair % 100) { _ = received.load(ordering: .relaxed) }
                request()
                requestedBySecond.store(pair, ordering: .releasing)
            }
            done.update { $0 += 1 }
        }
        if await !trial.waits(for: done, until: { $0 == 2 }) {
            guard calls.load(ordering: .relaxed) == 0 else {
                return trial.report.breach(of: .requestIsPrompt, "expected request(_:) to return, but it hangs")
            }
            // The first thread waits for the second, and that for an element.
            isOver.store(true, ordering: .relaxed)
            hasMissed.update { $0 = true }
        }
        guard !hasMissed.value else {
            return trial.report.breach(
                of: .demandIsAdded,
                "expected an element for each of two requests on two threads, of which one comes while the publisher "
                    + "is about to stop, but one did not come, after \(served.load(ordering: .relaxed)) such pairs"
            )
        }
        // The rest of a slow publisher would take longer than there is patience for a suite.
        if served.load(ordering: .relaxed) < 1_000 { return await trial.cancel(probe) }
        await trial.finishes(probe, with: 0..<count)
    }

    /// Lets another thread make a call while the first element is received, and waits for that call there.
    private static func callDuringReceive(
        _ trial: PublisherTrial,
        _ rule: ReactiveStreamsRule,
        _ name: String,
        _ count: Int,
        _ call: @escaping @Sendable (Probe) -> Void,
        _ then: (Probe) async -> Void
    ) async {
        let isReceiving = Monitor(false)
        let isCalled = Watched(false)
        let hasWaited = Watched<Bool?>(nil)
        trial.stage.onRescue { isReceiving.open() }
        let probe = trial.probe { [stage = trial.stage] script in
            script.onElement = { probe, element in
                guard element == 0 else { return 0 }
                isReceiving.open()
                let isReturned = stage.block { isCalled.value }
                hasWaited.update { $0 = isReturned }
                return 0
            }
        }
        // Before the subscription: a publisher that ignores demand may send inside receive(subscriber:).
        trial.stage.begin {
            isReceiving.pass()
            call(probe)
            isCalled.update { $0 = true }
        }
        guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
        trial.stage.begin { probe.request(1) }
        guard await trial.stage.wait(for: hasWaited, until: { $0 != nil }) else {
            return trial.report.breach(of: .demandIsAdded, "expected an element after request(_:), but it did not come")
        }
        guard hasWaited.value == true else {
            return trial.report.breach(
                of: rule,
                "expected \(name) to return while receive(_:) runs on another thread, but it hangs: the publisher "
                    + "calls receive(_:) under a lock that \(name) takes"
            )
        }
        await then(probe)
    }
}
#endif
