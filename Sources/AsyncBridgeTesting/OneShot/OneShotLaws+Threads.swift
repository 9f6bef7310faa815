// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 10: no thread blocks.

extension OneShotLaws {
    static let threads: [Scenario<OneShotTrial>] = [
        Scenario("the answer comes on the caller's own thread", .noBlocking) { trial in
            let call = trial.call { source, _ in
                source.onStart { source in trial.stage.thread.perform { source.answer(.success(1)) } }
            }
            await trial.expect(.value(1), of: call, hang: .noBlocking)
        },
        Scenario("a hundred calls wait on one thread", .noBlocking, if: { $0.takesOverlappingCalls }) { trial in
            let calls = (0..<100).map { _ in trial.call() }
            for call in calls { await trial.suspended(call) }
            await trial.stage.onSourceThread {
                for (value, call) in calls.enumerated() { call.source.answer(.success(value)) }
            }
            // One that hangs is enough.
            for (value, call) in calls.enumerated() where trial.report.violations.isEmpty {
                await trial.expect(.value(value), of: call, hang: .noBlocking)
            }
        },
    ]
}
