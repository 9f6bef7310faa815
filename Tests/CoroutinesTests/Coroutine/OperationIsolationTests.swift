// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Coroutines
import Dispatch
import Testing

/// Code that another executor runs, and that throws.
@concurrent
private func failElsewhere(_ fails: Bool) async throws -> Int {
    await Task.yield()
    if fails { throw OperationFailure() }
    return 1
}

private struct OperationFailure: Error {}

private actor Other {
    func fail(_ fails: Bool) throws -> Int {
        if fails { throw OperationFailure() }
        return 1
    }
}

/// After an operation the coroutine is on its actor again, also if the operation has thrown.
///
/// An optimised build once lost that; see `OperationCall`.
///
/// In processes of their own: the check of the isolation ends the process.
@Suite("After an operation that throws, a coroutine is on its actor", .timeLimit(.minutes(10)))
struct OperationIsolationTests {
    actor Home {
        private let other = Other()

        func afterAFunctionElsewhere(_ fails: Bool) async throws {
            try await withCoroutine {
                for _ in 0..<100 {
                    _ = try? Coroutine.await { try await failElsewhere(fails) }
                    self.preconditionIsolated("in the coroutine")
                }
            }
            self.preconditionIsolated("after the coroutine")
        }

        func afterAnotherActor(_ fails: Bool) async throws {
            let other = self.other
            try await withCoroutine {
                for _ in 0..<100 {
                    _ = try? Coroutine.await { try await other.fail(fails) }
                    self.preconditionIsolated("in the coroutine")
                }
            }
            self.preconditionIsolated("after the coroutine")
        }

        func afterAnErrorThatEndsTheCoroutine(_ fails: Bool) async {
            for _ in 0..<100 {
                _ = try? await withCoroutine { try Coroutine.await { try await failElsewhere(fails) } }
                self.preconditionIsolated("after the coroutine")
            }
        }

        func inAGenerator(_ fails: Bool) async throws {
            let generator = AsyncGenerator<Int> { yield in
                for _ in 0..<100 {
                    _ = try? Coroutine.await { try await failElsewhere(fails) }
                    self.preconditionIsolated("in the generator")
                    try yield(1)
                }
            }
            for try await _ in generator { self.preconditionIsolated("in the loop") }
            self.preconditionIsolated("after the loop")
        }
    }

    @Test func `after a function elsewhere`() async {
        await #expect(processExitsWith: .success) {
            for fails in [true, false] { try await Home().afterAFunctionElsewhere(fails) }
        }
    }

    @Test func `after another actor`() async {
        await #expect(processExitsWith: .success) {
            for fails in [true, false] { try await Home().afterAnotherActor(fails) }
        }
    }

    @Test func `after an error that ends the coroutine`() async {
        await #expect(processExitsWith: .success) {
            for fails in [true, false] { await Home().afterAnErrorThatEndsTheCoroutine(fails) }
        }
    }

    @Test func `in a generator`() async {
        await #expect(processExitsWith: .success) {
            for fails in [true, false] { try await Home().inAGenerator(fails) }
        }
    }

    /// Without an actor, the coroutine does not stay on the one that the error came from.
    @Test func `without an actor`() async {
        await #expect(processExitsWith: .success) {
            let onQueue = OnQueue()
            let queue = onQueue.queue
            try await withCoroutine {
                for _ in 0..<100 {
                    _ = try? Coroutine.await { try await onQueue.fail() }
                    dispatchPrecondition(condition: .notOnQueue(queue))
                }
            }
        }
    }
}

private actor OnQueue {
    private let executor = ExecutorTests.QueueExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }
    nonisolated var queue: DispatchQueue { self.executor.queue }

    func fail() throws { throw OperationFailure() }
}
