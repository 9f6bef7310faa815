// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

// Rules 1.1, 3.8, 3.9 and 3.17: what is requested comes, and nothing else.

extension PublisherVerification {
    static let demand: [Scenario<PublisherTrial>] = [
        Scenario("everything is requested", .finishIsSent, if: { $0.makes(1...) }) { trial in
            let count = trial.count(100)
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
            await trial.finishes(probe, with: 0..<count)
        },
        Scenario("three are requested, then two, then the rest", .demandIsObeyed, if: { $0.obeys(6...) }) { trial in
            let count = trial.count(10)
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
            for (more, sum) in [(3, 3), (2, 5)] {
                await trial.request(more, for: probe)
                guard await trial.arrived(sum, at: probe) else { return }
                await trial.settle()
                guard trial.expect(0..<sum, at: probe) else { return }
            }
            await trial.finishes(probe, with: 0..<count)
        },
        Scenario("they are requested one by one", .demandIsAdded, if: { $0.obeys(1...) }) { trial in
            let count = trial.count(20)
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
            for sum in 1...count {
                await trial.request(1, for: probe)
                guard await trial.arrived(sum, at: probe) else { return }
            }
            if trial.promises.finishesWithoutRequest {
                await trial.comesToItsEnd(probe, with: 0..<count)
            } else {
                await trial.finishes(probe, with: 0..<count)
            }
        },
        Scenario("requests inside receive(subscription:) add up", .demandIsAdded, if: { $0.obeys(8...) }) { trial in
            let probe = trial.probe { script in
                script.onSubscription = { probe in for more in [3, 1, 2] { probe.request(more) } }
            }
            guard await trial.subscribe(probe, to: trial.publisher(trial.count(20))) else { return }
            await trial.stops(probe, at: 6)
        },
        Scenario("requests inside receive(_:) add up", .demandIsAdded, if: { $0.obeys(10...) }) { trial in
            let probe = trial.probe { script in
                script.onElement = { probe, element in
                    guard element == 0 else { return 0 }
                    for more in [2, 1, 3] { probe.request(more) }
                    return 1
                }
            }
            guard await trial.subscribe(probe, to: trial.publisher(trial.count(20))) else { return }
            await trial.request(1, for: probe)
            await trial.stops(probe, at: 8)
        },
        Scenario("what receive(_:) returns adds up", .demandIsAdded, if: { $0.obeys(10...) }) { trial in
            let probe = trial.probe { $0.onElement = { _, element in element < 2 ? 3 : 0 } }
            guard await trial.subscribe(probe, to: trial.publisher(trial.count(20))) else { return }
            await trial.request(2, for: probe)
            await trial.stops(probe, at: 8)
        },
        Scenario("everything is requested, and then more", .demandIsUnbounded, if: { $0.obeys(1...) }) { trial in
            let count = trial.count(20)
            for more in [1, Int.max - 1, Probe.unlimited] {
                let probe = trial.probe { script in
                    script.onElement = { probe, element in
                        if element.isMultiple(of: 2) { probe.request(more) }
                        return more
                    }
                }
                guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
                await trial.request(Probe.unlimited, for: probe)
                guard await trial.ended(probe, else: .demandIsUnbounded) else { return }
                guard trial.expect(0..<count, at: probe) else { return }
            }
        },
        Scenario("more than all numbers are requested", .demandIsUnbounded, if: { $0.obeys(2...) }) { trial in
            let count = trial.count(20)
            let probe = trial.probe { script in
                script.onElement = { probe, element in
                    if element == 0 { for _ in 0..<3 { probe.request(.max - 1) } }
                    return element == 0 ? .max - 1 : 0
                }
            }
            guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
            await trial.request(1, for: probe)
            guard await trial.ended(probe, else: .demandIsUnbounded) else { return }
            trial.expect(0..<count, at: probe)
        },
        Scenario("very many are requested at once", .demandIsAdded, if: { $0.obeys(1_000...) }) { trial in
            // More than 16 bits hold, if that is not too many for the publisher.
            let count = trial.count(trial.promises.recursionCount)
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
            await trial.request(count - 1, for: probe, stackSize: Self.stackSize)
            _ = await trial.waits(for: probe.state) { $0.elements.count >= count - 1 || !$0.ends.isEmpty }
            guard await trial.arrived(count - 1, at: probe) else { return }
            await trial.finishes(probe, with: 0..<count)
        },
        Scenario(
            "none are requested",
            .demandIsPositive,
            if: { $0.obeys(2...) && $0.promises.takesZeroDemand }
        ) { trial in
            let probe = trial.probe { $0.onSubscription = { $0.request(0) } }
            guard await trial.subscribe(probe, to: trial.publisher(trial.count(10))) else { return }
            await trial.request(0, for: probe)
            await trial.settle()
            await trial.request(1, for: probe)
            await trial.request(0, for: probe)
            await trial.stops(probe, at: 1)
        },
    ]
}

extension PublisherTrial {
    /// Expects so many elements and no more, then the rest.
    fileprivate func stops(_ probe: Probe, at count: Int) async {
        guard await self.arrived(count, at: probe) else { return }
        await self.settle()
        guard self.expect(0..<count, at: probe) else { return }
        await self.finishes(probe, with: 0..<self.count(count == 1 ? 10 : 20))
    }
}
#endif
