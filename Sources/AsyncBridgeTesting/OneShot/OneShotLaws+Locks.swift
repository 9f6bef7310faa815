// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 4: no user code runs under a lock, the runtime's included.

extension OneShotLaws {
    static let locks: [Scenario<OneShotTrial>] = [
        // `onCancel` of `withTaskCancellationHandler` runs under the lock of the task's status, which resuming the task
        // takes too. So if cancel() waits for the thread that resumes, each waits for the other.
        Scenario(
            "cancel() waits for the thread that is calling the completion handler",
            .noLocks,
            if: { $0.stops }
        ) { trial in
            let cancelIsRunning = Monitor(false)
            let answerIsThrough = Monitor(false)
            let call = trial.call { source, _ in
                source.onCancel { _ in
                    cancelIsRunning.open()
                    answerIsThrough.pass()
                }
            }
            await trial.suspended(call)
            trial.stage.onRescue {
                cancelIsRunning.open()
                answerIsThrough.open()
            }
            trial.stage.sourceThread.perform {
                cancelIsRunning.pass()
                call.source.answer(.success(1))
                answerIsThrough.open()
            }
            trial.stage.begin { call.cancel() }
            trial.expect(cancels: 1...1, of: call)
            let prompt = trial.promises.cancellation == .prompt
            // If cancel() was not even called, the cause is not a lock.
            await trial.expect(
                prompt ? .cancellation : .value(1),
                of: call,
                hang: cancelIsRunning.isOpen ? .noLocks : .cancellation
            )
        },
        // Found: a recursive lock around start, which the cancellation takes, too.
        Scenario(
            "start waits for the thread that is cancelling the task",
            .noLocks,
            advice: "call start under no lock that the cancellation takes: take it afterwards, to store the handle"
        ) { trial in
            let action = WaitingAction(trial.stage)
            let call = trial.call { source, call in
                source.onStart { _ in action.run() }
                action.begin { call.cancel() }
            }
            // If it is not started, another scenario says so.
            guard let isThrough = await action.hasLetThrough() else { return }
            if !isThrough {
                trial.report.violation(
                    "expected task.cancel() to return while start runs on another thread, but it hangs: the bridge "
                        + "calls start under a lock that its cancellation takes"
                )
            }
            await trial.suspended(call)
            await Self.endAfterCancel(call, trial)
        },
        Scenario(
            "takeBack() waits for the thread that is calling the completion handler",
            .noLocks,
            advice: "take the value out under the lock, release the lock, then hand the value back",
            if: { $0.handsBackLateValues }
        ) { trial in
            let isTakingBack = Monitor(false)
            let answerIsThrough = Monitor(false)
            let isThrough = Watched(false)
            trial.stage.onRescue {
                isTakingBack.open()
                answerIsThrough.open()
            }
            let call = trial.call { source, _ in
                source.onTakeBack { value in
                    // Once: a bridge that hands the same value back again has another mistake, and hangs nowhere.
                    guard value == 2, !isTakingBack.isOpen else { return }
                    isTakingBack.open()
                    answerIsThrough.pass()
                }
            }
            await trial.suspended(call)
            await trial.stage.onSourceThread { call.source.answer(.success(1)) }
            await trial.expect(.value(1), of: call)
            trial.expect(takenBack: [2, 3], of: call)
            trial.stage.sourceThread.perform {
                isTakingBack.pass()
                call.source.answer(.success(3))
                answerIsThrough.open()
                isThrough.update { $0 = true }
            }
            trial.stage.begin { call.source.answer(.success(2)) }
            if await trial.stage.wait(for: isThrough, until: { $0 }) { return }
            guard isTakingBack.isOpen else {
                // It hands back later, or never, which is reported at the end of the run: not before the last answer.
                trial.stage.rescue()
                _ = await trial.stage.wait(for: isThrough) { $0 }
                return
            }
            trial.report.violation(
                "expected the handler to come back while takeBack() runs on another thread, but it hangs: the bridge "
                    + "hands back under a lock that its handler takes"
            )
        },
        Scenario(
            "the release of the source's handle waits for the thread that is calling the completion handler",
            .noLocks,
            advice: "take the handle out under the lock, release the lock, and only then release the handle"
        ) { trial in
            let action = WaitingAction(trial.stage)
            let call = trial.call()
            await trial.suspended(call)
            call.source.onRelease { action.run() }
            action.begin { call.source.answer(.success(2)) }
            trial.expect(takenBack: [2], of: call)
            await trial.stage.onSourceThread { call.source.answer(.success(1)) }
            await trial.expect(.value(1), of: call)
            // The handler may be what keeps the handle.
            await trial.stage.onSourceThread { call.source.forget() }
            guard await action.hasLetThrough() == false else { return }
            trial.report.violation(
                "expected the handler to come back while the source's handle is released on another thread, but it "
                    + "hangs: the bridge releases the handle under a lock that its handler takes"
            )
        },
    ]
}
