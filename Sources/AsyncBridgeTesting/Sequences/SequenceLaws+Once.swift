// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Laws 1 and 6: the first end wins, later events do no harm, and errors arrive as they were sent.

extension SequenceLaws {
    static let once: [Scenario<SequenceTrial>] = [
        Scenario("the source finishes without an element", .once) { trial in
            let consumer = trial.consume(.pastTheEnd, stops: .afterEnd)
            await trial.suspended(consumer)
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.expect(.finished, of: consumer)
            trial.expect(elements: [], at: consumer)
            trial.expectToStayEnded(consumer)
        },
        Scenario("the source finishes inside start", .once) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd) { source, _ in
                source.onStart { source in
                    source.send(1...10)
                    source.complete()
                }
            }
            await trial.expect(.finished, of: consumer)
            trial.expect(elements: 1...10, at: consumer)
        },
        Scenario("the source fails inside start", .errors, if: { $0.passesErrors }) { trial in
            let error = trial.stage.makeError()
            let consumer = trial.consume(.all, stops: .afterEnd) { source, _ in
                source.onStart { $0.complete(error) }
            }
            await trial.expect(.error(error), of: consumer)
        },
        Scenario("the source fails after some elements", .errors, if: { $0.passesErrors }) { trial in
            let error = trial.stage.makeError()
            let consumer = trial.consume(.pastTheEnd, stops: .afterEnd)
            await trial.suspended(consumer)
            await trial.stage.onSourceThread {
                consumer.source.send(1...3)
                consumer.source.complete(error)
            }
            await trial.expect(.error(error), of: consumer)
            trial.expect(elements: 1...3, at: consumer)
            trial.expectToStayEnded(consumer)
        },
        Scenario(
            "the source fails while the consumer takes what has come",
            .backPressure,
            advice: "throw the error when all elements that came before it have been taken",
            if: { $0.passesErrors && [.keeps, .pauses].contains($0.overflow) }
        ) { trial in
            let error = trial.stage.makeError()
            let consumer = trial.consume(.all, stops: .afterEnd, permits: 1)
            await trial.suspended(consumer)
            await trial.deliver([1], to: consumer)
            await trial.stage.onSourceThread { consumer.source.send(2...6) }
            consumer.state.update { $0.permits += 1 }
            await trial.arrived(2, at: consumer)
            // More come before it has taken the others.
            await trial.stage.onSourceThread {
                consumer.source.send(7...9)
                consumer.source.complete(error)
            }
            consumer.state.update { $0.permits = .max }
            await trial.expect(.error(error), of: consumer)
            trial.expect(elements: 1...9, at: consumer)
        },
        Scenario("the source fails during the wait", .errors, if: { $0.passesErrors }) { trial in
            let error = trial.stage.makeError()
            let consumer = trial.consume(.pastTheEnd, stops: .afterEnd)
            await trial.suspended(consumer)
            await trial.stage.onSourceThread { consumer.source.complete(error) }
            await trial.expect(.error(error), of: consumer)
            trial.expectToStayEnded(consumer)
        },
        // Found: a bridge that takes it for a cancellation of its own, and ends as if the data were complete.
        Scenario(
            "the source fails with CancellationError of its own",
            .errors,
            advice:
                "throw the error of the source, also if it is a CancellationError: nil says that the data is complete",
            if: { $0.passesErrors && $0.throwsWhenCancelled }
        ) { trial in
            guard trial.traits.throwsAnyError else { return }
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            await trial.deliver([1], to: consumer)
            await trial.stage.onSourceThread { consumer.source.complete(CancellationError()) }
            await trial.expect(.thrownCancellation, of: consumer)
        },
        Scenario("the source finishes, then fails and finishes again", .once) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            let error = trial.stage.makeError()
            await trial.stage.whileThreadIsHeld {
                await trial.stage.onSourceThread {
                    consumer.source.complete()
                    consumer.source.complete(error)
                    consumer.source.complete()
                }
            }
            await trial.expect(.finished, of: consumer)
        },
        Scenario("the source fails, then finishes", .once, if: { $0.passesErrors }) { trial in
            let error = trial.stage.makeError()
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            await trial.stage.whileThreadIsHeld {
                await trial.stage.onSourceThread {
                    consumer.source.complete(error)
                    consumer.source.complete()
                }
            }
            await trial.expect(.error(error), of: consumer)
        },
        // Found: a bridge that keeps the last end for a consumer that is not there yet.
        Scenario("the source fails, then finishes, and nobody waits", .once, if: { $0.passesErrors }) { trial in
            let error = trial.stage.makeError()
            await Self.endTwiceWhileNobodyWaits([error, nil], trial, .error(error))
        },
        Scenario("the source finishes, then fails, and nobody waits", .once) { trial in
            await Self.endTwiceWhileNobodyWaits([nil, trial.stage.makeError()], trial, .finished)
        },
        Scenario("the source sends elements after its end", .backPressure) { trial in
            let consumer = trial.consume(.pastTheEnd, stops: .afterEnd)
            await trial.suspended(consumer)
            await trial.stage.whileThreadIsHeld {
                await trial.stage.onSourceThread {
                    consumer.source.send([1])
                    consumer.source.complete()
                    consumer.source.send([2, 3])
                }
            }
            await trial.expect(.finished, of: consumer)
            trial.expect(elements: [1], at: consumer)
            trial.expectToStayEnded(consumer)
        },
        Scenario(
            "the source sends an element that equals the last one",
            .neverLost,
            advice: "pass on each element: what equals the last one is no repetition of it"
        ) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            await trial.deliver([1, 1], to: consumer)
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.expect(.finished, of: consumer)
        },
        // Found: a number that stands for the end, and a sequence of another type of number.
        Scenario(
            "the source sends negative and large elements",
            .errors,
            advice: "pass the elements on as they are: none of them stands for the end, and none is rounded or cut"
        ) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            // More than 32 bits hold, where an `Int` has more, and than a Float keeps.
            let large = Int(clamping: 1 << 40 + 1 as Int64)
            let elements = [-large, -1, 0, 1, large]
            await trial.deliver(elements, to: consumer)
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.expect(.finished, of: consumer)
            trial.expect(elements: elements, at: consumer)
        },
        Scenario("two sequences are consumed at once", .once) { trial in
            let consumers = (0..<2).map { _ in trial.consume(.all, stops: .afterEnd) }
            for consumer in consumers { await trial.suspended(consumer) }
            await trial.stage.onSourceThread {
                for element in 1...10 {
                    consumers[0].source.send([element])
                    consumers[1].source.send([element * 100])
                }
                for consumer in consumers { consumer.source.complete() }
            }
            for consumer in consumers { await trial.expect(.finished, of: consumer) }
            trial.expect(elements: 1...10, at: consumers[0])
            trial.expect(elements: (1...10).map { $0 * 100 }, at: consumers[1])
        },
    ]

    /// Lets the source say twice that it has ended, to a consumer that has taken an element and waits for none.
    ///
    /// - Parameters:
    ///   - ends: With what it fails each time; `nil` if it finishes.
    ///   - trial: The run.
    ///   - expected: What the consumer ought to see.
    private static func endTwiceWhileNobodyWaits(
        _ ends: [SourceError?],
        _ trial: SequenceTrial,
        _ expected: SequenceTrial.ExpectedEnd
    ) async {
        let consumer = trial.consume(.all, stops: .afterEnd, permits: 1)
        await trial.suspended(consumer)
        await trial.deliver([1], to: consumer)
        await trial.stage.suspended { trial.place(of: consumer) }
        await trial.stage.onSourceThread { for end in ends { consumer.source.complete(end) } }
        consumer.state.update { $0.permits = .max }
        await trial.expect(expected, of: consumer)
    }
}

extension SequenceTrial {
    /// Expects that an iterator that was asked again after the end had nothing more to give, and no second error.
    func expectToStayEnded(_ consumer: SequenceConsumer) {
        let later = consumer.state.value.ends.dropFirst()
        for case .failed(let error) in later {
            return self.report.violation(
                of: .once,
                "expected nil after the end, saw \(Outcome.failure(error)) again",
                advice: "remember that the iteration is over: once next() has returned nil or thrown, each later one "
                    + "returns nil at once"
                    + (self.traits.isStandardStream
                        ? ", which a stream of the standard library does not always do" : "")
            )
        }
    }
}
