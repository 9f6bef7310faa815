// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 9: however the consumer leaves, the source is stopped exactly once.

extension SequenceLaws {
    static let teardown: [Scenario<SequenceTrial>] = [
        Scenario("the consumer breaks out of the loop", .teardown) { trial in
            let consumer = trial.consume(.breaking(after: 2), stops: .once)
            await trial.suspended(consumer)
            await trial.deliver(1...2, to: consumer)
            await trial.left(consumer)
            trial.expect(elements: 1...2, at: consumer)
        },
        Scenario("the consumer breaks and the source goes on", .teardown) { trial in
            let consumer = trial.consume(.breaking(after: 1), stops: .once)
            await trial.suspended(consumer)
            await trial.stage.onSourceThread { consumer.source.send([1]) }
            await trial.left(consumer)
            await trial.stage.onSourceThread { consumer.source.send(2...10) }
            // It may be stopped later, on a queue: one that has ended by itself need not be.
            _ = await trial.stage.wait(for: consumer.source.record, as: .stop) { $0.cancels > 0 }
            await trial.stage.onSourceThread { consumer.source.complete() }
            trial.expect(elements: [1], at: consumer)
        },
        Scenario("the consumer breaks while the source sends", .teardown, rounds: 20) { trial in
            let consumer = trial.consume(.breaking(after: 5), stops: .once)
            await trial.suspended(consumer)
            await trial.stage.onSourceThread { consumer.source.send(1...100) }
            // A buffer may have dropped most of them.
            await trial.feed(consumer, from: 101)
            await trial.left(consumer)
        },
        Scenario("the consumer drops the iterator after an element", .teardown) { trial in
            let consumer = trial.consume(.dropping(after: 1), stops: .once)
            await trial.suspended(consumer)
            await trial.stage.onSourceThread { consumer.source.send([1]) }
            await trial.left(consumer)
        },
        Scenario("the consumer drops the iterator unused", .teardown) { trial in
            let consumer = trial.consume(.dropping(after: 0), stops: .ifStarted)
            await trial.left(consumer)
        },
        Scenario("the consumer drops the sequence unused", .teardown) { trial in
            let consumer = trial.consume(.unused, stops: .ifStarted)
            await trial.left(consumer)
        },
        Scenario("leaving the loop and the source's end race", .teardown, rounds: 20) { trial in
            let consumer = trial.consume(.breaking(after: 1), stops: .afterEnd)
            await trial.suspended(consumer)
            await trial.stage.onSourceThread {
                consumer.source.send([1])
                consumer.source.complete()
            }
            await trial.left(consumer)
        },
    ]
}
