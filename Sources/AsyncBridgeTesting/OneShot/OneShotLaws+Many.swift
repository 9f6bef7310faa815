// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 2, for what a bridge numbers or counts: many calls, one after the other, and each way in which a call can end.

extension OneShotLaws {
    static let many: [Scenario<OneShotTrial>] = [
        Scenario(
            "many calls come and go",
            .neverLost,
            advice: "whatever a call occupies, such as a number, a place in a table or a count, it gives back however "
                + "it ends, and a number is not given out again while its call still waits"
        ) { trial in
            let waiting = trial.promises.takesOverlappingCalls ? [trial.call(), trial.call()] : []
            for call in waiting { await trial.suspended(call) }
            for way in Way.allCases where way.applies(trial.promises) {
                for number in 0..<way.count where trial.report.violations.isEmpty {
                    guard trial.stage.hasTime else { break }
                    await way.pass(number, trial)
                    Self.expectToWait(waiting, way, trial)
                }
            }
            guard let answered = waiting.first, trial.report.violations.isEmpty else { return }
            await trial.stage.onSourceThread { answered.source.answer(.success(-1)) }
            await trial.expect(.value(-1), of: answered)
            await trial.cancel(waiting[1])
            await Self.endAfterCancel(waiting[1], trial)
        },
        // Found: waits that are used again, told apart by a number of two bits, so that each fourth user of a wait got
        // an answer of the first.
        Scenario(
            "a late answer comes after many later calls",
            .once,
            advice: "give each call an identity that no later call gets, and look at it when an answer comes",
            if: { $0.cancellation == .prompt }
        ) { trial in
            // A number of a few bits comes round after 2, 4, 8 or 16 calls, one of a byte after 256.
            for distance in [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 256] where trial.report.violations.isEmpty {
                guard trial.stage.hasTime else { return }
                await Self.answerLate(after: distance, trial)
            }
        },
    ]

    /// Expects that calls still wait after another one has ended.
    ///
    /// Found: a connection that the error of one call ends for all.
    private static func expectToWait(_ calls: [OneShotCall], _ way: Way, _ trial: OneShotTrial) {
        guard let outcome = calls.lazy.compactMap(\.state.value.outcome).first else { return }
        trial.report.violation(
            "expected a call to wait for its own answer when another one \(way.text), but it ended with \(outcome)",
            advice: "let an answer, an error and an end reach the call that they are for, and no other; and give no "
                + "number out again while its call waits"
        )
    }

    /// Answers a cancelled call while the call waits that comes so many calls later.
    private static func answerLate(after distance: Int, _ trial: OneShotTrial) async {
        let cancelled = trial.call()
        await trial.suspended(cancelled)
        await trial.cancel(cancelled)
        await Self.endAfterCancel(cancelled, trial)
        for number in 1..<distance where trial.report.violations.isEmpty {
            let call = trial.call { source, _ in source.onStart { $0.answer(.success(number)) } }
            await trial.expect(.value(number), of: call)
        }
        let waiting = trial.call()
        await trial.suspended(waiting)
        await trial.stage.onSourceThread {
            cancelled.source.answer(.success(-1))
            waiting.source.answer(.success(distance))
        }
        await trial.expect(.value(distance), of: waiting)
    }

    /// How a call ends.
    private enum Way: CaseIterable {
        case answers
        case fails
        case startThrows
        case isForgotten
        case isCancelled

        /// What happens to the call.
        var text: String {
            switch self {
            case .answers: "is answered"
            case .fails: "fails"
            case .startThrows: "cannot be started"
            case .isForgotten: "is forgotten by its source"
            case .isCancelled: "is cancelled"
            }
        }

        /// How many calls end so: of all together more than twice as many as there are numbers in a byte.
        var count: Int { self == .isForgotten ? 80 : 160 }

        func applies(_ promises: OneShotPromises) -> Bool {
            switch self {
            case .answers, .fails, .startThrows: true
            case .isForgotten: promises.detectsDrops
            case .isCancelled: promises.cancellation == .prompt
            }
        }

        func pass(_ number: Int, _ trial: OneShotTrial) async {
            let error = trial.stage.makeError()
            let stops = trial.promises.stops
            switch self {
            case .answers:
                let call = trial.call { source, _ in source.onStart { $0.answer(.success(number)) } }
                await trial.expect(.value(number), of: call)
            case .fails:
                let call = trial.call { source, _ in source.onStart { $0.answer(.failure(error)) } }
                await trial.expect(.error(error), of: call)
            case .startThrows:
                let call = trial.call { source, _ in source.refuse(error) }
                await trial.expect(.error(error), of: call)
            case .isForgotten:
                let call = trial.call { source, _ in source.onStart { $0.forget() } }
                trial.expect(cancels: stops ? 0...1 : 0...0, of: call)
                await trial.expect(.fault, of: call)
            case .isCancelled:
                let call = trial.call { source, call in source.onStart { _ in call.cancel() } }
                trial.expect(cancels: stops ? 1...1 : 0...0, of: call)
                await trial.expect(.cancellation, of: call, hang: .cancellation)
            }
        }
    }
}
