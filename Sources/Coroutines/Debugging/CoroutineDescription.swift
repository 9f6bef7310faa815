// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

extension BridgeDiagnostics {
    /// A coroutine that was alive when ``BridgeDiagnostics/coroutines`` was read.
    ///
    /// A snapshot: it does not change, and does not keep the coroutine alive.
    public struct CoroutineDescription: Sendable {
        /// What a coroutine is doing.
        @nonexhaustive
        public enum Activity: Sendable, Hashable {
            /// Its scheduler will run it: it has not begun, or its wait is over.
            case scheduled
            /// A thread runs it.
            case running
            /// It lets other tasks run.
            case yielding
            /// It waits. The values say for what, in a few words, and where in the code.
            case waiting(for: String, at: BridgeDiagnostics.CallSite)
        }

        /// Its name.
        public let name: String?

        /// Where it was started.
        public let started: CallSite

        /// When it was started.
        public let since: ContinuousClock.Instant

        /// Where it runs: its scheduler's description, or its task.
        public let home: String

        /// What it was doing.
        public let activity: Activity
    }
}

extension BridgeDiagnostics.CoroutineDescription: CustomStringConvertible {
    /// One line: name, place, duration so far, scheduler, activity.
    public var description: String {
        let name = self.name.map { " '\($0)'" } ?? ""
        return "coroutine\(name) started at \(self.started), for \(ContinuousClock.now - self.since), on \(self.home), "
            + "\(self.activity)"
    }
}

extension BridgeDiagnostics.CoroutineDescription.Activity: CustomStringConvertible {
    /// The activity in a few words.
    public var description: String {
        switch self {
        case .scheduled: "scheduled"
        case .running: "running"
        case .yielding: "yielding"
        case .waiting(let what, let site): "waiting for \(what) at \(site)"
        }
    }
}
