// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Laws 1, 2 and 6 for an API whose start can fail. A bridge that does not call `startThrowing` gets the error as an
// answer.

extension OneShotLaws {
    static let starts: [Scenario<OneShotTrial>] = [
        Scenario(
            "start throws",
            .errors,
            advice: "end the call with the error of start: the handler will never be called"
        ) { trial in
            let error = trial.stage.makeError()
            let call = trial.call { source, _ in source.refuse(error) }
            await trial.expect(.error(error), of: call)
        },
        Scenario(
            "start throws after it has answered",
            .once,
            advice: "return the answer, or throw the error and hand the answer back"
        ) { trial in
            let error = trial.stage.makeError()
            let call = trial.call { source, _ in
                source.onStart { $0.answer(.success(1)) }
                source.refuse(error)
            }
            await trial.expect(.either(.value(1), .error(error)), of: call)
            let isLost = if case .failure? = call.state.value.outcome { true } else { false }
            trial.expect(takenBack: isLost ? [1] : [], of: call)
        },
    ]
}
