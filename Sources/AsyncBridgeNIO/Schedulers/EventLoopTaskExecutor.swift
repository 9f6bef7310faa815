// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import NIOCore

extension EventLoopGroup {
    /// The executor for tasks on the group's event loops: each job goes to the next loop; jobs of a single event loop
    /// stay on it.
    ///
    /// ```swift
    /// try await withTaskExecutorPreference(channel.eventLoop.taskExecutor) {
    ///     try await serve(lines)
    /// }
    /// ```
    ///
    /// Nonisolated async code then runs on an event loop, and needs no hop to its channel's loop and back.
    ///
    /// - Complexity: O(1).
    public var taskExecutor: EventLoopTaskExecutor { EventLoopTaskExecutor(self) }
}

/// Runs tasks on the event loops of a group.
///
/// The group must run as long as there are tasks on it: an event loop that was shut down drops their jobs, and such a
/// task never ends. With `SWIFTNIO_STRICT`, NIO ends the process.
public final class EventLoopTaskExecutor: TaskExecutor {
    private let group: any EventLoopGroup

    /// Makes an executor from a group, which it does not shut down.
    ///
    /// - Parameter group: The group, or an event loop.
    public init(_ group: any EventLoopGroup) { self.group = group }

    /// Runs a job on the group's next event loop.
    ///
    /// - Parameter job: The job.
    /// - Complexity: O(1).
    public func enqueue(_ job: consuming ExecutorJob) {
        // Safe: it is run once.
        let job = UnownedJob(job)
        self.group.next().execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
#endif
