// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 3: cancellation of the consumer works at any moment, and ends the iteration.

extension SequenceLaws {
    static let cancellation: [Scenario<SequenceTrial>] = [
        Scenario("the task is cancelled before the iteration", .cancellation) { trial in
            let consumer = trial.consume(.all, stops: .ifStarted, isCancelled: true)
            await trial.expect(.cancellation, of: consumer, hang: .cancellation)
        },
        Scenario("the task is cancelled while the source is started", .cancellation) { trial in
            let consumer = trial.consume(.all, stops: .once) { source, consumer in
                source.onStart { _ in consumer.cancel() }
            }
            await trial.expect(.cancellation, of: consumer, hang: .cancellation)
        },
        Scenario("the task is cancelled during the wait", .cancellation) { trial in
            let consumer = trial.consume(.all, stops: .once)
            await trial.suspended(consumer)
            await trial.cancel(consumer)
            await trial.expect(.cancellation, of: consumer, hang: .cancellation)
        },
        Scenario("the task is cancelled twice", .cancellation) { trial in
            let consumer = trial.consume(.all, stops: .once)
            await trial.suspended(consumer)
            await trial.deliver(1...3, to: consumer)
            await trial.stage.suspended { trial.place(of: consumer) }
            await trial.cancel(consumer)
            await trial.cancel(consumer)
            await trial.expect(.cancellation, of: consumer, hang: .cancellation)
            trial.expect(elements: 1...3, at: consumer)
        },
        Scenario("the task is cancelled after the end", .cancellation) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.expect(.finished, of: consumer)
            await trial.cancel(consumer)
        },
        Scenario("cancellation and the source's end race", .cancellation, rounds: 30) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            let start = Rendezvous()
            trial.stage.begin {
                start.meet()
                consumer.cancel()
            }
            await trial.stage.onSourceThread {
                start.meet()
                consumer.source.complete()
            }
            await trial.expect(.finishedOrCancelled, of: consumer, hang: .cancellation)
        },
        Scenario("the source sends and ends after the cancellation", .cancellation) { trial in
            let consumer = trial.consume(.all, stops: .once)
            await trial.suspended(consumer)
            await trial.cancel(consumer)
            await trial.expect(.cancellation, of: consumer, hang: .cancellation)
            await trial.stage.onSourceThread {
                consumer.source.send(1...3)
                consumer.source.complete()
            }
            trial.expect(elements: [], at: consumer)
        },
        Scenario("the source sends and ends inside cancel", .cancellation) { trial in
            let consumer = trial.consume(.all, stops: .once) { source, _ in
                source.onCancel { source in
                    source.send(1...3)
                    source.complete()
                }
            }
            await trial.suspended(consumer)
            await trial.cancel(consumer)
            await trial.expect(
                .cancellation,
                of: consumer,
                hang: consumer.source.record.value.cancels > 0 ? .noLocks : .cancellation
            )
            guard trial.promises.throwsWhenCancelled, trial.traits.throwsAnyError,
                case .finished? = consumer.state.value.ends.first
            else { return }
            trial.report.violation(
                of: .errors,
                "expected CancellationError, saw the end: the source has ended inside cancel()",
                advice: "end the iteration with CancellationError, and then call cancel()"
            )
        },
        // Found: sources kept under the number of those that there are, which is given again when one has ended.
        Scenario(
            "a sequence begins when one of two has ended",
            .cancellation,
            advice: "keep what belongs to one sequence in that sequence; or number them, and give no number again"
        ) { trial in
            let ending = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(ending)
            let going = trial.consume(.all, stops: .once)
            await trial.suspended(going)
            await trial.stage.onSourceThread { ending.source.complete() }
            await trial.expect(.finished, of: ending)
            let new = trial.consume(.all, stops: .once)
            await trial.suspended(new)
            for (consumer, other) in [(going, new), (new, nil)] {
                await trial.cancel(consumer)
                await trial.expect(.cancellation, of: consumer)
                if let other, other.source.record.value.cancels > 0 {
                    trial.report.violation("expected the source of the cancelled sequence to be stopped, saw another's")
                }
            }
        },
    ]
}
