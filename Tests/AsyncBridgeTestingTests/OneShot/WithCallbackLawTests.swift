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

    @Test func `ignoring cancellation`() async {
        let promises = OneShotPromises.right.with { $0.cancellation = .ignored }
        let violations = await OneShotLaws.check("withCallback, ignoring", promises: promises) { source in
            try await withCallback(cancellation: .ignore) { callback in
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

    @Test func `if interrupted, ignoring cancellation`() async {
        let promises = OneShotPromises.right.with { $0.cancellation = .ignored }
        let violations = await OneShotLaws.check("withCallback(ifInterrupted:), ignoring", promises: promises) {
            source in
            let result: Result<Int, any Error> = await withCallback(
                ifInterrupted: { .failure($0.error) },
                cancellation: .ignore
            ) { callback in
                source.start { callback.resume(returning: $0) }
            } onCancel: {
                $0.cancel()
            }
            return try result.get()
        }
        expectNone(violations)
    }

    @Test(arguments: [CancellationMode.prompt, .cooperative, .ignore])
    func `with timeout`(_ mode: CancellationMode) async {
        let promises = OneShotPromises.right.with {
            $0.timeout = .seconds(1)
            $0.handsBackLateValues = true
            $0.cancellation = mode == .prompt ? .prompt : mode == .ignore ? .ignored : .cooperative
        }
        let violations = await OneShotLaws.check("withCallback(timeout:)", promises: promises) { source in
            try await withCallback(
                cancellation: mode,
                timeout: .after(.seconds(1), on: source.clock),
                onUndelivered: { source.takeBack($0) }
            ) { callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }

    private struct Dropped: Error {}
}
