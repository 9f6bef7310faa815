// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 6: errors arrive as they were sent.

extension OneShotLaws {
    static let errors: [Scenario<OneShotTrial>] = [
        Scenario("the source fails at once", .errors) { trial in
            let error = trial.stage.makeError()
            let call = trial.call { source, _ in source.onStart { $0.answer(.failure(error)) } }
            await trial.expect(.error(error), of: call)
        },
        Scenario("the source fails later", .errors) { trial in
            let error = trial.stage.makeError()
            let call = trial.call()
            await trial.suspended(call)
            await trial.stage.onSourceThread { call.source.answer(.failure(error)) }
            await trial.expect(.error(error), of: call)
        },
        Scenario("the source fails with CancellationError of its own", .errors) { trial in
            let call = trial.call { source, _ in source.onStart { $0.answer(.failure(CancellationError())) } }
            await trial.expect(.cancellation, of: call)
        },
    ]
}
