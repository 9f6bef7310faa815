// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 4: nothing of the user's runs under a lock, the runtime's included.

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
            // If cancel() was not even called, it is no lock that is in the way.
            await trial.expect(
                prompt ? .cancellation : .value(1),
                of: call,
                hang: cancelIsRunning.isOpen ? .noLocks : .cancellation
            )
        }
    ]
}
