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
            let isIn = Watched(false)
            let isCancelled = Watched(false)
            let hasWaited = Watched<Bool?>(nil)
            let call = trial.call { source, call in
                source.onStart { [stage = trial.stage] _ in
                    isIn.update { $0 = true }
                    stage.begin {
                        call.cancel()
                        isCancelled.update { $0 = true }
                    }
                    // Four times as long as there is patience: on a busy machine the other thread comes late.
                    let isThere = (1...8).contains { _ in stage.block { isCancelled.value } }
                    hasWaited.update { $0 = isThere }
                }
            }
            // If it is not started, another scenario says so.
            guard await trial.stage.wait(for: isIn, until: { $0 }) else { return }
            // It comes in any case.
            await hasWaited.waitUncancelled { $0 != nil }
            if hasWaited.value == false {
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
            advice: "take the handle out under the lock, release the lock, and only then let go of the handle"
        ) { trial in
            let isReleasing = Monitor(false)
            let isThrough = Watched(false)
            let hasWaited = Watched<Bool?>(nil)
            trial.stage.onRescue { isReleasing.open() }
            let call = trial.call()
            await trial.suspended(call)
            call.source.onRelease { [stage = trial.stage] in
                isReleasing.open()
                // Four times as long as there is patience: on a busy machine the other thread comes late.
                let isReturned = (1...8).contains { _ in stage.block { isThrough.value } }
                hasWaited.update { if $0 == nil { $0 = isReturned } }
            }
            trial.stage.begin {
                isReleasing.pass()
                call.source.answer(.success(2))
                isThrough.update { $0 = true }
            }
            trial.expect(takenBack: [2], of: call)
            await trial.stage.onSourceThread { call.source.answer(.success(1)) }
            await trial.expect(.value(1), of: call)
            // The handler may be what keeps the handle.
            await trial.stage.onSourceThread { call.source.forget() }
            guard await trial.stage.wait(for: hasWaited, until: { $0 != nil }), hasWaited.value == false else { return }
            trial.report.violation(
                "expected the handler to come back while the source's handle is released on another thread, but it "
                    + "hangs: the bridge lets go of the handle under a lock that its handler takes"
            )
        },
    ]
}
