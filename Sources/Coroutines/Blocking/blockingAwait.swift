// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import CCoroutines

/// Waits for an async operation in synchronous code, and blocks the thread only if it cannot suspend.
///
/// For code that must return a result and may be called from anywhere: by a coroutine, by a thread of an old library,
/// by a command-line tool. It refuses to block a thread that the operation may need.
///
/// ```swift
/// func loadSettings() throws -> Settings {
///     try blockingAwait { try await SettingsServer.shared.settings() }
/// }
/// ```
///
/// | Called | |
/// |---|---|
/// | in a coroutine | suspends, as `Coroutine.await` does |
/// | on your own thread, or a queue's | blocks the thread, which itself runs the operation meanwhile |
/// | on the main thread, or the main queue | throws ``CoroutineError/wouldBlockMainThread`` |
/// | in a task, outside a coroutine | throws ``CoroutineError/wouldBlockTask`` |
///
/// Any number of calls may wait at once: none of them needs a thread of Swift's pool. But the operation may need other
/// threads: the main thread for the main actor, a queue for a callback on that queue. Do not block those. On Linux,
/// queues and the pool share one small supply of threads, which grows slowly while they are blocked, so other tasks can
/// be late. Your own threads are not part of that supply.
///
/// ## Cancellation
/// In a coroutine, as in `Coroutine.await`. A plain thread cannot be cancelled: give the operation a timeout.
///
/// ## Isolation
/// In a coroutine, as in `Coroutine.await`. Otherwise the operation runs on this thread, in a task with the thread's
/// task-locals and, if the system reports it, its priority, outside every actor. So do its child tasks. The thread then
/// runs a task: code that the operation calls may not block again, and can write `await`.
///
/// - Parameters:
///   - fileID: The caller's file.
///   - line: The caller's line.
///   - operation: The operation. If the thread must not be blocked, it does not start.
/// - Returns: The operation's result.
/// - Throws: The operation's error; a ``CoroutineError`` if the thread must not be blocked; `CancellationError` in a
///   cancelled coroutine. Being called outside a coroutine is not an error by itself.
/// - Complexity: O(1). In a coroutine, two switches of stacks; otherwise one task, whose jobs this thread runs.
@available(*, noasync, message: "Write `try await` in async code")
public func blockingAwait<Value>(
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ operation: nonisolated(nonsending) () async throws -> sending Value
) throws -> sending Value {
    if let coroutine = RunningCoroutine.current {
        try Coroutine.checkCancellation()
        let site = CallSite(fileID: fileID, line: line)
        coroutine.note(.operation, at: site)
        return try coroutine.perform(
            undelivered: { UndeliveredResult.report($0, of: "blockingAwait", at: site) },
            operation
        )
    }
    switch ccoro_thread() {
    case .plain: break
    case .main: throw CoroutineError.wouldBlockMainThread
    case .task, .pool: throw CoroutineError.wouldBlockTask
    }
    return try withoutActuallyEscaping(operation) { operation in
        let call = BlockingCall(operation)
        BlockedThread().run { await call.perform() }
        return call.result
    }.take().get()
}

/// An operation that a blocked thread runs, and then its result.
///
/// Safe: one thread makes it, runs the task that performs it, and takes the result. Only the end of the task may be on
/// another thread, which drops an empty object.
private final class BlockingCall<Value>: @unchecked Sendable {
    typealias Operation = nonisolated(nonsending) () async throws -> sending Value
    typealias Outcome = Disconnected<Result<Value, any Error>>

    private var operation: Operation?
    private var outcome: Outcome?

    init(_ operation: @escaping Operation) { self.operation = operation }

    func perform() async {
        self.outcome = await self.outcomeOfOperation()
    }

    // In a separate function, so that its copy of the operation, which must not outlive the call, is gone when it
    // returns.
    private func outcomeOfOperation() async -> Outcome {
        guard let operation = self.operation.take() else { preconditionFailure("BUG: an operation is run twice") }
        do { return Disconnected(unchecked: .success(try await operation())) } catch {
            return Disconnected(unchecked: .failure(error))
        }
    }

    /// The result, once the operation has ended.
    var result: Outcome {
        guard let outcome = self.outcome.take() else { preconditionFailure("BUG: an operation ended without a result") }
        return outcome
    }
}
