// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension BridgeDiagnostics {
    /// A current wait: where it began, since when, by which bridge, in which task.
    public struct PendingWait: Sendable {
        /// The function or type that waits, or is waited for, such as `withCallback`, `CoFuture` or
        /// `CoChannel.receive`.
        public let bridge: String

        /// Where the callback, sink, slot, channel or lock was made; for a future, a selection or a scope, where the
        /// waiting function was called.
        public let made: BridgeDiagnostics.CallSite

        /// When the wait began.
        public let since: ContinuousClock.Instant

        /// A number that tells the waiting tasks apart.
        ///
        /// `nil` outside any task. The numbers of ended tasks are reused.
        public let task: UInt?

        /// The task's name, if it has one.
        public let taskName: String?
    }
}

extension BridgeDiagnostics.PendingWait: CustomStringConvertible {
    /// One line: bridge, place, duration so far, task.
    public var description: String {
        let task = self.task.map { "task \(String($0, radix: 16))" } ?? "no task"
        let name = self.taskName.map { " '\($0)'" } ?? ""
        return "\(self.bridge) at \(self.made), for \(ContinuousClock.now - self.since), \(task)\(name)"
    }
}
