// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 1: the first terminal event wins, and later ones do no harm.

extension OneShotLaws {
    static let once: [Scenario<OneShotTrial>] = [
        Scenario("the source answers at once", .once, advice: Self.returnTheAnswer) { trial in
            let call = trial.call { source, _ in source.onStart { $0.answer(.success(1)) } }
            await trial.expect(.value(1), of: call)
        },
        Scenario("the source answers later, on another thread", .once, advice: Self.returnTheAnswer) { trial in
            let call = trial.call()
            await trial.suspended(call)
            // More than 32 bits hold, where an `Int` has more, and than a Float keeps.
            let large = Int(clamping: 1 << 40 + 1 as Int64)
            await trial.stage.onSourceThread { call.source.answer(.success(large)) }
            await trial.expect(.value(large), of: call)
        },
        Scenario(
            "the source answers on another thread while start runs",
            .once,
            rounds: 20,
            advice: Self.returnTheAnswer
        ) { trial in
            let call = trial.call { source, call in
                source.onStart { source in trial.stage.sourceThread.perform { source.answer(.success(3)) } }
            }
            await trial.expect(.value(3), of: call)
        },
        Scenario("the source answers twice at once, first with a value", .once) { trial in
            let call = trial.call { source, _ in
                source.onStart { source in
                    source.answer(.success(4))
                    source.answer(.failure(trial.stage.makeError()))
                }
            }
            await trial.expect(.value(4), of: call)
        },
        Scenario("the source answers twice at once, first with an error", .once) { trial in
            let error = trial.stage.makeError()
            let call = trial.call { source, _ in
                source.onStart { source in
                    source.answer(.failure(error))
                    source.answer(.success(5))
                }
            }
            trial.expect(takenBack: [5], of: call)
            await trial.expect(.error(error), of: call)
        },
        Scenario("the source answers twice later", .once) { trial in
            let call = trial.call()
            await trial.suspended(call)
            await trial.stage.whileThreadIsHeld {
                await trial.stage.onSourceThread {
                    call.source.answer(.success(6))
                    call.source.answer(.success(7))
                }
            }
            trial.expect(takenBack: [7], of: call)
            await trial.expect(.value(6), of: call)
        },
        Scenario("the source answers once more after the end", .once) { trial in
            let call = trial.call()
            await trial.suspended(call)
            await trial.stage.onSourceThread { call.source.answer(.success(8)) }
            await trial.expect(.value(8), of: call)
            await trial.stage.onSourceThread { call.source.answer(.success(9)) }
            trial.expect(takenBack: [9], of: call)
        },
        Scenario("the source answers on two threads at once", .once, rounds: 20) { trial in
            let call = trial.call()
            await trial.suspended(call)
            let start = Rendezvous()
            trial.stage.begin {
                start.meet()
                call.source.answer(.success(10))
            }
            await trial.stage.onSourceThread {
                start.meet()
                call.source.answer(.success(11))
            }
            await trial.expect(.either(.value(10), .value(11)), of: call)
        },
        Scenario("the bridge is used twice in turn", .once, advice: Self.keepCallsApart) { trial in
            for value in [12, 13] {
                let call = trial.call()
                await trial.suspended(call)
                await trial.stage.onSourceThread { call.source.answer(.success(value)) }
                await trial.expect(.value(value), of: call)
            }
        },
        Scenario(
            "two calls wait, answered in order",
            .once,
            advice: Self.keepCallsApart,
            if: { $0.takesOverlappingCalls }
        ) { trial in
            let calls = [trial.call(), trial.call()]
            for call in calls { await trial.suspended(call) }
            for (call, value) in zip(calls, [14, 15]) {
                await trial.stage.onSourceThread { call.source.answer(.success(value)) }
            }
            for (call, value) in zip(calls, [14, 15]) { await trial.expect(.value(value), of: call) }
        },
        Scenario(
            "two calls wait, the later answered first",
            .once,
            advice: Self.keepCallsApart,
            if: { $0.takesOverlappingCalls }
        ) { trial in
            let calls = [trial.call(), trial.call()]
            for call in calls { await trial.suspended(call) }
            for (call, value) in zip(calls, [16, 17]).reversed() {
                await trial.stage.onSourceThread { call.source.answer(.success(value)) }
                await trial.expect(.value(value), of: call)
            }
        },
    ]

    private static let returnTheAnswer =
        "return what the completion handler gets, on whatever thread it is called, and also before start has returned"

    static let keepCallsApart =
        "keep the continuation, the answer and the handle of each call with that call, and nothing of it for the next: "
        + "one place for all calls mixes them up"
}
