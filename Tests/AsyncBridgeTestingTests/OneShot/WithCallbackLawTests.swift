// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

@Suite("withCallback obeys the laws", .timeLimit(.minutes(10)))
struct WithCallbackLawTests {
    @Test func prompt() async {
        let promises = OneShotPromises.right.with { $0.handsBackLateValues = true }
        let violations = await OneShotLaws.check("withCallback", promises: promises) { source in
            try await withCallback(onUndelivered: { source.takeBack($0) }) { callback in
                source.start { callback.resume(with: $0) }
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }

    @Test func cooperative() async {
        let promises = OneShotPromises.right.with { $0.cancellation = .cooperative }
        let violations = await OneShotLaws.check("withCallback, cooperative", promises: promises) { source in
            try await withCallback(cancellation: .cooperative) { callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }

    @Test func `with a start that throws`() async {
        let promises = OneShotPromises.right.with { $0.handsBackLateValues = true }
        let violations = await OneShotLaws.check("withCallback, throwing start", promises: promises) { source in
            try await withCallback(onUndelivered: { source.takeBack($0) }) { callback in
                try source.startThrowing(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }

    @Test func `with registered action`() async {
        let violations = await OneShotLaws.check("callback.onCancel", promises: .right) { source in
            try await withCallback { callback in
                let handle = source.start(callback.handler())
                callback.onCancel { handle.cancel() }
            }
        }
        expectNone(violations)
    }

    @Test func `cooperative with registered action`() async {
        let promises = OneShotPromises.right.with { $0.cancellation = .cooperative }
        let violations = await OneShotLaws.check("callback.onCancel, cooperative", promises: promises) { source in
            try await withCallback(cancellation: .cooperative) { callback in
                let handle = source.start(callback.handler())
                callback.onCancel { handle.cancel() }
            }
        }
        expectNone(violations)
    }

    @Test func abandoning() async {
        let promises = OneShotPromises.right.with { $0.cancelsSource = false }
        let violations = await OneShotLaws.check("withCallback, abandoning", promises: promises) { source in
            try await withCallback { callback in _ = source.start(callback.handler()) }
        }
        expectNone(violations)
    }

    @Test(arguments: [OneShotPromises.Cancellation.prompt, .cooperative])
    func `starting when cancelled`(_ cancellation: OneShotPromises.Cancellation) async {
        let promises = OneShotPromises.right.with {
            $0.startsWhenCancelled = true
            $0.cancellation = cancellation
        }
        let mode: CancellationMode = cancellation == .prompt ? .prompt : .cooperative
        let violations = await OneShotLaws.check("withCallback, starting", promises: promises) { source in
            try await withCallback(cancellation: mode, startsWhenCancelled: true) { callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }

    @Test func wrapped() async {
        let violations = await OneShotLaws.check("withCallback(throwing:)", promises: .right) { source in
            do throws(BridgeError<any Error>) {
                return try await withCallback(of: Int.self, throwing: (any Error).self) { callback in
                    source.start(callback.handler())
                } onCancel: {
                    $0.cancel()
                }
            } catch {
                switch error {
                case .failure(let error): throw error
                case .interruption(let interruption): throw interruption.error
                }
            }
        }
        expectNone(violations)
    }

    @Test func mapped() async {
        let violations = await OneShotLaws.check("withCallback(throwing:interrupted:)", promises: .right) { source in
            try await withCallback(throwing: (any Error).self, interrupted: \.error) { callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }

    @Test func `if interrupted`() async {
        let violations = await OneShotLaws.check("withCallback(ifInterrupted:)", promises: .right) { source in
            let result: Result<Int, any Error> = await withCallback(ifInterrupted: { .failure($0.error) }) { callback in
                source.start { callback.resume(returning: $0) }
            } onCancel: {
                $0.cancel()
            }
            return try result.get()
        }
        expectNone(violations)
    }

    @Test func `if dropped`() async {
        // It cannot throw, so it starts in a cancelled task too and always waits.
        let promises = OneShotPromises.right.with {
            $0.cancellation = .cooperative
            $0.startsWhenCancelled = true
        }
        let violations = await OneShotLaws.check("withCallback(ifDropped:)", promises: promises) { source in
            let result: Result<Int, any Error> = await withCallback(ifDropped: { .failure(Dropped()) }) { callback in
                source.start { callback.resume(returning: $0) }
            } onCancel: {
                $0.cancel()
            }
            return try result.get()
        }
        expectNone(violations)
    }

    @Test func `if dropped without cancel`() async {
        let promises = OneShotPromises.right.with { $0.cancellation = .ignored }
        let violations = await OneShotLaws.check("withCallback(ifDropped:), deaf", promises: promises) { source in
            let result: Result<Int, any Error> = await withCallback(ifDropped: { .failure(Dropped()) }) { callback in
                _ = source.start { callback.resume(returning: $0) }
            }
            return try result.get()
        }
        expectNone(violations)
    }

    @Test func `with timeout`() async {
        let clock = TestClock()
        let violations = await OneShotLaws.check("withCallback(timeout:)", promises: .right) { source in
            try await withCallback(timeout: .after(.seconds(1), on: clock)) { callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
        // Each wait has taken its timer with it.
        #expect(clock.sleeperCount == 0)
    }

    private struct Dropped: Error {}
}
