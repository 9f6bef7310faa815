// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Foundation
import Synchronization
import Testing

/// Each in a process of its own, in which no other task gets a thread any more.
@Suite("Bridges that block Swift's pool are named", .threads, .timeLimit(.minutes(10)))
struct BlockedPoolTests {
    /// One thread for each call, which comes back when the source answers.
    @Test func `a call in a task that waits for its answer`() async {
        await #expect(processExitsWith: .success) {
            let promises = OneShotPromises.notCancellable.with {
                $0.detectsDrops = false
                $0.startsOnCaller = false
                $0.patience = .milliseconds(300)
            }
            let violations = await OneShotLaws.check("mine", promises: promises) { source in
                try await Task.detached { try Pool.answer(of: source) }.value
            }
            #expect(violations.first?.law == .noBlocking, "\(violations)")
            #expect(violations.first?.scenario == "a hundred calls wait on one thread", "\(violations)")
            #expect(violations.first?.explanation.contains(Pool.isNamed) == true, "\(violations)")
            exit(EXIT_SUCCESS)
        }
    }

    @Test func `a call that never gives its threads back`() async {
        await #expect(processExitsWith: .success) {
            let violations = await OneShotLaws.check("mine", promises: .wrong) { source in
                Pool.block()
                return try await Task.detached {
                    try await withCell { cell in _ = source.start { cell.resume($0) } }
                }.value
            }
            Self.expectOnlyTheFirst(violations, "the source answers at once")
            exit(EXIT_SUCCESS)
        }
    }

    @Test func `a handler that never gives its threads back`() async {
        await #expect(processExitsWith: .success) {
            let violations = await OneShotLaws.check("mine", promises: .wrong) { source in
                try await withCell { cell in
                    _ = source.start { answer in
                        Pool.block()
                        Task { cell.resume(answer) }
                    }
                }
            }
            Self.expectOnlyTheFirst(violations, "the source answers at once")
            exit(EXIT_SUCCESS)
        }
    }

    @Test func `next() that never gives its threads back`() async {
        await #expect(processExitsWith: .success) {
            let violations = await SequenceLaws.check("mine", promises: .wrong) { source in
                Steps(
                    of: elements(source),
                    beforeNext: {
                        Pool.block()
                        await Task.detached {}.value
                    }
                )
            }
            Self.expectOnlyTheFirst(violations, "the source finishes without an element")
            exit(EXIT_SUCCESS)
        }
    }

    @Test func `an element handler that never gives its threads back`() async {
        await #expect(processExitsWith: .success) {
            let violations = await SequenceLaws.check("mine", promises: .wrong) { source in
                AsyncThrowingStream<Int, any Error> { sink in
                    let handle = source.start(
                        onElement: { element in
                            Pool.block()
                            Task { sink.yield(element) }
                        },
                        onCompletion: { error in Task { sink.finish(throwing: error) } }
                    )
                    sink.onTermination = { _ in handle.cancel() }
                }
            }
            Self.expectOnlyTheFirst(violations, "the source finishes inside start")
            exit(EXIT_SUCCESS)
        }
    }

    /// Other tests of a process may do so, for as long as they like.
    @Test func `a pool whose tasks compute is not blocked`() async {
        await #expect(processExitsWith: .success) {
            let thread = WorkerThread()
            await Task(executorPreference: thread.executor) {
                let patience = Duration.seconds(1)
                Pool.compute(until: .now + patience * 2)
                #expect(await !SwiftPool.isBlocked(patience: patience))
                Pool.block()
                #expect(await SwiftPool.isBlocked(patience: patience))
                exit(EXIT_SUCCESS)
            }.value
        }
    }

    private static func expectOnlyTheFirst(_ violations: [Violation], _ scenario: String) {
        #expect(Set(violations.map(\.scenario)) == [scenario], "\(violations)")
        #expect(violations.first?.law == .noBlocking, "\(violations)")
        #expect(violations.first?.explanation.contains(Pool.isNamed) == true, "\(violations)")
        #expect(violations.first?.notRun.count ?? 0 > 20, "\(violations)")
    }

    /// The test runner waits for a thread, too: without an end of the process it would wait for ever.
    @Test func `the process ends if it cannot go on`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = await SuiteThread.run(grace: .milliseconds(100)) {
                Pool.block()
                let report = TrialReport(
                    bridge: JudgedBridge("mine", made: .init()),
                    scenario: "it is called",
                    law: .noBlocking
                )
                report.violation("expected the value 1")
                return report.violations
            }
            try await Task.sleep(for: .seconds(600))
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("mine, when it is called, breaks law 10"), "\(message)")
        #expect(message.contains("No task has got a thread for"), "\(message)")
    }
}

extension Pool {
    /// Waits for the source's first answer on the thread of the caller.
    fileprivate static func answer(of source: OneShotSource) throws -> Int {
        let answer = Mutex<Cell.Answer?>(nil)
        let semaphore = DispatchSemaphore(value: 0)
        _ = source.start { new in
            answer.withLock { $0 = $0 ?? new }
            semaphore.signal()
        }
        semaphore.wait()
        return try (answer.withLock { $0 } ?? .failure(OtherError())).get()
    }
}
