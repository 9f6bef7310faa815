// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Laws 2 and 6 for an API whose start can fail. A bridge that does not call `startThrowing` gets the error at the end.

extension SequenceLaws {
    static let starts: [Scenario<SequenceTrial>] = [
        Scenario(
            "start throws",
            .errors,
            advice: "end the sequence with the error of start: its handlers will never be called",
            if: { $0.passesErrors }
        ) { trial in
            let error = trial.stage.makeError()
            let consumer = trial.consume(.all, stops: .afterEndUnlessRefused) { source, _ in source.refuse(error) }
            await trial.expect(.error(error), of: consumer)
            trial.expect(elements: [], at: consumer)
        },
        // Found: a bridge that took note of the start, and not of its error.
        Scenario(
            "start throws, and the iterator is asked again",
            .once,
            advice: "remember that the iteration is over: once start has thrown, next() returns nil and does not start "
                + "the source again",
            if: { $0.passesErrors }
        ) { trial in
            let error = trial.stage.makeError()
            let consumer = trial.consume(.pastTheEnd, stops: .afterEndUnlessRefused) { source, _ in
                source.refuse(error)
            }
            await trial.expect(.error(error), of: consumer)
            trial.expectToStayEnded(consumer)
        },
        Scenario(
            "a second loop runs when start has thrown",
            .neverLost,
            advice: "let an iterator that is made after the end come to an end at once, or start the source anew",
            if: { $0.passesErrors && $0.takesSecondIterator }
        ) { trial in
            let error = trial.stage.makeError()
            let consumer = trial.consume(.againAfterEnd, stops: .unknown, iterations: 2) { source, _ in
                source.refuse(error)
            }
            await trial.left(consumer, "expected the second loop to end or to throw, but it waits forever")
        },
    ]
}
