// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 2: no wait hangs forever.

extension SequenceLaws {
    static let neverLost: [Scenario<SequenceTrial>] = [
        Scenario("the source forgets its closures inside start", .neverLost, if: { $0.detectsDrops }) {
            trial in
            let consumer = trial.consume(.all, stops: .afterEnd) { source, _ in source.onStart { $0.forget() } }
            await trial.expect(.fault, of: consumer)
        },
        Scenario("the source forgets its closures during the wait", .neverLost, if: { $0.detectsDrops }) {
            trial in
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            await trial.stage.onSourceThread { consumer.source.forget() }
            await trial.expect(.fault, of: consumer)
        },
        Scenario("the source forgets its closures after some elements", .neverLost, if: { $0.detectsDrops }) {
            trial in
            let consumer = trial.consume(.all, stops: .afterEnd) { source, _ in
                source.onStart { source in
                    source.send(1...3)
                    source.forget()
                }
            }
            await trial.expect(.fault, of: consumer)
            trial.expect(elements: 1...3, at: consumer)
        },
    ]
}
