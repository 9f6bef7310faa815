// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 3: a call whose time is up ends as one that is cancelled does, with an error of its own.

extension OneShotLaws {
    static let timeouts: [Scenario<OneShotTrial>] = [
        Scenario(
            "the time is up during the wait",
            .cancellation,
            advice: Self.endWhenTheTimeIsUp,
            if: { $0.timeout != nil }
        ) { trial in
            let call = trial.call()
            await trial.suspended(call)
            guard let rest = await trial.letAlmostAllTimePass(call) else { return }
            await trial.timeOut(call, after: rest)
            await Self.expectTimedOut(call, trial)
        },
        // Found: a timer that stops what is kept of the call, which is nothing while start runs.
        Scenario(
            "the time is up while start runs",
            .cancellation,
            advice: "keep the handle and the end of the time behind one lock: whichever comes second stops the source",
            if: { $0.timeout != nil }
        ) { trial in
            let isUp = Watched(false)
            let call = trial.call { source, _ in
                source.onStart { source in
                    // A timer that begins when start has returned is not there yet.
                    OneShotCall.letTasksRun()
                    guard let timeout = trial.promises.timeout, source.clock.sleeperCount > 0 else { return }
                    source.clock.advance(by: timeout)
                    isUp.update { $0 = true }
                    // What the timer does now cannot be seen; it is in a task, as a rule.
                    OneShotCall.letTasksRun()
                }
            }
            await trial.suspended(call)
            if !isUp.value { await trial.timeOut(call) }
            await Self.expectTimedOut(call, trial)
        },
        Scenario(
            "the source answers after the time is up",
            .cancellation,
            advice: Self.endWhenTheTimeIsUp,
            if: { $0.timeout != nil }
        ) { trial in
            let call = trial.call()
            await trial.suspended(call)
            await trial.timeOut(call)
            await trial.expect(.fault, of: call, hang: .cancellation)
            await trial.stage.onSourceThread { call.source.answer(.success(7)) }
            trial.expect(cancels: Self.cancelsAtTimeout(trial), takenBack: [7], of: call)
        },
        Scenario(
            "the source answers before the time is up",
            .once,
            advice: "return the answer that comes in time, and stop the timer then",
            if: { $0.timeout != nil }
        ) { trial in
            let call = trial.call()
            await trial.suspended(call)
            await trial.stage.onSourceThread { call.source.answer(.success(8)) }
            await trial.expect(.value(8), of: call)
            await trial.expectNoTimer(of: call)
        },
    ]

    private static let endWhenTheTimeIsUp =
        "when the time that `timeout` promises is up, not earlier and not later, stop the source, once, and end the "
        + "call with an error of the bridge, not with CancellationError, which says that the task was cancelled"

    private static func expectTimedOut(_ call: OneShotCall, _ trial: OneShotTrial) async {
        trial.expect(cancels: self.cancelsAtTimeout(trial), of: call)
        await trial.expect(.fault, of: call, hang: .cancellation)
        await trial.expectNoTimer(of: call)
    }

    /// How often the source of a call is stopped whose time is up.
    private static func cancelsAtTimeout(_ trial: OneShotTrial) -> ClosedRange<Int> {
        if trial.promises.stops { return 1...1 }
        return trial.promises.cancelsSource ? 0...1 : 0...0
    }
}
