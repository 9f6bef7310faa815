// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 5: isolation is the caller's.

extension OneShotLaws {
    static let isolation: [Scenario<OneShotTrial>] = [
        Scenario("an actor calls", .isolation, if: { $0.startsOnCaller }) { trial in
            let gate = Monitor(false)
            let otherRan = Watched(false)
            let startedFirst = Watched(false)
            let wasOnActor = Watched(false)
            let executor = trial.stage.thread.executor
            // Until another job is queued behind the call.
            let call = trial.callFromActor(prepare: gate.pass) { source, _ in
                source.onStart { source in
                    let first = !otherRan.value
                    startedFirst.update { $0 = first }
                    wasOnActor.update { $0 = executor.isCurrent }
                    source.answer(.success(1))
                }
            }
            // The call is queued, and behind it another job: a bridge that starts its work within the first
            // suspension-free stretch starts it before that one.
            let queued = await trial.stage.wait(for: trial.stage.thread.tally) { $0.arrived == 2 }
            trial.stage.thread.perform { otherRan.update { $0 = true } }
            gate.open()
            await trial.expect(.value(1), of: call)
            if !queued { trial.report.violation("expected the call to reach its actor, but it did not") }
            if !wasOnActor.value {
                trial.report.violation("expected the work to be started on the caller's actor, but it was elsewhere")
            } else if !startedFirst.value {
                trial.report.violation(
                    "expected the work to be started before anything else runs on the actor, but another job ran first"
                )
            }
        },
        Scenario("an actor calls and the answer is late", .isolation) { trial in
            let call = trial.callFromActor()
            await trial.suspended(call)
            await trial.stage.onSourceThread { call.source.answer(.success(2)) }
            await trial.expect(.value(2), of: call)
        },
        Scenario("the caller has a task-local value and a priority", .isolation, if: { $0.startsOnCaller }) {
            trial in
            // Several: a task that goes on from call to call has what it got from the call that has begun it.
            let waiting = trial.promises.takesOverlappingCalls ? trial.call() : nil
            if let waiting { await trial.suspended(waiting) }
            for value in 3...4 {
                let call = trial.call { source, _ in source.onStart { $0.answer(.success(value)) } }
                await trial.expect(.value(value), of: call)
                trial.expectOwnLocals(of: call)
                if let priority = call.source.record.value.start.priorities.first, priority < .high {
                    trial.report.violation("expected the caller's priority \(TaskPriority.high), saw \(priority)")
                }
            }
            guard let waiting, trial.report.violations.isEmpty else { return }
            await trial.stage.onSourceThread { waiting.source.answer(.success(5)) }
            await trial.expect(.value(5), of: waiting)
        },
    ]
}
