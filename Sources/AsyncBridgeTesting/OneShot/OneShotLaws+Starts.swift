// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Laws 1, 2 and 6 for an API whose start can fail. A bridge that does not call `startThrowing` gets the error as an
// answer.

extension OneShotLaws {
    static let starts: [Scenario<OneShotTrial>] = [
        Scenario(
            "start throws",
            .errors,
            advice: "end the call with the error of start: the handler will never be called"
        ) { trial in
            let error = trial.stage.makeError()
            let call = trial.call { source, _ in source.refuse(error) }
            await trial.expect(.error(error), of: call)
        },
        // Found: a recursive lock that all calls take around start; and one place for what is answered inside start.
        Scenario(
            "start of one call goes on until another call has started",
            .once,
            advice: "call start under no lock, and keep what comes inside it with its own call",
            if: { $0.takesOverlappingCalls && $0.startsOnCaller }
        ) { trial in
            guard
                let (first, second, haveMet) = await Self.startTwoAtOnce(
                    trial,
                    inFirst: { source, _ in source.answer(.success(1)) }
                )
            else { return }
            if !haveMet {
                trial.report.violation(
                    of: .noLocks,
                    "expected a second call to start its work while start of the first one runs, but it waits for that"
                )
            }
            await trial.expect(.value(1), of: first)
            await trial.expect(.value(2), of: second)
        },
        Scenario(
            "start throws after it has answered",
            .once,
            advice: "return the answer, or throw the error and hand the answer back"
        ) { trial in
            let error = trial.stage.makeError()
            let call = trial.call { source, _ in
                source.onStart { $0.answer(.success(1)) }
                source.refuse(error)
            }
            await trial.expect(.either(.value(1), .error(error)), of: call)
            let isLost = if case .failure? = call.state.value.outcome { true } else { false }
            trial.expect(takenBack: isLost ? [1] : [], of: call)
        },
    ]

    /// Begins a call whose start goes on until another call has started, or until that does not come.
    ///
    /// The second call is answered with 2 inside its start.
    ///
    /// - Parameters:
    ///   - trial: The run.
    ///   - inFirst: What happens in the first start, before the second call begins.
    /// - Returns: The calls, and whether both starts ran at the same time; `nil` if the first call was not started.
    static func startTwoAtOnce(
        _ trial: OneShotTrial,
        inFirst: @escaping @Sendable (OneShotSourceCore, OneShotCall) -> Void
    ) async -> (first: OneShotCall, second: OneShotCall, haveMet: Bool)? {
        let firstIsIn = Watched(false)
        let secondIsIn = Watched(false)
        let haveMet = Watched<Bool?>(nil)
        let first = trial.call { source, call in
            source.onStart { source in
                inFirst(source, call)
                firstIsIn.update { $0 = true }
                // Four times as long as there is patience: on a busy machine the other thread comes late.
                let isThere = (1...8).contains { _ in trial.stage.block { secondIsIn.value } }
                haveMet.update { $0 = isThere }
            }
        }
        // If it is not started, another scenario says so.
        guard await trial.stage.wait(for: firstIsIn, until: { $0 }) else { return nil }
        let second = trial.callOnOtherThread { source, _ in
            source.onStart { source in
                source.answer(.success(2))
                secondIsIn.update { $0 = true }
            }
        }
        // It comes in any case.
        await haveMet.waitUncancelled { $0 != nil }
        return (first, second, haveMet.value == true)
    }
}
