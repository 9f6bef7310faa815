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
        ) { await Self.requestInPairs($0, count: $0.count(20_000)) },
    ]

    /// How long two threads request at the same moment: longer than most publishers take for all elements.
    private static let racingTime = Duration.milliseconds(500)

    /// Lets two threads request one element each at about the same moment, and waits for both elements before the next.
    ///
    /// The second request of a pair comes when the publisher has just sent the element of the first, and is about to
    /// stop. If it does not notice, nobody requests again.
    private static func requestInPairs(_ trial: PublisherTrial, count: Int) async {
        let received = Atomic(0)
        let probe = trial.probe { script in
            script.onElement = { _, _ in
                received.add(1, ordering: .relaxed)
                return 0
            }
        }
        guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
        let pairs = Atomic(0)
        let arrived = Atomic(0)
        let isOver = Atomic(false)
        let missing = Watched<Int?>(nil)
        let done = Watched(0)
        for side in 0..<2 {
            trial.stage.begin { [stage = trial.stage] in
                let deadline = ContinuousClock.now + Self.racingTime
                for pair in 1...(count / 2) {
                    if side == 0, ContinuousClock.now > deadline { isOver.store(true, ordering: .relaxed) }
                    arrived.add(1, ordering: .acquiringAndReleasing)
                    let areBoth = stage.block { arrived.load(ordering: .acquiring) >= 2 * pair }
                    guard areBoth, !isOver.load(ordering: .relaxed) else { break }
                    // The moments differ by another time in each round.
                    for _ in 0..<(side == 0 ? 0 : pair % 50) { _ = received.load(ordering: .relaxed) }
                    probe.request(1)
                    guard stage.block(until: { received.load(ordering: .relaxed) >= 2 * pair }) else {
                        missing.update { $0 = 2 * pair - received.load(ordering: .relaxed) }
                        break
                    }
                    if side == 0 { pairs.add(1, ordering: .relaxed) }
                }
                done.update { $0 += 1 }
            }
        }
        guard await trial.waits(for: done, until: { $0 == 2 }) else {
            return trial.report.breach(of: .requestIsPrompt, "expected request(_:) to return, but it hangs")
        }
        if let missing = missing.value, missing > 0 {
            return trial.report.breach(
                of: .demandIsAdded,
                "expected an element for each of two requests that came at the same time, but \(missing) did not come, "
                    + "after \(pairs.load(ordering: .relaxed)) such pairs that were served: a request that comes while "
                    + "the publisher is about to stop is not noticed"
            )
        }
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
        guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
        trial.stage.begin {
            isReceiving.pass()
            call(probe)
            isCalled.update { $0 = true }
        }
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
