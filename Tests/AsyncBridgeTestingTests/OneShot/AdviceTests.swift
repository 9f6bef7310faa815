// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization
import Testing

/// What a scenario says about its own law may be wrong for the violation that it has seen.
@Suite("What to do is said of what was seen", .timeLimit(.minutes(10)))
struct AdviceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let bridge: String
        let scenario: String
        let law: Law
        let advice: String

        var testDescription: String { "\(self.bridge), when \(self.scenario)" }
    }

    private static let cases = [
        Case(
            bridge: "stops the source after its answer too",
            scenario: "the source answers at once",
            law: .cancellation,
            advice: "stop the source only if the task is cancelled before the answer has come"
        ),
        Case(
            bridge: "cancels twice",
            scenario: "the task is cancelled during the wait",
            law: .cancellation,
            advice: "take the handle out of its place"
        ),
        Case(
            bridge: "starts twice",
            scenario: "the source answers later, on another thread",
            law: .once,
            advice: "start the work once for each call"
        ),
        Case(
            bridge: "starts the work in a cancelled task",
            scenario: "the task is cancelled before the call",
            law: .cancellation,
            advice: "look for the cancellation before start"
        ),
        Case(
            bridge: "is prompt and yet promises to wait",
            scenario: "the task is cancelled during the wait",
            law: .cancellation,
            advice: "wait for its completion handler"
        ),
        Case(
            bridge: "does not see that the handler was dropped",
            scenario: "the source drops the handler later",
            law: .neverLost,
            advice: "hold an object whose deinit ends the wait"
        ),
        Case(
            bridge: "loses late values",
            scenario: "the source answers once more after the end",
            law: .once,
            advice: "hand back each value"
        ),
        Case(
            bridge: "takes the end of its time for a cancellation",
            scenario: "the time is up during the wait",
            law: .cancellation,
            advice: "with an error of the bridge, not with CancellationError"
        ),
        Case(
            bridge: "measures its time by another clock",
            scenario: "the time is up during the wait",
            law: .cancellation,
            advice: "source.clock"
        ),
        Case(
            bridge: "overwrites the continuation",
            scenario: "two calls wait, answered in order",
            law: .once,
            advice: "one place for all calls mixes them up"
        ),
        Case(
            bridge: "keeps the source forever",
            scenario: "the source answers at once",
            law: .teardown,
            advice: "look for what holds it"
        ),
        Case(
            bridge: "starts the work in a worker that the first call has begun",
            scenario: "the caller has a task-local value and a priority",
            law: .isolation,
            advice: "keeps the task-local values of that"
        ),
    ]

    /// All errors of sources look alike.
    @Test func `an error of another failure is called so`() async {
        let first = Mutex<(any Error)?>(nil)
        let violations = await OneShotLaws.check(
            "mine",
            promises: .wrong,
            only: ["start throws", "the source fails later"]
        ) {
            source in
            do {
                return try await withCallback {
                    source.start($0.handler())
                } onCancel: {
                    $0.cancel()
                }
            } catch {
                throw first.withLock { first in
                    first = first ?? error
                    return first ?? error
                }
            }
        }
        let text = "expected the source's error, saw the source's error of another failure"
        #expect(violations.contains { $0.explanation == text }, "\(violations)")
    }

    /// Also in a history.
    @Test(arguments: [
        "the source answers later, on another thread", "calls, answers and cancellations come in random order",
    ])
    func `a value that no source has sent is called so`(_ scenario: String) async throws {
        let violations = await OneShotLaws.check("mine", promises: .wrong, only: [scenario]) { source in
            try await withCallback {
                source.start($0.handler())
            } onCancel: {
                $0.cancel()
            } + 1_000_000
        }
        let first = try #require(violations.first)
        #expect(first.law == .errors, "\(violations)")
        #expect(first.explanation.hasSuffix("which no source has sent"), "\(violations)")
    }

    /// The suite cancels what hangs: that is not the bridge's doing.
    @Test func `a call that hangs is not accused of its end`() async {
        let violations = await OneShotLaws.check("mine", promises: .wrong, only: ["the source answers at once"]) {
            source in
            try await withCallback { callback in
                let isStarted = Flag()
                defer { isStarted.set() }
                return source.start { if isStarted.value { callback.resume(with: $0) } }
            } onCancel: {
                $0.cancel()
            }
        }
        #expect(violations.map(\.law) == [.neverLost], "\(violations)")
    }

    /// Not only that the work was not started.
    @Test func `a call that ends before its start tells how`() async {
        let violations = await OneShotLaws.check(
            "mine",
            promises: .wrong,
            only: ["the source answers later, on another thread"]
        ) { _ in throw OtherError() }
        let text = "expected the work to be started, but the call ended with the error 'OtherError()' before that"
        #expect(violations.first?.explanation == text, "\(violations)")
    }

    @Test(arguments: Self.cases)
    func `is said`(_ wanted: Case) async throws {
        let wrong = try #require(WrongOneShotBridge.all.first { $0.name == wanted.bridge })
        var violations: [Violation] = []
        // On a busy machine something else may be seen first, such as a thread that comes late.
        for _ in 1...3 {
            violations = await wrong.check([wanted.scenario])
            if violations.contains(where: { $0.law == wanted.law && $0.advice.contains(wanted.advice) }) { return }
        }
        Issue.record("\(violations)")
    }
}
