// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if os(macOS) || !canImport(Darwin)
import AsyncBridge
import Dispatch
import Foundation
import Synchronization

/// Tells the end of a process, once, although others may hold what it has inherited.
///
/// On Linux Foundation takes a process to have ended when a socket is closed that the process has inherited, and hands
/// down to those that it starts itself: one of them that lives on keeps Foundation from noticing. So the system is
/// asked too.
///
/// Why not at once, when the system tells: then `isRunning` would still be `true` after each call, and Foundation's
/// `terminationStatus` fatal. Foundation needs some milliseconds.
package final class ProcessWatch: Sendable {
    /// How long Foundation may take to notice the end.
    private static let timeForFoundation = Duration.milliseconds(250)

    /// None of the work on it waits for anything, or runs others' code.
    private static let queue = DispatchQueue(label: "AsyncBridgeFoundation.ProcessWatch")

    private let state = Mutex(ProcessWatchState())
    private let tell: @Sendable (ProcessEnd) -> Void

    /// - Parameter tell: Gets the end, once, on any thread.
    package init(_ tell: @escaping @Sendable (ProcessEnd) -> Void) { self.tell = tell }

    /// Foundation has noticed the end.
    package func foundationNoticed(_ end: ProcessEnd) { self.obey(self.state.withLock { $0.foundationNoticed(end) }) }

    /// Looks at the process until its end.
    package func look(at child: ChildProcess) { child.watch(on: Self.queue) { self.goesOn(child) } }

    private func goesOn(_ child: ChildProcess) -> Bool {
        // Reaped, its number may be another process's.
        if self.state.withLock({ $0.isOver }) { return false }
        switch child.look() {
        case .running:
            return true
        // Foundation notices at this moment.
        case .reaped:
            return false
        case .ended(let end):
            self.obey(self.state.withLock { $0.see(end) })
            return false
        }
    }

    private func obey(_ action: ProcessWatchState.Action) {
        switch action {
        case .tell(let end):
            self.tell(end)
        case .giveFoundationTime:
            // Others' code: what waits for the end may go on at once, and would keep the queue.
            _ = TimedAction(after: Self.timeForFoundation, on: .suspending, runsOthersCode: true) {
                self.obey(self.state.withLock { $0.foundationHadTime() })
            }
        case .none:
            break
        }
    }
}
#endif
