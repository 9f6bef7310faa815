// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// What every run of a scenario has: threads, lifetimes, a report.
final class Stage: Sendable {
    let report: TrialReport
    let lifetimes = LifetimeTracker()
    let patience: Duration

    /// The thread on which the bridge is used.
    let thread = WorkerThread()

    /// A thread of the source.
    let sourceThread = WorkerThread()

    private let rescues = Mutex<[@Sendable () -> Void]>([])

    init(_ report: TrialReport, patience: Duration) {
        self.report = report
        self.patience = patience
    }

    /// An error like no other.
    func makeError() -> SourceError { SourceError(token: self.lifetimes.token("the source's error")) }

    /// Does something on the source's thread, and waits until it is done.
    func onSourceThread(_ body: @escaping @Sendable () -> Void) async {
        self.sourceThread.perform(body)
        if await !self.sourceThread.idle(patience: self.patience) {
            self.report.violation(of: .noBlocking, "the source's thread was blocked by a call into the bridge")
        }
    }

    /// Waits until the bridge has given its thread back.
    func suspended() async {
        guard await !self.thread.idle(patience: self.patience) else { return }
        self.report.violation(
            of: .noBlocking,
            "expected the caller's thread to be free during the wait, but it was blocked"
        )
    }

    /// Says what sets free what a wrong bridge has locked up.
    func onRescue(_ body: @escaping @Sendable () -> Void) { self.rescues.withLock { $0.append(body) } }

    func rescue() { for rescue in self.rescues.withLock({ $0 }) { rescue() } }

    /// Ends the run: nothing may be left over.
    ///
    /// - Parameter hangs: Whether a task hangs: it keeps what it has, and may yet need its thread.
    func finish(hangs: Bool) async {
        self.sourceThread.stop()
        guard !hangs else { return }
        if await !self.lifetimes.allReleased(patience: self.patience) {
            let leaked = Set(self.lifetimes.aliveLabels).sorted().joined(separator: ", ")
            self.report.violation(of: .teardown, "expected everything to be released after the end, but not: \(leaked)")
        }
        self.thread.stop()
    }
}

/// A place where two threads wait for each other, so that they go on at the same time.
final class Rendezvous: Sendable {
    private let arrived = Monitor(0)

    func meet() {
        self.arrived.update { $0 += 1 }
        self.arrived.wait { $0 >= 2 ? () : nil }
    }
}
