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
        }
    ]
}
