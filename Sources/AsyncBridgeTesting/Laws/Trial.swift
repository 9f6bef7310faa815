// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// What every run of a scenario has: threads, lifetimes, a report.
final class Stage: Sendable {
    let report: TrialReport
    let lifetimes = LifetimeTracker()

    /// The thread on which the bridge is used.
    let thread = WorkerThread()

    /// A thread of the source.
    let sourceThread = WorkerThread()

    private let rescues = Mutex<[@Sendable () -> Void]>([])
    private let fullPatience: Duration
    private let isOutOfPatience = Atomic(false)

    init(_ report: TrialReport, patience: Duration) {
        self.report = report
        self.fullPatience = patience
    }

    /// Waits until something is as wanted, as long as there is patience.
    ///
    /// Patience is lost only once: a bridge on which a hundred calls wait hangs a hundredfold.
    ///
    /// - Returns: Whether it came to be so.
    func wait<State>(
        for watched: Watched<State>,
        until isSatisfied: @escaping @Sendable (State) -> Bool
    ) async -> Bool {
        let isOut = self.isOutOfPatience.load(ordering: .relaxed)
        let patience = isOut ? .milliseconds(1) : self.fullPatience
        if await watched.wait(patience: patience, until: isSatisfied) { return true }
        self.isOutOfPatience.store(true, ordering: .relaxed)
        return false
    }

    /// An error like no other.
    func makeError() -> SourceError { SourceError(token: self.lifetimes.token("the source's error")) }

    /// Does something on the source's thread, and waits until it is done.
    func onSourceThread(_ body: @escaping @Sendable () -> Void) async {
        self.sourceThread.perform(body)
        if await !self.wait(for: self.sourceThread.tally, until: \.isIdle) {
            self.report.violation(of: .noBlocking, "the source's thread was blocked by a call into the bridge")
        }
    }

    /// Waits until the bridge has given its thread back.
    func suspended() async {
        guard await !self.wait(for: self.thread.tally, until: \.isIdle) else { return }
        self.report.violation(
            of: .noBlocking,
            "expected the caller's thread to be free during the wait, but it was blocked"
        )
    }

    /// Does something while the bridge's thread is busy, so that a task that is resumed meanwhile runs only afterwards.
    func whileThreadIsHeld(_ body: () async -> Void) async {
        let gate = Monitor(false)
        self.thread.perform { gate.pass() }
        await body()
        gate.open()
    }

    /// Says what sets free what a wrong bridge has locked up.
    func onRescue(_ body: @escaping @Sendable () -> Void) { self.rescues.withLock { $0.append(body) } }

    /// Sets free what is locked up, and waits with new patience for what comes of it.
    func rescue() {
        for rescue in self.rescues.withLock({ $0 }) { rescue() }
        self.isOutOfPatience.store(false, ordering: .relaxed)
    }

    /// Ends the run: nothing may be left over.
    ///
    /// - Parameter hangs: Whether a task hangs: it keeps what it has, and may yet need its thread.
    func finish(hangs: Bool) async {
        self.sourceThread.stop()
        guard !hangs else { return }
        if await !self.wait(for: self.lifetimes.state, until: \.alive.isEmpty) {
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
