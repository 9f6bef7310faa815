// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Runs coroutines on a serial executor, one at a time with the jobs of the actors that share it.
///
/// ```swift
/// SerialExecutorScheduler(database.executor).startCoroutine {
///     let rows = try Coroutine.await { try await server.rows() }
///     database.assumeIsolated { $0.insert(rows) }
/// }
/// ```
///
/// A protocol cannot be made to conform to another one, hence the wrapper. For the main actor there is
/// `MainActor.startCoroutine`.
///
/// Isolation: the code is on the executor, so `assumeIsolated` of its actors is allowed; the compiler does not know
/// that.
public struct SerialExecutorScheduler: CoroutineScheduler, Sendable {
    private let actor: ActorOnExecutor

    /// Makes a scheduler from an executor, which it keeps alive.
    ///
    /// - Parameter executor: The executor. If it drops a job, nothing can detect that, and the coroutine never ends.
    /// - Complexity: O(1).
    public init(_ executor: any SerialExecutor) { self.actor = ActorOnExecutor(executor) }

    /// Runs a closure on the executor, in its own task.
    ///
    /// Closures run in the order in which they are scheduled, if the executor keeps the order of its jobs.
    ///
    /// - Parameter task: The closure.
    /// - Complexity: O(1); starts one task.
    public func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.actor.run(task) }
}

/// An actor without state, whose isolation is that of an executor.
private actor ActorOnExecutor {
    private let executor: any SerialExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // Safe: the actor keeps the executor alive.
        unsafe self.executor.asUnownedSerialExecutor()
    }

    init(_ executor: any SerialExecutor) { self.executor = executor }

    /// Starts a task on the actor.
    ///
    /// Why not `Task { await actor.run(closure) }`: such a task begins in Swift's pool and then hops to the executor.
    /// That is two queues instead of one, and no order.
    private static func startTask(on actor: isolated ActorOnExecutor, _ closure: @escaping @Sendable () -> Void) {
        Task {
            // A closure that captures the actor runs on it.
            _ = actor
            closure()
        }
    }

    nonisolated func run(_ closure: @escaping @Sendable () -> Void) {
        let start: (isolated ActorOnExecutor, @escaping @Sendable () -> Void) -> Void = Self.startTask
        // Safe: the function uses nothing of the actor, so it need not run on it; isolation is not part of a function's
        // representation, as in the standard library's `assumeIsolated`.
        unsafe unsafeBitCast(start, to: ((ActorOnExecutor, @escaping @Sendable () -> Void) -> Void).self)(self, closure)
    }
}
