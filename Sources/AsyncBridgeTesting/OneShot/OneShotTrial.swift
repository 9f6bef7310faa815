// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// One run of one scenario: the bridge, the threads, the calls, and what was seen of them.
final class OneShotTrial: LawTrial {
    struct Expected: Sendable {
        let call: OneShotCall
        var starts: ClosedRange<Int> = 1...1
        var cancels: ClosedRange<Int> = 0...0
        var takenBack: [Int]?
    }

    typealias Promises = OneShotPromises

    let promises: OneShotPromises
    let stage: Stage

    var report: TrialReport { self.stage.report }

    private let bridge: OneShotCall.Bridge
    private let expected = Mutex<[Expected]>([])
    /// The calls whose cancellation hangs.
    ///
    /// What else they do is a consequence.
    private let stuck = Mutex<[ObjectIdentifier]>([])

    init(
        _ bridge: @escaping OneShotCall.Bridge,
        _ promises: OneShotPromises,
        _ vainWaits: VainWaits,
        _ report: TrialReport
    ) {
        self.bridge = bridge
        self.promises = promises
        self.stage = Stage(report, patience: promises.patience, vainWaits)
    }

    // MARK: Acting

    /// Calls the bridge.
    ///
    /// - Parameters:
    ///   - isCancelled: Whether the task is cancelled before it runs.
    ///   - steps: After how many of its jobs on the caller's thread the task is cancelled; `nil` if it is not.
    ///   - script: Says what the source does.
    /// - Returns: The call, which runs in its own task.
    func call(
        isCancelled: Bool = false,
        cancelledAfter steps: Int? = nil,
        _ script: (_ source: OneShotSourceCore, _ call: OneShotCall) -> Void = { _, _ in }
    ) -> OneShotCall {
        let call = self.makeCall(script)
        call.begin(self.bridge, on: self.stage.thread, isCancelled: isCancelled, cancelledAfter: steps)
        return call
    }

    /// Calls the bridge on a thread that no other call has.
    func callOnOtherThread(
        _ script: (_ source: OneShotSourceCore, _ call: OneShotCall) -> Void
    ) -> OneShotCall {
        let call = self.makeCall(script)
        call.begin(self.bridge, on: self.stage.makeCallerThread())
        return call
    }

    /// Calls the bridge from an actor.
    func callFromActor(
        prepare: @escaping @Sendable () -> Void = {},
        _ script: (_ source: OneShotSourceCore, _ call: OneShotCall) -> Void = { _, _ in }
    ) -> OneShotCall {
        let (call, caller) = (self.makeCall(script), CallingActor(self.stage.thread.executor))
        call.begin(self.bridge, on: caller, from: self.stage.makeCallerThread(), prepare)
        return call
    }

    private func makeCall(_ script: (_ source: OneShotSourceCore, _ call: OneShotCall) -> Void) -> OneShotCall {
        let call = OneShotCall(self.stage.lifetimes)
        self.expected.withLock { $0.append(Expected(call: call)) }
        script(call.source, call)
        return call
    }

    /// Cancels the task of a call, and reports it if that hangs.
    func cancel(_ call: OneShotCall) async {
        let returned = await self.stage.cancel({ call.cancel() }) { call.source.progress.hangsInsideCancel }
        if !returned { self.stuck.withLock { $0.append(ObjectIdentifier(call)) } }
    }

    /// Lets the time of a call pass, all but a millisecond, and expects it to wait.
    ///
    /// - Returns: What is left; `nil` if it has not waited.
    func letAlmostAllTimePass(_ call: OneShotCall) async -> Duration? {
        let (clock, last) = (call.source.clock, Duration.milliseconds(1))
        guard let timeout = self.promises.timeout, timeout > last,
            await self.stage.wait(for: clock.state, until: { !$0.sleepers.isEmpty })
        else { return self.promises.timeout }
        clock.advance(by: timeout - last)
        // A timer of several steps sleeps again.
        _ = await self.stage.wait { !clock.state.value.sleepers.isEmpty || call.state.value.isOver }
        guard let outcome = call.state.value.outcome else { return last }
        self.report.violation(
            of: .cancellation,
            "expected the call to wait for \(timeout) of source.clock, but \(timeout - last) after its start it ended "
                + "with \(outcome)",
            advice: "wait as long as `timeout` promises, or promise the time that the bridge waits"
        )
        return nil
    }

    /// Lets the time of a call run out, by a closure that gets what moves the time of its clock.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - time: How much time passes; defaults to all that it has.
    ///   - advance: Gets what lets it pass.
    func timeOut(
        _ call: OneShotCall,
        after time: Duration? = nil,
        _ advance: (@escaping @Sendable () -> Void) async -> Void = { $0() }
    ) async {
        guard let timeout = time ?? self.promises.timeout else { return }
        // A timer that begins later would count from then.
        if !call.state.value.isOver,
            await !self.stage.wait(for: call.source.clock.state, until: { !$0.sleepers.isEmpty })
        {
            return self.report.violation(
                of: .cancellation,
                "expected the call to measure its time by source.clock, but nothing sleeps there (any more)",
                advice: "measure the time of each call by the clock of its source, as "
                    + "withCallback(timeout: .after(…, on: source.clock)) does; and stop no timer of a waiting call"
            )
        }
        await advance { call.source.clock.advance(by: timeout) }
    }

    /// Looks whether a call that has ended has stopped its timer.
    func expectNoTimer(of call: OneShotCall, _ name: String = "the call") async {
        guard self.promises.timeout != nil else { return }
        if await self.stage.wait(for: call.source.clock.state, until: { $0.sleepers.isEmpty }) { return }
        self.report.violation(
            of: .teardown,
            "expected the timer of \(name) to be stopped at its end, but it still sleeps",
            advice: "stop the timer wherever the call ends: with its answer, its error, its cancellation"
        )
    }

    // MARK: Waiting

    /// Waits until the work is started.
    func started(_ call: OneShotCall) async {
        let started = await self.stage.wait(for: call.source.record) { $0.starts > 0 }
        guard !started else { return }
        await self.stage.reportHang(
            of: .neverLost,
            "expected the work to be started, but "
                + (call.state.value.outcome.map { "the call ended with \($0) before that" } ?? "it was not"),
            advice: "start the work of each call, also while other calls wait and after some have failed; if calls "
                + "wait for each other, do not promise takesOverlappingCalls"
        ) { self.place(of: call) }
    }

    /// Waits until the work is started and the bridge has given its thread back.
    func suspended(_ call: OneShotCall) async {
        await self.started(call)
        await self.stage.suspended { self.place(of: call) }
    }

    /// Where the bridge is if it blocks the thread on which its calls begin.
    func place(of call: OneShotCall) -> String? {
        let others = self.expected.withLock { $0 }.map(\.call).filter { $0 !== call && $0.place != nil }
        return call.place ?? (others.isEmpty ? nil : "in another call")
    }

    // MARK: Expecting

    /// Waits for the end of a call and compares.
    func expect(_ expectation: Expectation, of call: OneShotCall, hang law: @autoclosure () -> Law = .neverLost) async {
        if self.stuck.withLock({ $0.contains(ObjectIdentifier(call)) }) { return }
        guard await self.stage.wait(for: call.state, until: { $0.isOver }) else {
            return await self.stage.reportHang(of: law(), "expected \(expectation), but the call did not return") {
                self.place(of: call)
            }
        }
        guard let outcome = call.state.value.outcome, !expectation.isMet(by: outcome) else { return }
        let text = "expected \(expectation), saw \(expectation.text(insteadOf: outcome))"
        if self.reportInvented(outcome, text) { return }
        // What a scenario says of locks, threads or places is no help if its call ends in another way.
        let law: Law? =
            switch self.report.law {
            case .noLocks, .noBlocking, .isolation: expectation.law(insteadOf: outcome)
            case .once, .neverLost, .cancellation, .errors, .backPressure, .order, .teardown: nil
            }
        let isFault = if case .fault = expectation { true } else { false }
        let advice = self.report.law == .cancellation && !isFault ? self.adviceWhenCancelled : nil
        self.report.violation(of: law, text, advice: advice)
    }

    /// Reports a value that no source has sent.
    ///
    /// - Returns: Whether it is one.
    func reportInvented(_ outcome: Outcome, _ text: @autoclosure () -> String) -> Bool {
        guard case .value(let value) = outcome else { return false }
        if self.expected.withLock({ $0 }).contains(where: { $0.call.source.hasSent(value) }) { return false }
        self.report.violation(
            of: .errors,
            "\(text()), which no source has sent",
            advice: "give the caller the value that the source sent, as it is: no default, and nothing made of it"
        )
        return true
    }

    /// What to do about a cancelled call that ends in another way, if it promises to wait for its source.
    var adviceWhenCancelled: String? {
        switch self.promises.cancellation {
        case .prompt: return nil
        case .cooperative:
            return "when the task is cancelled, stop the source, then wait for its completion handler and end the call "
                + "with what it gets; or promise a prompt end, .prompt"
        case .ignored:
            return "when the task is cancelled, let the call wait for its completion handler; or promise .prompt or "
                + ".cooperative"
        }
    }

    /// Compares the task-local value where the work was started with that of the call.
    func expectOwnLocals(of call: OneShotCall, _ name: String = "") {
        guard self.promises.startsOnCaller else { return }
        let marks = call.source.record.value.start.locals
        guard let seen = marks.first(where: { $0 != call.ownMark }) else { return }
        let isOthers = seen > OneShotCall.mark
        self.report.violation(
            of: .isolation,
            "expected the caller's task-local value \(call.ownMark) in start\(name), saw \(seen)"
                + (isOthers ? ", that of another call" : ""),
            advice: isOthers
                ? "start the work in the task of each call: a task that serves several calls, such as a worker that is "
                    + "begun by the first one, keeps the task-local values of that"
                : nil
        )
    }

    /// Says how often the work must have been started and cancelled at the end.
    ///
    /// Without it: once and never.
    func expect(
        starts: ClosedRange<Int> = 1...1,
        cancels: ClosedRange<Int> = 0...0,
        takenBack: [Int]? = nil,
        of call: OneShotCall
    ) {
        self.expected.withLock { all in
            guard let index = all.firstIndex(where: { $0.call === call }) else { return }
            all[index].starts = starts
            all[index].cancels = cancels
            all[index].takenBack = takenBack
        }
    }

    // MARK: Ending

    /// Ends the run: nothing may be left over, and the numbers must be right.
    func finish() async {
        self.stage.rescue()
        let all = self.expected.withLock { $0 }
        let hanging = all.map(\.call).filter { !$0.state.value.isOver }
        for call in hanging { self.stage.begin { call.source.answerIfNoneWasGiven(.success(.min)) } }
        for call in hanging { _ = await self.isOver(call) }
        for call in hanging where !call.state.value.isOver {
            self.mayStop(call)
            self.stage.begin { call.cancel() }
        }
        var isOver: [Bool] = []
        for expected in all { isOver.append(await self.isOver(expected.call)) }
        let calls = Array(zip(all.map(\.call), isOver))
        // What this releases is the bridge's, which may do anything then.
        _ = await self.stage.attempt {
            for (call, isOver) in calls { if isOver { call.clear() } else { call.source.clear() } }
        }
        let hangs = isOver.contains(false)
        await self.stage.finish(hangs: hangs)
        // What could cancel is gone: the numbers will not change any more.
        for expected in self.expected.withLock({ $0 }) { self.check(expected) }
    }

    /// Allows a bridge to stop the source of a call that this run cancels.
    private func mayStop(_ call: OneShotCall) {
        self.expected.withLock { all in
            guard let index = all.firstIndex(where: { $0.call === call }) else { return }
            all[index].cancels = all[index].cancels.lowerBound...max(1, all[index].cancels.upperBound)
        }
    }

    private func isOver(_ call: OneShotCall) async -> Bool {
        await self.stage.wait(for: call.state) { $0.isOver }
    }

    private func check(_ expected: Expected) {
        let record = expected.call.source.record.value
        // A call that hangs before its start has been reported.
        if !expected.call.state.value.isOver, record.starts == 0 { return }
        record.reportStarts(within: expected.starts, to: self.report)
        record.reportCancels(within: expected.cancels, self.promises, to: self.report)
        if self.promises.handsBackLateValues, let wanted = expected.takenBack {
            record.reportTakenBack(wanted, isOver: true, to: self.report)
        }
    }
}
