// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

// Law 7 for sources that can pause and for buffers that drop.

extension SequenceLaws {
    static let backPressure: [Scenario<SequenceTrial>] = [
        Scenario("the source can pause, and the consumer is slow", .backPressure, if: { $0.pauses }) { trial in
            let consumer = await Self.fill(trial)
            await trial.stage.onSourceThread { consumer.source.sendNext() }
            consumer.state.update { $0.permits = .max }
            if await !trial.stage.wait(for: consumer.source.record, until: { !$0.isPaused }) {
                trial.report.violation(
                    "expected the paused source to be asked to go on, but it was not",
                    advice: "call resume() when the buffer has been emptied far enough"
                )
            }
            await Self.complete(consumer, trial)
        },
        Scenario(
            "the consumer empties the buffer while pause() runs",
            .backPressure,
            advice: "let one thread at a time call pause() and resume(): after each call it looks again at what the "
                + "buffer wants (CallbackSequence's onBackPressure does)",
            if: { $0.pauses }
        ) { trial in
            // What a bridge does right when it pauses first may be wrong later.
            for cycles in 0...1 where trial.report.violations.isEmpty && trial.stage.hasTime {
                await Self.emptyInPause(after: cycles, trial)
            }
        },
        Scenario(
            "resume() waits for the thread that is sending",
            .noLocks,
            advice: "decide under the lock, release the lock, then call resume()",
            if: { $0.pauses }
        ) { trial in
            for cycles in 0...1 where trial.report.violations.isEmpty && trial.stage.hasTime {
                await Self.sendInResume(after: cycles, trial)
            }
        },
        // Found: a bridge that had nothing yet to pause with, and did not look again.
        Scenario(
            "the source fills the buffer inside start",
            .backPressure,
            advice: "when start has returned, look at the buffer: if it is full, pause the source",
            if: { $0.pauses }
        ) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd, permits: 1) { source, _ in
                source.onStart { source in for _ in 1...1000 where !source.record.value.isPaused { source.sendNext() } }
            }
            await trial.arrived(1, at: consumer)
            // A consumer that has taken what there was may have let it go on since.
            guard await trial.stage.wait(for: consumer.source.record, until: { $0.isPaused || $0.pauses > 0 }) else {
                return trial.report.violation(
                    "expected the source to be asked to pause, but it was not: it had sent "
                        + "\(consumer.source.record.value.sent.count) elements inside start"
                )
            }
            await Self.complete(consumer, trial)
        },
        // Found: a consumer that resumes its source when the buffer is empty, and then waits without another look.
        Scenario(
            "the source sends inside resume()",
            .neverLost,
            advice: "after resume() look at the buffer again, and only then wait",
            if: { $0.pauses }
        ) { trial in
            let isArmed = Atomic(true)
            let hasSent = Watched(false)
            let consumer = await Self.fill(trial) { consumer in
                consumer.source.onResume { source in
                    guard isArmed.exchange(false, ordering: .relaxed) else { return }
                    source.sendNext()
                    hasSent.update { $0 = true }
                }
            }
            consumer.state.update { $0.permits = .max }
            // If the source is not resumed, another scenario says so.
            guard await trial.stage.wait(for: hasSent, until: { $0 }) else { return }
            let count = consumer.source.record.value.sent.count
            if await !trial.stage.wait(for: consumer.state, until: { $0.elements.count >= count }) {
                trial.report.violation(
                    "expected the element that came inside resume() to arrive, but the consumer waits for another"
                )
            }
            await Self.complete(consumer, trial)
        },
        Self.endInside(pause: true),
        Self.endInside(pause: false),
        // Found: a stop that is left to the thread that pauses the source, which does not look again.
        Scenario("the consumer leaves while pause() runs", .teardown, if: { $0.pauses }) { trial in
            let isArmed = Atomic(true)
            let consumer = await Self.fill(trial, .breaking(after: 2), stops: .once) { consumer in
                consumer.source.onPause { _ in
                    guard isArmed.exchange(false, ordering: .relaxed) else { return }
                    consumer.state.update { $0.permits = .max }
                    // On its own thread the consumer can take nothing meanwhile.
                    if !trial.stage.thread.isCurrent { _ = trial.stage.block { consumer.state.value.hasLeft } }
                }
            }
            await Self.sendAtLeast(2, consumer, trial)
            consumer.state.update { $0.permits = .max }
            await trial.left(consumer)
        },
        // What is looked for is a resume() that comes after cancel(). That is checked at the end of the run.
        Scenario("the consumer leaves when the paused source may go on", .teardown, if: { $0.pauses }) { trial in
            let count = await Self.leave(after: 2, trial)
            // Which element makes the buffer low enough is not known: it leaves after each, or after some of many.
            for last in stride(from: count, to: 2, by: -max(1, count / 32))
            where trial.report.violations.isEmpty && trial.stage.hasTime { _ = await Self.leave(after: last, trial) }
        },
        // A bridge that resumes its source in `next()` has taken an element then, and has not returned it.
        Scenario(
            "the task is cancelled inside resume()",
            .backPressure,
            advice: "return the element that was taken: after it was taken, do not check for cancellation any more",
            if: { $0.pauses && $0.handsBackElements }
        ) { trial in
            let hasResumed = Watched(false)
            let consumer = await Self.fill(trial, stops: .once) { consumer in
                consumer.source.onResume { _ in
                    consumer.cancel()
                    hasResumed.update { $0 = true }
                }
            }
            consumer.state.update { $0.permits = .max }
            _ = await trial.stage.wait(for: hasResumed) { $0 }
            // If the source was not resumed, another scenario says so.
            await trial.cancel(consumer)
            // That each element was consumed or handed back is looked at in the end.
            await trial.expect(.cancellation, of: consumer, hang: .cancellation)
        },
        Scenario(
            "the source is faster than a buffer that drops",
            .backPressure,
            advice:
                "look at which end of the buffer is dropped: a consumer of positions wants the newest, one of a file "
                + "the oldest",
            if: { $0.dropsOneEnd }
        ) { trial in
            let consumer = trial.consume(.all, stops: .afterEnd, permits: 1)
            await trial.suspended(consumer)
            await trial.deliver([1], to: consumer)
            await trial.send(2...1000, to: consumer)
            await trial.stage.onSourceThread { consumer.source.complete() }
            consumer.state.update { $0.permits = .max }
            await trial.expect(.finished, of: consumer)
            trial.expect(elements: 1...1000, at: consumer)
            let seen = consumer.state.value.elements
            let last = seen.last ?? 0
            // One of them went to the consumer.
            guard seen.count > 1 else {
                return trial.report.violation(
                    "expected at least one of 999 elements to be kept, but the buffer has no room",
                    advice: "give the buffer room for an element, or promise overflow = .countsDrops"
                )
            }
            if case .dropsOldest = trial.promises.overflow, last != 1000 {
                trial.report.violation("expected the newest element 1000 to be kept, but the last is \(last)")
            }
            // Found: a buffer that makes room by dropping the newest. One or two may have been taken out before.
            let newest = seen.reversed().enumerated().prefix { $0.element == last - $0.offset }.count
            if case .dropsOldest = trial.promises.overflow, newest < seen.count - 1 - newest {
                trial.report.violation(
                    "expected the newest elements to be kept, but of \(seen.count) only the last "
                        + (newest == 1 ? "one" : "\(newest)") + " came last, and \(seen[1]) to "
                        + "\(seen[seen.count - 1 - newest]) were kept before"
                )
            }
            if case .dropsNewest = trial.promises.overflow, last != seen.count {
                trial.report.violation("expected the oldest elements 1 to \(seen.count) to be kept, but saw \(last)")
            }
        },
    ]

    /// Lets the source end inside `pause()`, or `resume()`.
    private static func endInside(pause: Bool) -> Scenario<SequenceTrial> {
        Scenario(
            "the source ends inside \(pause ? "pause()" : "resume()")",
            .neverLost,
            advice: "take the end at any time: what is kept comes first, and then the end",
            if: { $0.pauses }
        ) { trial in
            /// How many elements must arrive.
            let sent = Watched<Int?>(nil)
            let end: @Sendable (SequenceSourceCore) -> Void = { source in
                guard sent.value == nil else { return }
                // On another thread than the elements, the end may overtake one.
                let count = source.record.value.sent.count - (!pause || trial.stage.sourceThread.isCurrent ? 0 : 1)
                sent.update { $0 = count }
                source.complete()
            }
            let consumer = await Self.fill(trial) { consumer in
                if pause { consumer.source.onPause(end) } else { consumer.source.onResume(end) }
            }
            if pause, sent.value == nil { await Self.fillAgain(consumer, trial) }
            consumer.state.update { $0.permits = .max }
            // If the source is not resumed, another scenario says so.
            guard await trial.stage.wait(for: sent, until: { $0 != nil }), let count = sent.value else { return }
            await trial.expect(.finished, of: consumer)
            trial.expect(elements: 1..<max(count, consumer.state.value.elements.count) + 1, at: consumer)
        }
    }

    /// Lets a consumer leave after some of the elements that have filled its buffer.
    ///
    /// - Returns: How many elements were sent.
    private static func leave(after last: Int, _ trial: SequenceTrial) async -> Int {
        let consumer = await Self.fill(trial, .breaking(after: last), stops: .once)
        await Self.sendAtLeast(last, consumer, trial)
        consumer.state.update { $0.permits = .max }
        await trial.left(consumer)
        return consumer.source.record.value.sent.count
    }

    /// Lets a source send up to so many elements, also if it has been asked to pause earlier.
    private static func sendAtLeast(_ count: Int, _ consumer: SequenceConsumer, _ trial: SequenceTrial) async {
        await trial.stage.onSourceThread {
            for _ in 0..<max(0, count - consumer.source.record.value.sent.count) { consumer.source.sendNext() }
        }
    }

    /// Lets the consumer empty the buffer while pause() runs.
    ///
    /// - Parameters:
    ///   - cycles: How often the source has been paused and resumed before.
    ///   - trial: The run.
    private static func emptyInPause(after cycles: Int, _ trial: SequenceTrial) async {
        let isArmed = Atomic(cycles == 0)
        let isBlocked = Atomic(false)
        let consumer = await Self.fill(trial) { consumer in
            consumer.source.onPause { source in
                guard isArmed.exchange(false, ordering: .sequentiallyConsistent) else { return }
                consumer.state.update { $0.permits = .max }
                // On its own thread the consumer can take nothing meanwhile.
                if trial.stage.thread.isCurrent { return }
                // The bridge may not have stored the element yet that filled its buffer.
                let isEmptied = trial.stage.block {
                    consumer.state.value.elements.count >= source.record.value.sent.count - 1
                        && trial.stage.thread.tally.value.isIdle
                }
                if !isEmptied, !trial.stage.thread.tally.value.isIdle { isBlocked.store(true, ordering: .relaxed) }
            }
        }
        for _ in 0..<cycles {
            // If nothing comes, another scenario says so.
            guard await Self.drain(consumer, trial) else { return }
            isArmed.store(true, ordering: .sequentiallyConsistent)
            await Self.fill(consumer, trial)
        }
        if isArmed.load(ordering: .sequentiallyConsistent) { await Self.fillAgain(consumer, trial) }
        if isBlocked.load(ordering: .relaxed) {
            trial.report.violation(
                of: .noLocks,
                "expected the consumer to take what is in the buffer while pause() runs, but its thread is "
                    + "blocked: the bridge calls pause() under a lock that next() takes"
            )
        } else if await !trial.stage.wait(for: consumer.source.record, until: { !$0.isPaused }) {
            let resumes = consumer.source.record.value.resumes
            trial.report.violation(
                resumes > cycles
                    ? "expected resume() after pause(), but it came while pause() ran: the source stays paused"
                    : "expected the paused source to be asked to go on, but it was not"
            )
        }
        await Self.complete(consumer, trial)
    }

    /// Lets resume() wait for the thread that is sending.
    ///
    /// - Parameters:
    ///   - cycles: How often the source has been paused and resumed before.
    ///   - trial: The run.
    private static func sendInResume(after cycles: Int, _ trial: SequenceTrial) async {
        let isArmed = Atomic(cycles == 0)
        let isResuming = Monitor(false)
        let elementIsThrough = Monitor(false)
        let isThrough = Watched(false)
        trial.stage.onRescue {
            isResuming.open()
            elementIsThrough.open()
        }
        let consumer = await Self.fill(trial) { consumer in
            consumer.source.onResume { _ in
                guard isArmed.exchange(false, ordering: .sequentiallyConsistent) else { return }
                isResuming.open()
                elementIsThrough.pass()
            }
        }
        for _ in 0..<cycles {
            // If nothing comes, another scenario says so.
            guard await Self.drain(consumer, trial) else { return }
            await Self.fill(consumer, trial)
            isArmed.store(true, ordering: .sequentiallyConsistent)
        }
        trial.stage.sourceThread.perform {
            isResuming.pass()
            consumer.source.sendNext()
            elementIsThrough.open()
            isThrough.update { $0 = true }
        }
        consumer.state.update { $0.permits = .max }
        guard await trial.stage.wait(for: isThrough, until: { $0 }) else {
            // If the source was not resumed, another scenario says so.
            guard isResuming.isOpen else { return }
            return trial.report.violation(
                "expected the element handler to come back while resume() runs on another thread, but it hangs: "
                    + "the bridge calls resume() under a lock that its handler takes"
            )
        }
        await Self.complete(consumer, trial)
    }

    /// Lets a consumer take what was sent, and one element more.
    ///
    /// - Returns: Whether it has, and the source goes on.
    private static func drain(_ consumer: SequenceConsumer, _ trial: SequenceTrial) async -> Bool {
        consumer.state.update { $0.permits = .max }
        let count = consumer.source.record.value.sent.count
        guard await trial.stage.wait(for: consumer.state, until: { $0.elements.count >= count }),
            await trial.stage.wait(for: consumer.source.record, until: { !$0.isPaused })
        else { return false }
        await trial.stage.suspended { trial.place(of: consumer) }
        consumer.state.update { $0.permits = 1 }
        return true
    }

    /// Lets a source send until it is asked to pause, to a consumer that takes only the first element.
    ///
    /// - Parameters:
    ///   - trial: The run.
    ///   - plan: How the sequence is consumed.
    ///   - stops: How often the source must have been stopped at the end.
    ///   - script: Says what the source does, when the consumer has its element: before that it may be asked anything.
    /// - Returns: The consumer.
    private static func fill(
        _ trial: SequenceTrial,
        _ plan: SequenceConsumer.Plan = .all,
        stops: SequenceTrial.Stops = .afterEnd,
        _ script: (SequenceConsumer) -> Void = { _ in }
    ) async -> SequenceConsumer {
        let consumer = trial.consume(plan, stops: stops, permits: 1)
        await trial.suspended(consumer)
        await trial.deliver([1], to: consumer)
        await trial.stage.suspended { trial.place(of: consumer) }
        script(consumer)
        await Self.fill(consumer, trial)
        return consumer
    }

    /// Lets a source send until it is asked to pause: none, if it is paused while nobody waits for an element.
    private static func fill(_ consumer: SequenceConsumer, _ trial: SequenceTrial) async {
        let pauses = consumer.source.record.value.pauses
        let isAsked: @Sendable (SequenceSourceCore.Record) -> Bool = { $0.isPaused || $0.pauses > pauses }
        await trial.stage.onSourceThread {
            // Not until so many were sent: a source that was not started sends none.
            for _ in 1..<1000 where !isAsked(consumer.source.record.value) { consumer.source.sendNext() }
        }
        // Race: a bridge lets one thread at a time ask its source. If that is the consumer's, it may come to it later.
        if await trial.stage.wait(for: consumer.source.record, until: isAsked) { return }
        trial.report.violation(of: .backPressure, "expected the source to be asked to pause, but it was not")
    }

    /// Lets the consumer take what there is and wait for one element more, and the source send until it is asked to
    /// pause: for what happens in `pause()`, if the source was paused before.
    private static func fillAgain(_ consumer: SequenceConsumer, _ trial: SequenceTrial) async {
        guard consumer.source.record.value.isPaused else { return }
        let count = consumer.source.record.value.sent.count
        consumer.state.update { $0.permits = count + 1 }
        // If it is not resumed, another scenario says so.
        guard await trial.stage.wait(for: consumer.source.record, until: { !$0.isPaused }) else { return }
        await Self.fill(consumer, trial)
    }

    private static func complete(_ consumer: SequenceConsumer, _ trial: SequenceTrial) async {
        consumer.state.update { $0.permits = .max }
        await trial.stage.onSourceThread { consumer.source.complete() }
        await trial.expect(.finished, of: consumer)
        trial.expect(elements: 1..<consumer.source.record.value.sent.count + 1, at: consumer)
    }
}

extension SequenceSourceCore {
    /// Sends the number that follows the last one.
    fileprivate func sendNext() { self.send([(self.record.value.sent.last ?? 0) + 1]) }
}

extension SequencePromises {
    /// Whether it is promised which elements are dropped.
    fileprivate var dropsOneEnd: Bool {
        switch self.overflow {
        case .dropsOldest, .dropsNewest: true
        case .keeps, .countsDrops, .pauses, .fails: false
        }
    }
}
