// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 3: cancellation works at any moment, and the cancel action runs exactly once.

extension OneShotLaws {
    static let cancellation: [Scenario<OneShotTrial>] = [
        // First: its text is the plainest.
        Scenario("the task is cancelled during the wait", .cancellation) { trial in
            let call = trial.call()
            await trial.suspended(call)
            await trial.cancel(call)
            await Self.endAfterCancel(call, trial)
        },
        Scenario("the task is cancelled before the call", .cancellation) { trial in
            await Self.cancelledBefore(trial)
        },
        Scenario("the task is cancelled while start runs", .cancellation) { trial in
            let call = trial.call { source, call in source.onStart { _ in call.cancel() } }
            await trial.suspended(call)
            await Self.endAfterCancel(call, trial)
        },
        Scenario(
            "the task is cancelled between two steps of the call",
            .cancellation,
            advice: "look for the cancellation when the call is registered: one that came before, while the call "
                + "waited for something else, found nothing that it could end",
            if: { $0.cancellation == .prompt }
        ) { trial in
            for step in 1...8 where trial.report.violations.isEmpty {
                let call = trial.call(cancelledAfter: step)
                trial.expect(starts: 0...1, cancels: 0...1, of: call)
                await trial.expect(.cancellation, of: call, hang: .cancellation)
                guard trial.promises.stops, trial.report.violations.isEmpty else { continue }
                if await !trial.stage.wait(for: call.source.record, until: { $0.cancels >= $0.starts }) {
                    trial.report.violation("expected the work that was started to be stopped, but it was not")
                }
            }
        },
        Scenario("the task is cancelled twice", .cancellation) { trial in
            let call = trial.call()
            await trial.suspended(call)
            await trial.cancel(call)
            await trial.cancel(call)
            await Self.endAfterCancel(call, trial)
        },
        Scenario("the task is cancelled after the end", .cancellation) { trial in
            let call = trial.call()
            await trial.suspended(call)
            await trial.stage.onSourceThread { call.source.answer(.success(1)) }
            await trial.expect(.value(1), of: call)
            await trial.cancel(call)
        },
        Scenario("the task is cancelled between the answer and its arrival", .cancellation) { trial in
            let call = trial.call()
            await trial.suspended(call)
            await trial.stage.whileThreadIsHeld {
                await trial.stage.onSourceThread { call.source.answer(.success(2)) }
                await trial.cancel(call)
            }
            await Self.expectEither(2, of: call, trial)
        },
        Scenario(
            "the task is cancelled when the answer has come",
            .neverLost,
            advice: "return what has come: after the wait, do not check for cancellation any more"
        ) { trial in
            let call = trial.call()
            await trial.suspended(call)
            let hasCome = await trial.stage.whileThreadIsHeld {
                call.source.answer(.success(5))
            } then: {
                // The answer has made the task go on: the cancellation comes too late for it.
                await trial.cancel(call)
            }
            guard hasCome, !trial.promises.handsBackLateValues else {
                return await Self.expectEither(5, of: call, trial)
            }
            trial.expect(cancels: trial.promises.stops ? 0...1 : 0...0, of: call)
            await trial.expect(.value(5), of: call)
        },
        Scenario(
            "two calls wait, the earlier is cancelled",
            .cancellation,
            advice: "keep the handle of each call with that call: one property for all holds only the last one",
            if: { $0.takesOverlappingCalls && $0.stops }
        ) { trial in
            let calls = [trial.call(), trial.call()]
            for call in calls { await trial.suspended(call) }
            await trial.cancel(calls[0])
            await Self.endAfterCancel(calls[0], trial)
            await trial.stage.onSourceThread { calls[1].source.answer(.success(18)) }
            await trial.expect(.value(18), of: calls[1])
        },
        Scenario("cancellation and answer race", .cancellation, rounds: 50) { trial in
            let call = trial.call()
            await trial.suspended(call)
            let start = Rendezvous()
            trial.stage.begin {
                start.meet()
                call.cancel()
            }
            await trial.stage.onSourceThread {
                start.meet()
                call.source.answer(.success(3))
            }
            await Self.expectEither(3, of: call, trial)
        },
        Scenario("the source answers after the cancellation", .cancellation) { trial in
            let call = trial.call()
            await trial.suspended(call)
            await trial.cancel(call)
            await Self.endAfterCancel(call, trial)
            guard trial.promises.cancellation == .prompt else { return }
            await trial.stage.onSourceThread { call.source.answer(.success(late)) }
            trial.expect(cancels: trial.promises.stops ? 1...1 : 0...0, takenBack: [late], of: call)
        },
        Scenario("the source answers inside cancel", .cancellation, if: { $0.stops }) { trial in
            let error = trial.stage.makeError()
            let call = trial.call { source, _ in source.onCancel { $0.answer(.failure(error)) } }
            await trial.suspended(call)
            await trial.cancel(call)
            trial.expect(cancels: 1...1, of: call)
            await trial.expect(
                trial.promises.cancellation == .prompt ? .cancellation : .error(error),
                of: call,
                hang: call.source.record.value.cancels > 0 ? .noLocks : .cancellation
            )
        },
        Scenario(
            "the source drops the handler when it is cancelled",
            .neverLost,
            advice: "a source that drops its handler inside cancel() answers no more: end the wait then, too",
            if: { $0.detectsDrops && $0.stops }
        ) { trial in
            let call = trial.call { source, _ in source.onCancel { $0.forget() } }
            await trial.suspended(call)
            await trial.cancel(call)
            trial.expect(cancels: 1...1, of: call)
            let prompt = trial.promises.cancellation == .prompt
            await trial.expect(prompt ? .cancellation : .either(.cancellation, .fault), of: call)
        },
        // Found: one flag for the cancellation of whichever call, which the next call resets.
        Scenario(
            "start of a cancelled call goes on until another call has started",
            .cancellation,
            advice: "keep the cancellation of each call with that call, and look at it when its start has returned",
            if: { $0.takesOverlappingCalls && $0.startsOnCaller }
        ) { trial in
            // If they do not meet, another scenario says so.
            guard let (first, second, _) = await Self.startTwoAtOnce(trial, inFirst: { _, call in call.cancel() })
            else {
                return
            }
            await trial.expect(.value(2), of: second)
            await Self.endAfterCancel(first, trial)
        },
    ]

    /// The value that a source gives after it was cancelled.
    private static let late = 99

    /// What must happen once the task was cancelled and the source does nothing about it by itself.
    static func endAfterCancel(_ call: OneShotCall, _ trial: OneShotTrial) async {
        trial.expect(cancels: trial.promises.stops ? 1...1 : 0...0, of: call)
        switch trial.promises.cancellation {
        case .prompt:
            await trial.expect(.cancellation, of: call, hang: .cancellation)
        case .cooperative, .ignored:
            if trial.promises.stops {
                let stopped = await trial.stage.wait(for: call.source.record) { $0.cancels > 0 }
                // The number is reported at the end of the run.
                if !stopped { return await Self.answerLate(call, trial) }
            }
            await Self.answerLate(call, trial)
        }
    }

    /// What may come of an answer and a cancellation at the same time: either, but the value must not be lost.
    private static func expectEither(_ value: Int, of call: OneShotCall, _ trial: OneShotTrial) async {
        let isPrompt = trial.promises.cancellation == .prompt
        await trial.expect(isPrompt ? .either(.value(value), .cancellation) : .value(value), of: call)
        let isLost = if case .failure? = call.state.value.outcome { true } else { false }
        trial.expect(cancels: trial.promises.stops ? 0...1 : 0...0, takenBack: isLost ? [value] : [], of: call)
    }

    private static func answerLate(_ call: OneShotCall, _ trial: OneShotTrial) async {
        if call.state.value.isOver {
            let outcome = call.state.value.outcome.map { "\($0)" } ?? "an end"
            trial.report.violation(
                "expected a wait for the source's answer, saw \(outcome) before it",
                advice: trial.adviceWhenCancelled
            )
        }
        await trial.stage.onSourceThread { call.source.answer(.success(late)) }
        await trial.expect(.value(late), of: call)
    }

    private static func cancelledBefore(_ trial: OneShotTrial) async {
        let starts = trial.promises.startsWhenCancelled || trial.promises.cancellation == .ignored
        guard starts else {
            let call = trial.call(isCancelled: true)
            trial.expect(starts: 0...0, of: call)
            await trial.expect(.cancellation, of: call, hang: .cancellation)
            return
        }
        let call = trial.call(isCancelled: true)
        await trial.started(call)
        await Self.endAfterCancel(call, trial)
    }
}
