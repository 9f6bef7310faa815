// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import MutationTestSupport
import Synchronization
import Testing

/// Unusual ones, and those that do right what a wrong bridge of these tests does wrong.
@Suite("Right one-shot bridges are not accused", .timeLimit(.minutes(10)))
struct RightOneShotBridgeTests {
    /// The suite's threads come back as well: the task of such a call ends elsewhere than the call.
    @Test func `calls from an actor, many at once`() async {
        let promises = OneShotPromises.right.with { $0.patience = .seconds(5) }
        await withTaskGroup { group in
            for _ in 0..<600 {
                group.addTask {
                    await OneShotLaws.check("withCallback", promises: promises, only: ["an actor calls"]) { source in
                        try await withCallback { callback in
                            source.start(callback.handler())
                        } onCancel: {
                            $0.cancel()
                        }
                    }
                }
            }
            for await violations in group { expectNone(violations) }
        }
    }

    /// Nothing else runs on the caller's actor between two waits, of which the first has its answer already.
    @Test func `two waits in a row`() async {
        let violations = await OneShotLaws.check("two waits", promises: .right) { source in
            for _ in 0..<3 { _ = try await withCallback(of: Int.self) { $0.resume(returning: 0) } }
            return try await withCallback { callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }

    @Test func `a table of handles that all calls share`() async {
        let bridge = usingTable { table, number in table.handles[number] = nil }
        expectNone(await OneShotLaws.check("shared table", promises: .right, bridge))
    }

    @Test func `one slot that knows whose it is`() async {
        let promises = OneShotPromises.right.with {
            $0.takesOverlappingCalls = false
            $0.detectsDrops = false
        }
        let slot = Mutex<(turn: Int, callback: Callback<Int, any Error>?)>((0, nil))
        let violations = await OneShotLaws.check("slot with a turn", promises: promises) { source in
            try await withCallback { callback in
                let turn = slot.withLock { slot in
                    slot = (slot.turn + 1, callback)
                    return slot.turn
                }
                return source.start { answer in
                    let waiting = slot.withLock { $0.turn == turn ? $0.callback : nil }
                    waiting?.resume(with: answer)
                }
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
        slot.withLock { $0.callback = nil }
    }

    @Test func `a recursive lock that is free while the work starts`() async {
        let violations = await OneShotLaws.check("recursive lock", promises: .right) { source in
            let lock = RecursiveLock()
            return try await withCallback { callback in
                let handle = source.start { answer in lock.locked { _ = callback.resume(with: answer) } }
                return lock.locked { handle }
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }

    /// A stream of one element keeps what has come before anyone asks.
    @Test func `a stream of one element`() async {
        let promises = OneShotPromises.right.with { $0.detectsDrops = false }
        let violations = await OneShotLaws.check("AsyncThrowingStream", promises: promises) { source in
            try Task.checkCancellation()
            let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
            let handle = source.start { answer in
                switch answer {
                case .success(let value):
                    continuation.yield(value)
                    continuation.finish()
                case .failure(let error): continuation.finish(throwing: error)
                }
            }
            for try await value in stream { return value }
            // Not in `onTermination`, which runs under the runtime's lock.
            if Task.isCancelled { handle.cancel() }
            throw CancellationError()
        }
        expectNone(violations)
    }

    /// The handler, the cancellation and the end meet on one queue.
    @Test func `a queue of its own`() async {
        let violations = await OneShotLaws.check("serial queue", promises: .right) { source in
            let queue = DispatchQueue(label: "bridge")
            return try await withCallback { callback in
                source.start { answer in queue.async { callback.resume(with: answer) } }
            } onCancel: { handle in
                queue.async { handle.cancel() }
            }
        }
        expectNone(violations)
    }

    @Test func `the page of the suites says how many there are`() throws {
        try RightSets.expect("RightOneShotBridge.all", has: RightOneShotBridge.all.map(\.testDescription))
        try RightSets.expect("RightSequenceBridge.all", has: RightSequenceBridge.all.map(\.testDescription))
    }

    @Test(arguments: RightOneShotBridge.all)
    func `an unusual one is not accused`(_ right: RightOneShotBridge) async { expectNone(await right.check()) }
}
