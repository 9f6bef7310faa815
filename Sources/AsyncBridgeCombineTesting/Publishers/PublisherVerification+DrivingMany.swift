// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

// Publishers that are driven by hand and keep what was not requested: however much that is.

extension PublisherVerification {
    static let drivingMany: [Scenario<PublisherTrial>] = [
        // Found: buffers that drop what comes above a limit, of 10,000 for example.
        Scenario(
            "driven, very many elements wait to be requested",
            .backPressure,
            advice: "keep each element until it is requested, however many there are; or promise how many are kept, "
                + "keptCount",
            if: { $0.isDriven && $0.promises.unrequested == .kept }
        ) { trial in
            for count in Self.crowds where trial.report.violations.isEmpty {
                let begin = ContinuousClock.now
                await trial.drain(min(count, trial.promises.keptCount))
                // A publisher that moves all that it keeps for each element needs much longer for more of them.
                guard count < trial.promises.keptCount, ContinuousClock.now - begin < Self.quick else { return }
            }
        },
        // Found: a list that a subscriber enters when it has got its subscription.
        Scenario(
            "driven, the source sends inside receive(subscription:)",
            .backPressure,
            advice: "enter the subscriber into the list first, and then send it its subscription",
            if: { $0.isDriven && $0.promises.unrequested == .kept }
        ) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let probe = trial.probe { script in
                script.onSubscription = { probe in
                    probe.request(2)
                    driver.send(.element(0))
                }
            }
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.send([.element(1), .finished], by: driver)
            await trial.completes(probe, with: 2)
        },
        Scenario(
            "driven, two threads request one element each, again and again",
            .demandIsAdded,
            if: {
                $0.isDriven && $0.promises.obeysDemand && $0.promises.takesRequestsFromThreads
                    && $0.promises.unrequested == .kept && $0.promises.keptCount >= 1_000
            }
        ) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let count = min(2_000, trial.promises.keptCount / 2) * 2
            await Self.requestInPairs(trial, count: count, of: publisher) {
                await trial.sendInParts(count, by: driver)
                await trial.send([.finished], by: driver)
            }
        },
    ]

    /// How many elements wait: many, and then more than 16 bits can count, if that is quick.
    private static let crowds = [25_000, 70_000]

    private static let quick = Duration.milliseconds(500)
}

extension PublisherTrial {
    /// How many elements the source sends in one call, which may take as long as there is patience.
    private static let part = 500

    fileprivate func sendInParts(_ count: Int, by driver: PublisherDriver) async {
        for first in stride(from: 0, to: count, by: Self.part) where self.report.violations.isEmpty {
            await self.send((first..<min(first + Self.part, count)).map { .element($0) }, by: driver)
        }
    }

    /// Lets so many elements come before one is requested, and expects all of them.
    fileprivate func drain(_ count: Int) async {
        guard let (driver, publisher) = await self.drive() else { return }
        let probe = self.probe()
        guard await self.subscribe(probe, to: publisher) else { return }
        await self.sendInParts(count, by: driver)
        guard self.report.violations.isEmpty else { return }
        await self.request(count - 1, for: probe, stackSize: PublisherVerification.stackSize)
        guard await self.waits(for: probe.state, until: { $0.elements.count >= count - 1 }) else {
            let seen = probe.state.value.elements.count
            return self.report.violation("expected all \(count - 1) elements that were requested, saw \(seen)")
        }
        await self.send([.finished], by: driver)
        await self.finishes(probe, with: 0..<count)
    }
}
#endif
