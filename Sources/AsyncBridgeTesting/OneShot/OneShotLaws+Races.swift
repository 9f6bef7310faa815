// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What only a race shows: two threads must come within a few instructions of each other. One round finds it by chance,
// so there are many, each with another distance between the two. What stands with the scenarios was measured in a debug
// build on two cores, busy with other work if nothing else is said: how many of 30 runs of the suite found the mistake.

extension OneShotLaws {
    static let races: [Scenario<OneShotTrial>] = [
        // Found: a flag that is read in one step and set in the next. 28 to 30 of 30, for three bridges, on cores with
        // little other work; 13 to 25 on very busy ones. With 5 µs between the steps, 30 on both.
        Scenario(
            "two answers race, many times",
            .once,
            advice: "read and set the flag in one step: under one lock, or with one exchange of an atomic value",
            if: { $0.handsBackLateValues }
        ) { trial in
            for round in 0..<1000 where trial.report.violations.isEmpty && trial.stage.hasTime {
                let values = [2 * round, 2 * round + 1]
                let call = trial.call()
                await trial.suspended(call)
                let line = StartLine(round: round, delays: -15..<16)
                // Looked up before: the lock of the source would keep the two apart.
                let answers = values.map { call.source.makeAnswer(.success($0)) }
                trial.stage.begin {
                    line.first()
                    answers[0]()
                }
                await trial.stage.onSourceThread {
                    line.second()
                    answers[1]()
                }
                await trial.expect(.either(.value(values[0]), .value(values[1])), of: call)
                guard case .value(let first)? = call.state.value.outcome else { return }
                trial.expect(takenBack: values.filter { $0 != first }, of: call)
                // The number is reported at the end of the run.
                guard await trial.stage.wait(for: call.source.record, until: { $0.takenBack.count == 1 }) else {
                    return
                }
            }
        },
        // Found: a look whether the task is cancelled, and after it the store of the handle. 6 of 30, and 1 in another
        // measurement; with 5 µs in between, 20 and 15.
        Scenario(
            "the task is cancelled as start returns, many times",
            .cancellation,
            advice: "store the handle first, then look whether the task is cancelled, both under the lock that the "
                + "cancellation takes; whichever comes second stops the source",
            if: { $0.stops }
        ) { trial in
            for round in 0..<600 where trial.report.violations.isEmpty && trial.stage.hasTime {
                // It must be behind: what the bridge does after `start` takes longer than a cancellation.
                let line = StartLine(round: round, delays: 0..<1009)
                let call = trial.call { source, call in
                    trial.stage.sourceThread.perform {
                        line.first()
                        call.cancel()
                    }
                    source.onStart { _ in line.second() }
                }
                await Self.endAfterCancel(call, trial)
                // The number is reported at the end of the run.
                guard await trial.stage.wait(for: call.source.record, until: { $0.cancels > 0 }) else { return }
            }
        },
    ]
}
