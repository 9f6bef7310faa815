// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization

// Bridges whose calls share a task, and with it the task-local values of the call that has begun it.

extension WrongOneShotBridge {
    static let ofWorkers: [WrongOneShotBridge] = [
        WrongOneShotBridge(
            "starts the work in a worker that the first call has begun",
            breaks: [(.isolation, "the caller has a task-local value and a priority")],
            throughWorker(beside: false)
        ),
        WrongOneShotBridge(
            "starts the work in the task of a call that waits already",
            breaks: [(.isolation, "the caller has a task-local value and a priority")],
            throughWorker(beside: true)
        ),
    ]

    /// Calls from actors are as they should be.
    private static func throughWorker(beside isShort: Bool) -> Bridge {
        let worker = Worker(isShort: isShort)
        return { try await throughWorkerUnlessOnActor($0, worker) }
    }
}

nonisolated(nonsending) private func throughWorkerUnlessOnActor(
    _ source: OneShotSource,
    _ worker: Worker
) async throws -> Int {
    // The suite calls with an executor of its own if not from an actor.
    let isOnActor = unsafe withUnsafeCurrentTask { task in unsafe task?.unownedTaskExecutor == nil }
    guard !isOnActor else {
        return try await withCallback { callback in
            source.start(callback.handler())
        } onCancel: {
            $0.cancel()
        }
    }
    let latch = Latch()
    defer { worker.leave() }
    worker.enter()
    return try await withCallback { callback in
        callback.onCancel { latch.cancel() }
        worker.perform { latch.set(source.start(callback.handler())) }
    }
}

/// A task that does what it is told.
private final class Worker: Sendable {
    private struct State {
        var calls = 0
        var jobs: AsyncStream<@Sendable () -> Void>.Continuation?
    }

    /// Whether it ends with the last call, so that the next one begins another.
    private let isShort: Bool
    private let state = Mutex(State())

    init(isShort: Bool) { self.isShort = isShort }

    func enter() {
        self.state.withLock { state in
            state.calls += 1
            guard state.jobs == nil else { return }
            let (jobs, continuation) = AsyncStream<@Sendable () -> Void>.makeStream()
            state.jobs = continuation
            Task { for await job in jobs { job() } }
        }
    }

    func leave() {
        self.state.withLock { state in
            state.calls -= 1
            guard self.isShort, state.calls == 0 else { return }
            state.jobs?.finish()
            state.jobs = nil
        }
    }

    func perform(_ job: @escaping @Sendable () -> Void) { _ = self.state.withLock { $0.jobs }?.yield(job) }
}
