// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// What every run of a scenario has: threads, lifetimes, a report.
package final class Stage: Sendable {
    package let report: TrialReport
    package let lifetimes = LifetimeTracker()

    /// The thread on which the bridge is used.
    package let thread = WorkerThread()

    /// A thread of the source.
    package let sourceThread = WorkerThread()

    /// What may never return.
    private let errands = Errands()

    private let rescues = Mutex<[@Sendable () -> Void]>([])
    private let fullPatience: Duration
    private let vainWaits: VainWaits
    private let isOutOfPatience = Atomic(false)
    private let inVain = Atomic(false)
    /// The threads on which calls begin that come to an actor then.
    private let callerThreads = Mutex<[WorkerThread]>([])
    private let time = LawTime()
    /// Whether new tasks were seen not to run, as far as that was looked at.
    private let poolIsBlocked = Mutex<Bool?>(nil)

    /// Whether there is time to do once more what was done.
    var hasTime: Bool { self.time.isLeft }

    /// Whether a wait has ended so far without what it waited for.
    var hasWaitedInVain: Bool { self.inVain.load(ordering: .relaxed) }

    package init(_ report: TrialReport, patience: Duration, _ vainWaits: VainWaits) {
        self.report = report
        self.fullPatience = patience
        self.vainWaits = vainWaits
    }

    /// Waits until the condition holds, or patience runs out.
    ///
    /// After one wait whose condition did not hold, later waits are short: a bridge on which a hundred calls wait would
    /// hang a hundredfold.
    ///
    /// - Parameters:
    ///   - watched: The state.
    ///   - kind: What is waited for, if that is the same in many scenarios.
    ///   - isSatisfied: Whether the state is as wanted.
    /// - Returns: Whether the condition held in time.
    package func wait<State>(
        for watched: Watched<State>,
        as kind: VainWaits.Kind? = nil,
        until isSatisfied: @escaping @Sendable (State) -> Bool
    ) async -> Bool {
        let isOut = self.isOutOfPatience.load(ordering: .relaxed)
        let full = kind.map { self.vainWaits.patience(self.fullPatience, for: $0) } ?? self.fullPatience
        let isThere =
            isOut
            ? await watched.wait(patience: .milliseconds(1), until: isSatisfied)
            : await watched.wait(idlePatience: full, until: isSatisfied)
        if isThere { return true }
        if !isOut { self.vainWaits.add(full) }
        if !isOut, let kind { self.vainWaits.add(kind) }
        self.inVain.store(true, ordering: .relaxed)
        self.isOutOfPatience.store(true, ordering: .relaxed)
        return false
    }

    /// Waits until a condition over several states holds, or patience runs out.
    ///
    /// Looks again and again, since nothing tells when to.
    func wait(until isSatisfied: () -> Bool) async -> Bool {
        let isOut = self.isOutOfPatience.load(ordering: .relaxed)
        let patience = isOut ? .milliseconds(1) : self.fullPatience
        let isThere =
            isOut
            ? await Self.poll(patience, isSatisfied)
            : await MachinePace.wait(patience: patience) { await Self.poll(patience, isSatisfied) }
        if isThere { return true }
        self.vainWaits.add(patience)
        self.inVain.store(true, ordering: .relaxed)
        self.isOutOfPatience.store(true, ordering: .relaxed)
        return false
    }

    private static func poll(_ patience: Duration, _ isSatisfied: () -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + patience
        while !isSatisfied() {
            if ContinuousClock.now > deadline { return false }
            _ = await Watched(false).wait(patience: .milliseconds(1)) { $0 }
        }
        return true
    }

    /// Reports what did not come although it was waited for, and which call blocks a thread, if one does.
    ///
    /// Then that is the law that is broken, and what did not come is its consequence.
    ///
    /// - Parameters:
    ///   - law: The law that is broken if no thread is blocked.
    ///   - explanation: What was expected and what was seen.
    ///   - advice: What to do about that law, if more can be said than the law's own advice.
    ///   - place: Where the bridge is, if it blocks its caller's thread; `nil` if it has not been there.
    func reportHang(of law: Law, _ explanation: String, advice: String? = nil, _ place: () -> String?) async {
        // A lock has been seen to be the reason.
        if law == .noLocks { return self.report.violation(of: law, explanation) }
        if !self.thread.tally.value.isIdle {
            let isBlocked = place().map { "the bridge blocks its caller's thread, \($0)" }
            self.report.violation(
                of: isBlocked == nil ? law : .noBlocking,
                explanation + (isBlocked.map { ": \($0)" } ?? ""),
                advice: isBlocked == nil ? advice : nil
            )
        } else if await self.isPoolBlocked() {
            self.report.violation(of: .noBlocking, "\(explanation): \(SwiftPool.isBlockedText)")
        } else {
            self.report.violation(of: law, explanation, advice: advice)
        }
    }

    /// Looks once whether new tasks run: a hundred calls may wait for that.
    private func isPoolBlocked() async -> Bool {
        if let known = self.poolIsBlocked.withLock({ $0 }) { return known }
        let isBlocked = await SwiftPool.isBlocked()
        self.poolIsBlocked.withLock { $0 = isBlocked }
        return isBlocked
    }

    /// Notes that a call has not come back, with all the patience there is.
    package func noteHang() {
        self.vainWaits.addHang()
        self.inVain.store(true, ordering: .relaxed)
    }

    /// A unique error.
    package func makeError() -> SourceError { SourceError(token: self.lifetimes.token("the source's error")) }

    /// Does something on the source's thread, and waits until it is done.
    package func onSourceThread(_ body: @escaping @Sendable () -> Void) async {
        self.sourceThread.perform(body)
        if await !self.wait(for: self.sourceThread.tally, until: \.isIdle) {
            self.report.violation(
                of: .noBlocking,
                "expected the bridge's handler, or its release, to return, but it blocks the source's thread"
            )
        }
    }

    /// Begins something that may never return, on its own thread.
    ///
    /// - Parameters:
    ///   - stackSize: The size of the thread's stack in bytes; `nil` is the system's.
    ///   - body: What to do.
    package func begin(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
        self.errands.begin(stackSize: stackSize, body)
    }

    /// Does something that may never return, on its own thread, and waits until it is done.
    ///
    /// - Returns: Whether it returned, as long as there was patience.
    package func attempt(_ body: @escaping @Sendable () -> Void) async -> Bool {
        let isDone = Watched(false)
        self.errands.begin(body, isDone: isDone)
        // In full, even if patience was lost before: a call that returns must not be reported as stuck.
        if await isDone.wait(idlePatience: self.fullPatience, until: { $0 }) { return true }
        self.vainWaits.add(self.fullPatience)
        self.inVain.store(true, ordering: .relaxed)
        return false
    }

    /// Cancels a task, on its own thread.
    ///
    /// - Parameters:
    ///   - body: Cancels the task.
    ///   - isInside: Whether a handler of the bridge's that the source calls in `cancel()` has not returned.
    /// - Returns: Whether the cancellation came back. If not, that is reported.
    func cancel(_ body: @escaping @Sendable () -> Void, isInside: () -> Bool) async -> Bool {
        if await self.attempt(body) { return true }
        if isInside() {
            self.report.violation(
                of: .noLocks,
                "expected task.cancel() to return, but it hangs: the bridge called the source's cancel(), that called "
                    + "the bridge's handler, and the handler waits for a lock that the bridge holds meanwhile",
                advice: "take the handle out under the lock, release the lock, and only then call the source's cancel()"
            )
        } else {
            self.report.violation(
                of: .noBlocking,
                "expected task.cancel() to return, but it hangs: on cancellation the bridge waits, for its source or "
                    + "for a lock, and blocks the thread that cancels",
                advice: "do not wait in the cancellation handler: tell the source to stop, or wake the task, and "
                    + "return; let the task await what must be awaited"
            )
        }
        return false
    }

    /// Waits until the bridge has given its thread back.
    ///
    /// - Parameter place: Where the bridge is, if it has not; `nil` if it has not been there.
    func suspended(_ place: () -> String?) async {
        guard await !self.wait(for: self.thread.tally, until: \.isIdle) else { return }
        self.report.violation(
            of: .noBlocking,
            "expected the caller's thread to be free during the wait, but "
                + (place().map { "the bridge blocks it, \($0)" } ?? "it was blocked")
        )
    }

    /// A thread for the task of a call that comes to its actor from there, and stops the thread at its end.
    func makeCallerThread() -> WorkerThread {
        let thread = WorkerThread()
        self.callerThreads.withLock { $0.append(thread) }
        return thread
    }

    /// Blocks the calling thread, which is a source's, until the condition holds, or half the patience runs out.
    ///
    /// Half, so that a wait for that thread has patience left.
    package func block(until isSatisfied: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + self.fullPatience / 2
        while !isSatisfied() {
            if ContinuousClock.now > deadline {
                self.inVain.store(true, ordering: .relaxed)
                return false
            }
            yieldThread()
        }
        return true
    }

    /// Does something that makes the bridge's task go on, while its thread is busy.
    ///
    /// - Parameters:
    ///   - body: Makes the task go on.
    ///   - then: What to do when it is about to.
    /// - Returns: Whether the task came to its thread.
    func whileThreadIsHeld(_ body: @escaping @Sendable () -> Void, then: () async -> Void) async -> Bool {
        var hasCome = false
        await self.whileThreadIsHeld {
            let before = self.thread.tally.value.arrived
            await self.onSourceThread(body)
            hasCome = await self.wait(for: self.thread.tally) { $0.arrived > before }
            await then()
        }
        return hasCome
    }

    /// Does something while the bridge's thread is busy, so that a task that is resumed meanwhile runs only afterwards.
    func whileThreadIsHeld(_ body: () async -> Void) async {
        let gate = Monitor(false)
        self.thread.perform { gate.pass() }
        await body()
        gate.open()
    }

    /// Says what sets free what a wrong bridge has locked up.
    package func onRescue(_ body: @escaping @Sendable () -> Void) { self.rescues.withLock { $0.append(body) } }

    /// Sets free what is locked up, and waits with new patience for what comes of it.
    package func rescue() {
        for rescue in self.rescues.withLock({ $0 }) { rescue() }
        self.isOutOfPatience.store(false, ordering: .relaxed)
    }

    /// Ends the run: nothing may be left over.
    ///
    /// - Parameter hangs: Whether a task hangs: it keeps what it has, and may yet need its thread.
    package func finish(hangs: Bool) async {
        self.sourceThread.stop()
        await self.reportLostThreads()
        guard !hangs else { return }
        if await !self.wait(for: self.lifetimes.state, as: .release, until: \.alive.isEmpty) {
            let leaked = Set(self.lifetimes.aliveLabels).sorted()
            // On a busy machine the last may have gone since: then nothing is left over.
            if !leaked.isEmpty {
                self.report.violation(
                    of: .teardown,
                    "expected everything to be released after the end, but not: \(leaked.joined(separator: ", "))",
                    advice: "look for what holds it when a call or a loop is over: a property or a table that is not "
                        + "cleared, a closure that captures it and is kept, a task that does not end"
                )
            }
        }
        self.thread.stop()
    }

    /// Says how many threads are blocked for good.
    private func reportLostThreads() async {
        // Patience that ran out for an answer says nothing of the threads, which need a moment on a busy machine.
        let isAccused = self.report.violations.contains { $0.law == .noBlocking }
        if !isAccused { self.isOutOfPatience.store(false, ordering: .relaxed) }
        let outstanding = self.errands.outstanding
        var lost = await self.wait(for: outstanding, as: .threads) { $0 == 0 } ? 0 : outstanding.value
        let threads = [self.thread, self.sourceThread] + self.callerThreads.withLock { $0 }
        for thread in threads where await !self.wait(for: thread.tally, as: .threads, until: \.isIdle) { lost += 1 }
        guard lost > 0 else { return }
        let total = LostThreads.add(lost)
        self.report.violation(
            of: .noBlocking,
            "expected every thread to come back from the bridge, but \(lost) of this scenario did not and are leaked "
                + "(\(total) in this process so far)"
        )
    }
}
