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
            let executor = trial.stage.thread.executor
            let elsewhere = Watched<[Int]>([])
            let calls = (0..<100).map { number in
                trial.call { source, _ in
                    source.onStart { _ in if !executor.isCurrent { elsewhere.update { $0.append(number) } } }
                }
            }
            for call in calls { await trial.suspended(call) }
            await trial.stage.onSourceThread {
                for (value, call) in calls.enumerated() { call.source.answer(.success(value)) }
            }
            // One that hangs is enough.
            for (value, call) in calls.enumerated() where trial.report.violations.isEmpty {
                await trial.expect(.value(value), of: call)
            }
            // The first is alone, and the others are beside it.
            guard trial.promises.startsOnCaller, let number = elsewhere.value.min(), number > 0 else { return }
            trial.report.violation(
                of: .isolation,
                "expected the work of each call to be started where it was called, as that of the first call, but "
                    + "that of call \(number + 1) was started elsewhere while other calls wait"
            )
        },
    ]
}
