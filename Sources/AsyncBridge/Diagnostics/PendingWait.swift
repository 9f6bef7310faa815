// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A wait that is going on: where it was begun, since when, by which bridge, in which task.
public struct PendingWait: Sendable {
    /// The function or type that waits, or is waited for: `withCallback`, `CoFuture` or `CoChannel.receive`, say.
    public let bridge: String

    /// Where the callback, sink, slot, channel or lock was made, or the function was called that waits for a future, a
    /// selection or a scope.
    public let made: CallSite

    /// When the wait began.
    public let since: ContinuousClock.Instant

    /// A number that tells the waiting tasks apart.
    ///
    /// `nil` outside any task. The numbers of tasks that have ended are used again.
    public let task: UInt?

    /// The name that the task was given, if it was.
    public let taskName: String?
}

extension PendingWait: CustomStringConvertible {
    /// One line: bridge, place, duration so far, task.
    public var description: String {
        let task = self.task.map { "task \(String($0, radix: 16))" } ?? "no task"
        let name = self.taskName.map { " '\($0)'" } ?? ""
        return "\(self.bridge) at \(self.made), for \(ContinuousClock.now - self.since), \(task)\(name)"
    }
}
