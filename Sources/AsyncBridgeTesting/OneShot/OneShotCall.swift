// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// One call of the bridge under test, in its own task, with its own source.
final class OneShotCall: Sendable {
    typealias Bridge = nonisolated(nonsending) @Sendable (OneShotSource) async throws -> Int

    struct State: Sendable {
        /// Whether the bridge has been called.
        var hasBegun = false
        var outcome: Outcome?
        var isOver = false
    }

    /// What the task-local value is in the consumers of sequences.
    static let mark = 42

    private static let lastMark = Atomic<Int>(42)

    let source: OneShotSourceCore
    let state = Watched(State())
    /// What the task-local value is in the call, and in no other call of this process.
    let ownMark = OneShotCall.lastMark.add(1, ordering: .relaxed).newValue
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ lifetimes: LifetimeTracker) { self.source = OneShotSourceCore(lifetimes) }

    /// Calls the bridge, on a thread of the scenario's.
    ///
    /// - Parameters:
    ///   - bridge: The bridge.
    ///   - thread: Where it is called.
    ///   - isCancelled: Whether the task is cancelled before it runs.
    ///   - steps: After how many of its jobs on that thread the task is cancelled; `nil` if it is not.
    func begin(
        _ bridge: @escaping Bridge,
        on thread: WorkerThread,
        isCancelled: Bool = false,
        cancelledAfter steps: Int? = nil
    ) {
        let gate = Monitor(false)
        // The task runs when the scenario has got hold of it, so that the source's script can cancel it.
        thread.perform { gate.pass() }
        let task = Task(executorPreference: thread.executor, priority: .high) {
            await TaskLocals.$mark.withValue(self.ownMark) {
                await self.run(bridge)
            }
        }
        self.keep(task)
        if isCancelled { task.cancel() }
        if let steps { self.cancel(after: steps, on: thread) }
        gate.open()
    }

    /// Cancels the task when it has done so many jobs that are behind each other on the thread.
    ///
    /// The first is in the queue already.
    private func cancel(after steps: Int, on thread: WorkerThread) {
        thread.perform {
            if steps > 1 { return self.cancel(after: steps - 1, on: thread) }
            self.cancel()
            Self.letTasksRun()
        }
    }

    /// Keeps this thread until new tasks have run, or a moment: what is in a task of its own is then first.
    static func letTasksRun() {
        let deadline = ContinuousClock.now + .milliseconds(20)
        for _ in 0..<2 {
            let hasRun = Watched(false)
            Task.detached(priority: .high) { hasRun.update { $0 = true } }
            while !hasRun.value, ContinuousClock.now < deadline { yieldThread() }
        }
    }

    /// Calls the bridge on an actor.
    ///
    /// - Parameters:
    ///   - bridge: The bridge.
    ///   - caller: The actor.
    ///   - thread: Where the way to the actor begins, since an earlier call of the bridge may have blocked Swift's
    ///     pool. It is stopped.
    ///   - prepare: Called on the actor, when the call is its next job.
    func begin(
        _ bridge: @escaping Bridge,
        on caller: CallingActor,
        from thread: WorkerThread,
        _ prepare: @escaping @Sendable () -> Void
    ) {
        Task(executorPreference: thread.executor, priority: .high) {
            await TaskLocals.$mark.withValue(self.ownMark) {
                await caller.begin(self, bridge, prepare)
            }
            thread.stop()
        }
    }

    nonisolated(nonsending) func run(_ bridge: Bridge) async {
        let outcome: Outcome
        self.state.update { $0.hasBegun = true }
        do { outcome = .value(try await bridge(OneShotSource(self.source))) } catch { outcome = .failure(error) }
        self.state.update { state in
            state.outcome = outcome
            state.isOver = true
        }
    }

    /// Where the bridge is if it blocks the thread on which it was called; `nil` if it was not called.
    var place: String? {
        guard self.state.value.hasBegun else { return nil }
        if self.source.progress.isInStart {
            return self.source.progress.isInHandler ? "in its completion handler, called inside start" : "inside start"
        }
        return self.source.record.value.starts == 0 ? "before it calls start" : "after start has returned"
    }

    func cancel() { self.task.withLock { $0 }?.cancel() }

    func keep(_ task: Task<Void, Never>) { self.task.withLock { $0 = task } }

    /// Forgets what the call came to, and its task.
    func clear() {
        self.source.clear()
        self.state.update { $0.outcome = nil }
        self.task.withLock { $0 = nil }
    }
}

/// The actor from which a bridge is called.
actor CallingActor {
    private let executor: ManualExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // Safe: the actor keeps the executor.
        unsafe self.executor.asUnownedSerialExecutor()
    }

    init(_ executor: ManualExecutor) { self.executor = executor }

    /// Calls the bridge, in a task of its own.
    ///
    /// Why not in the caller's task: it prefers an executor, and with a preference the runtime leaves the actor in a
    /// wait that has its answer already. A right bridge that waits twice would be accused.
    func begin(
        _ call: OneShotCall,
        _ bridge: @escaping OneShotCall.Bridge,
        _ prepare: @Sendable () -> Void
    ) {
        let task = Task(priority: .high) {
            // Keeps the task on this actor.
            _ = self
            await call.run(bridge)
        }
        call.keep(task)
        prepare()
    }
}
