// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Laws 5, 7, 8 and 10: isolation, back-pressure, order, no blocking.

extension SequenceLaws {
    static let consumption: [Scenario<SequenceTrial>] = [
        Scenario("the consumer has a task-local value", .isolation, if: { $0.startsInConsumer }) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd) { source, _ in source.onStart { $0.complete() } }
            await trial.expect(.finished, of: consumer)
            let locals = consumer.source.record.value.locals
            if locals != [OneShotCall.mark] {
                trial.report.violation("expected the task-local value \(OneShotCall.mark) in start, saw \(locals)")
            }
        },
        Scenario("the source sends while the consumer waits", .order) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            await trial.send(1...1000, to: consumer)
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.expect(.finished, of: consumer)
            trial.expect(elements: 1...1000, at: consumer)
        },
        Scenario("the source sends from tasks of different priority", .order, rounds: 5) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            for block in 0..<6 {
                // One burst after the other, so that there is an order. A bridge with a task per event loses it: the
                // tasks inherit the priority, and those of high priority overtake. (Awaiting the sender's value
                // instead would raise its priority.)
                let burst = Watched((hasBegun: false, isThrough: false))
                Task.detached(priority: block.isMultiple(of: 2) ? .low : .high) {
                    burst.update { $0.hasBegun = true }
                    consumer.source.send(block * 500..<(block + 1) * 500)
                    burst.update { $0.isThrough = true }
                }
                if await trial.stage.wait(for: burst, until: \.isThrough) { continue }
                // On a busy machine a task of low priority may not get a thread in time.
                guard burst.value.hasBegun else { return }
                return trial.report.violation(
                    of: .noBlocking,
                    "expected the element handler to return, but it blocks the task that called it"
                )
            }
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.expect(.finished, of: consumer)
            trial.expect(elements: 0..<3000, at: consumer)
        },
        Scenario("the source is faster than the consumer", .backPressure) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd, permits: 1)
            await trial.suspended(consumer)
            await trial.stage.onSourceThread { consumer.source.send([1]) }
            await trial.arrived(1, at: consumer)
            // The consumer has one element and does not ask for more.
            await trial.send(2...1000, to: consumer)
            await trial.stage.onSourceThread { consumer.source.complete() }
            consumer.state.update { $0.permits = .max }
            await trial.expect(.finished, of: consumer)
            trial.expect(elements: 1...1000, at: consumer)
            if trial.promises.overflow == .fails, consumer.state.value.elements == [1] {
                trial.report.violation("expected the elements of the buffer before the error, but none came")
            }
        },
        // Found: a limit of 65,536 that no documentation names.
        Scenario(
            "a hundred thousand elements wait for the consumer",
            .backPressure,
            advice: "keep every element, or promise what happens to those that find no room: see overflow",
            if: { $0.overflow == .keeps }
        ) { trial in
            let count = 100_000
            let consumer = trial.consume(.all, stops: .afterEnd, permits: 1)
            await trial.suspended(consumer)
            await trial.deliver([1], to: consumer)
            await trial.send(2...count, to: consumer)
            await trial.stage.onSourceThread { consumer.source.complete() }
            consumer.state.update { $0.permits = .max }
            await trial.expect(.finished, of: consumer)
            trial.expect(elements: 1...count, at: consumer)
        },
        Scenario("the source sends on the consumer's own thread", .noBlocking) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd) { source, _ in
                source.onStart { source in
                    for element in 1...10 { trial.stage.thread.perform { source.send([element]) } }
                    trial.stage.thread.perform { source.complete() }
                }
            }
            await trial.expect(.finished, of: consumer, hang: .noBlocking)
            trial.expect(elements: 1...10, at: consumer)
        },
    ]
}
