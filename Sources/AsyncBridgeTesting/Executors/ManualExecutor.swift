// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An executor that queues jobs and runs them only on request.
///
/// With it, a test forces the order of events instead of hoping for it:
///
/// ```swift
/// let executor = ManualExecutor()
/// let task = Task(executorPreference: executor) { await work() }
/// executor.run()  // Everything up to the first suspension has run now.
/// ```
///
/// It serves tasks as `TaskExecutor`, and actors through ``asUnownedSerialExecutor()``:
///
/// ```swift
/// actor Counter {
///     let executor: ManualExecutor
///     nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }
///     init(executor: ManualExecutor) { self.executor = executor }
/// }
/// ```
///
/// ## Isolation
/// Jobs may be queued and run on any thread. Only one job runs at a time: a thread that wants to run one while another
/// thread does waits. A job must not run other jobs of its own executor.
public final class ManualExecutor: TaskExecutor {
    // Why not one type for both protocols: they share the requirement `enqueue`, so it would not be clear whose job
    // came, and a job that runs under the wrong identity is queued once more at each hop.
    private let serial: ManualSerialExecutor

    var queue: JobQueue { self.serial.queue }

    /// Makes an executor without jobs.
    public init() { self.serial = ManualSerialExecutor() }

    /// The number of jobs that wait to be run.
    ///
    /// - Complexity: O(1).
    public var count: Int { self.queue.count }

    /// Whether no job waits to be run.
    ///
    /// - Complexity: O(1).
    public var isEmpty: Bool { self.count == 0 }

    /// Queues a job of a task.
    ///
    /// - Parameter job: The job.
    public func enqueue(_ job: consuming ExecutorJob) {
        // Safe: the queue is this executor's, so that it lives as long as the entry.
        unsafe self.queue.append(.task(UnownedJob(job), self.asUnownedTaskExecutor()))
    }

    /// Queues a block, to run in turn with the jobs.
    ///
    /// - Parameter block: What to run.
    public func perform(_ block: @escaping @Sendable () -> Void) { self.queue.append(.block(block)) }

    /// The face of this executor for actors, which must keep the executor alive.
    ///
    /// - Returns: The executor for an actor's `unownedExecutor`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        // Safe: the caller, an actor, keeps the executor alive, as the documentation demands.
        unsafe self.serial.asUnownedSerialExecutor()
    }

    /// Runs the oldest job, if there is one, on this thread.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func runOne() -> Bool { self.queue.runOne() }

    /// Runs jobs on this thread, oldest first, until none is left, including those that are added meanwhile.
    ///
    /// - Returns: The number of jobs that were run.
    @discardableResult
    public func run() -> Int {
        var count = 0
        while self.runOne() { count += 1 }
        return count
    }

    /// Waits until a number of jobs are queued.
    ///
    /// Call it from a task that does not need this executor itself.
    ///
    /// - Parameter count: The number of jobs to wait for.
    /// - Throws: `CancellationError`, if the calling task is cancelled first.
    public func jobs(atLeast count: Int) async throws(CancellationError) {
        try await self.queue.tally.wait { $0.queued >= count }
    }

    /// Whether the calling thread is running one of this executor's jobs at this moment.
    public var isCurrent: Bool { self.queue.isCurrent }
}

/// The face of a manual executor for actors.
final class ManualSerialExecutor: SerialExecutor {
    let queue = JobQueue()

    func enqueue(_ job: consuming ExecutorJob) {
        // Safe: the queue is this executor's, so that it lives as long as the entry.
        unsafe self.queue.append(.serial(UnownedJob(job), self.asUnownedSerialExecutor()))
    }

    func checkIsolated() {
        precondition(self.queue.isCurrent, "This code does not run on the ManualExecutor of its actor")
    }
}
