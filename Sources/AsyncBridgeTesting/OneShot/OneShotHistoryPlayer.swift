// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Plays a history on a bridge, one event at a time, and compares with the model after each.
struct OneShotHistoryPlayer {
    typealias History = OneShotHistory

    private let trial: OneShotTrial
    private var model: OneShotModel
    private var calls: [Int: OneShotCall] = [:]
    /// The errors with which the sources have failed, by their numbers.
    private var errors: [Int: SourceError] = [:]

    private init(_ trial: OneShotTrial) {
        self.trial = trial
        self.model = OneShotModel(trial.promises)
    }

    /// Plays up to the first violation.
    static func play(_ history: History, _ trial: OneShotTrial) async -> HistoryFinding<History>? {
        var player = Self(trial)
        for event in history.events {
            player.model.apply(event)
            await player.perform(event)
            guard trial.report.violations.isEmpty else { break }
            for number in player.calls.keys.sorted() { await player.compare(number) }
            guard trial.report.violations.isEmpty else { break }
        }
        // What comes after a violation may be its consequence.
        var isTimed = trial.report.violations.isEmpty ? nil : trial.stage.hasWaitedInVain
        player.announceNumbers()
        // Whether the bridge keeps them is seen at the end.
        player.errors = [:]
        await trial.finish()
        isTimed = isTimed ?? trial.stage.hasWaitedInVain
        return trial.report.violations.first.map {
            HistoryFinding(violation: $0, history: history, steps: history.steps, isTimed: isTimed == true)
        }
    }

    // MARK: Acting

    private mutating func perform(_ event: History.Event) async {
        if case .begin(let number, let course) = event { return await self.begin(number, course) }
        guard let call = self.calls[event.call] else { return }
        let source = call.source
        switch event {
        case .begin: break
        case .answer(_, let number): await self.trial.stage.onSourceThread { source.answer(.success(number)) }
        case .fail(_, let number):
            let error = self.error(number)
            await self.trial.stage.onSourceThread { source.answer(.failure(error)) }
        case .drop: await self.trial.stage.onSourceThread { source.forget() }
        case .cancel: await self.trial.cancel(call)
        case .answerAndCancel(_, let number, let order):
            await self.answer(call, number, order, race: { call.cancel() }, or: { await self.trial.cancel(call) })
        case .timeOut: await self.trial.timeOut(call)
        case .answerAndTimeOut(_, let number, let order):
            await self.trial.timeOut(call) { advance in
                await self.answer(call, number, order, race: advance, or: { advance() })
            }
        case .cancelAndTimeOut:
            await self.trial.timeOut(call) { advance in
                await self.race({ call.cancel() }, advance)
            }
        }
    }

    private mutating func begin(_ number: Int, _ course: History.Course) async {
        let startEvents = course.inStart.map { self.action($0) }
        let cancelEvent = course.inCancel.map { self.action($0) }
        var refusal: SourceError?
        if case .refuse(let number)? = course.inStart.last { refusal = self.error(number) }
        let call = self.trial.call(isCancelled: course.isCancelled) { source, call in
            if !startEvents.isEmpty { source.onStart { source in for event in startEvents { event(source, call) } } }
            if let cancelEvent { source.onCancel(cancelEvent) }
            if let refusal { source.refuse(refusal) }
        }
        self.calls[number] = call
        if self.model.calls[number]?.isStarted == true { await self.trial.suspended(call) }
    }

    private mutating func action(
        _ event: History.StartEvent
    ) -> @Sendable (OneShotSourceCore, OneShotCall) -> Void {
        switch event {
        case .answer(let number): return { source, _ in source.answer(.success(number)) }
        case .answerOnOtherThread(let number):
            let trial = self.trial
            return { source, _ in Self.answerOnOtherThread(number, source, trial) }
        case .fail(let number):
            let error = self.error(number)
            return { source, _ in source.answer(.failure(error)) }
        case .drop: return { source, _ in source.forget() }
        case .cancel: return { _, call in call.cancel() }
        case .refuse: return { _, _ in }
        }
    }

    private mutating func action(_ event: History.CancelEvent) -> @Sendable (OneShotSourceCore) -> Void {
        switch event {
        case .answer(let number): return { $0.answer(.success(number)) }
        case .fail(let number):
            let error = self.error(number)
            return { $0.answer(.failure(error)) }
        case .drop: return { $0.forget() }
        }
    }

    /// Called inside `start`: blocks until the bridge's handler has returned on another thread.
    private static func answerOnOtherThread(_ number: Int, _ source: OneShotSourceCore, _ trial: OneShotTrial) {
        let isThrough = Watched(false)
        trial.stage.begin {
            source.answer(.success(number))
            isThrough.update { $0 = true }
        }
        if trial.stage.block(until: { isThrough.value }) { return }
        trial.report.violation(
            of: .noLocks,
            "expected the completion handler to return on another thread while start runs, but it hangs: the bridge "
                + "calls start under a lock that its handler takes",
            advice: "start the work without a lock: take the lock afterwards, to store the handle"
        )
    }

    /// Answers a call, and interrupts it before it goes on: for a race by the first closure, on a thread of its own.
    private func answer(
        _ call: OneShotCall,
        _ number: Int,
        _ order: History.Order,
        race racing: @escaping @Sendable () -> Void,
        or interrupting: () async -> Void
    ) async {
        let stage = self.trial.stage
        switch order {
        case .answerFirst:
            await stage.whileThreadIsHeld {
                await stage.onSourceThread { call.source.answer(.success(number)) }
                await interrupting()
            }
        case .cancelFirst:
            await stage.whileThreadIsHeld {
                await interrupting()
                await stage.onSourceThread { call.source.answer(.success(number)) }
            }
        case .race: await self.race(racing) { call.source.answer(.success(number)) }
        }
    }

    /// Does one thing on a thread of its own, and another at the same time on the source's.
    private func race(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void) async {
        let start = Rendezvous()
        self.trial.stage.begin {
            start.meet()
            first()
        }
        await self.trial.stage.onSourceThread {
            start.meet()
            second()
        }
    }

    private mutating func error(_ number: Int) -> SourceError {
        if let error = self.errors[number] { return error }
        let error = self.trial.stage.makeError()
        self.errors[number] = error
        return error
    }

    // MARK: Comparing

    private mutating func compare(_ number: Int) async {
        guard let call = self.calls[number], let wanted = self.model.calls[number] else { return }
        if wanted.waits {
            if let outcome = call.state.value.outcome {
                self.trial.report.violation(
                    of: self.law(of: self.ending(outcome), number) ?? .neverLost,
                    "expected call \(number) to wait, saw it end with \(self.text(self.ending(outcome)))",
                    advice: self.advice(about: outcome, number, wanted.endings)
                )
            }
        } else {
            await self.compareEnding(number, call, wanted.endings)
        }
        guard self.trial.report.violations.isEmpty else { return }
        await self.compareCancels(number, call, wanted.cancels)
        self.compareTakenBack(number, call)
        if wanted.isStarted { self.trial.expectOwnLocals(of: call, " of call \(number)") }
        if !wanted.waits, wanted.isStarted { await self.trial.expectNoTimer(of: call, "call \(number)") }
    }

    private mutating func compareEnding(_ number: Int, _ call: OneShotCall, _ wanted: Set<OneShotModel.Ending>) async {
        let text = wanted.map { self.text($0) }.sorted().joined(separator: " or ")
        guard await self.trial.stage.wait(for: call.state, until: { $0.isOver }) else {
            return await self.trial.stage.reportHang(
                of: wanted == [.cancelled] ? .cancellation : .neverLost,
                "expected call \(number) to end with \(text), but it did not return"
            ) { self.trial.place(of: call) }
        }
        guard let outcome = call.state.value.outcome else { return }
        let ending = self.ending(outcome)
        if wanted.contains(ending) { return self.model.adopt(ending, by: number) }
        let seen = "expected call \(number) to end with \(text), saw \(self.text(ending))"
        if self.trial.reportInvented(outcome, seen) { return }
        let law: Law =
            switch wanted.first {
            case .cancelled?: .cancellation
            case .error?: .errors
            case .fault?: .neverLost
            case .value?, nil: ending == .cancelled || ending == .fault ? .neverLost : .once
            }
        self.trial.report.violation(
            of: self.law(of: ending, number) ?? law,
            seen,
            advice: self.advice(about: outcome, number, wanted)
        )
    }

    private func compareCancels(_ number: Int, _ call: OneShotCall, _ wanted: ClosedRange<Int>) async {
        let lowest = wanted.lowerBound
        // The task that goes on may be the one that stops the source.
        if lowest > 0 { _ = await self.trial.stage.wait(for: call.source.record) { $0.cancels >= lowest } }
        let record = call.source.record.value
        record.reportCancels(within: wanted, of: " of call \(number)", self.trial.promises, to: self.trial.report)
    }

    /// What has been handed back so far: the rest may come as late as when the bridge is released.
    private func compareTakenBack(_ number: Int, _ call: OneShotCall) {
        guard self.trial.promises.handsBackLateValues else { return }
        guard let state = self.model.calls[number], !state.waits else { return }
        let record = call.source.record.value
        record.reportTakenBack(state.undelivered, of: " of call \(number)", isOver: false, to: self.trial.report)
    }

    /// The numbers that are compared at the end, when what could change them is gone.
    private func announceNumbers() {
        for (number, call) in self.calls {
            guard let state = self.model.calls[number] else { continue }
            let starts = state.isStarted ? 1...1 : 0...0
            let late = state.waits ? nil : state.undelivered
            self.trial.expect(starts: starts, cancels: state.cancels, takenBack: late, of: call)
        }
    }

    private func ending(_ outcome: Outcome) -> OneShotModel.Ending {
        switch outcome {
        case .value(let number): return .value(number)
        case .failure(let error as SourceError):
            return self.errors.first { $0.value == error }.map { .error($0.key) } ?? .fault
        case .failure(is CancellationError): return .cancelled
        case .failure: return .fault
        }
    }

    /// The law that is broken if the answer is another call's.
    private func law(of ending: OneShotModel.Ending, _ call: Int) -> Law? {
        switch ending {
        case .value(let number), .error(let number): number / 100 == call ? nil : .once
        case .cancelled, .fault: nil
        }
    }

    private func advice(about outcome: Outcome, _ call: Int, _ wanted: Set<OneShotModel.Ending>) -> String? {
        if self.law(of: self.ending(outcome), call) == .once { return OneShotLaws.keepCallsApart }
        guard case .failure(is CancellationError) = outcome else { return nil }
        if wanted.contains(.fault) {
            return "end a call whose handler is dropped, or whose time is up, with an error of the bridge, not with "
                + "CancellationError, which says that the task was cancelled"
        }
        return self.trial.adviceWhenCancelled
    }

    private func text(_ ending: OneShotModel.Ending) -> String {
        switch ending {
        case .value(let number): "the value \(number)"
        case .error(let number): "error \(number)"
        case .cancelled: "CancellationError"
        case .fault: "an error of the bridge"
        }
    }
}
