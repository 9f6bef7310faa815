// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

// What becomes of iterators: a second one, one that is asked again, one between two events.

extension SequenceLaws {
    static let iterators: [Scenario<SequenceTrial>] = [
        Scenario(
            "a second loop runs over the sequence that was left",
            .neverLost,
            advice: "when the first iterator has stopped the source, let a second one end or throw, or start anew",
            if: { $0.takesSecondIterator }
        ) { trial in
            let consumer = trial.consume(.again(after: 1), stops: .unknown, iterations: 2) { source, _ in
                source.onStart { source in
                    guard source.record.value.starts > 1 else { return }
                    source.send([2])
                    source.complete()
                }
            }
            await trial.suspended(consumer)
            await trial.deliver([1], to: consumer)
            _ = await trial.stage.wait(for: consumer.state) { $0.hasLeftFirst || $0.hasLeft }
            await trial.stage.suspended { trial.place(of: consumer) }
            // A source that was stopped says nothing more.
            if consumer.source.record.value.cancels == 0 {
                await trial.stage.onSourceThread { consumer.source.complete() }
            }
            await trial.left(consumer, "expected the second loop to end or to throw, but it waits forever")
            guard consumer.source.record.value.starts > 1, consumer.state.value.elements.dropFirst().contains(1) else {
                return
            }
            trial.report.violation(
                of: .once,
                "expected the second loop to begin with what the source sends when it is started anew, saw element 1 "
                    + "of the first run again",
                advice: "forget what a run has kept when its last iterator leaves"
            )
        },
        Self.secondLoop("a second loop runs when the source has finished") { _ in nil },
        Self.secondLoop("a second loop runs when the source has failed") { $0.stage.makeError() },
        Scenario(
            "two iterators wait at the same time",
            .neverLost,
            advice: "keep a list of the waiters, or refuse the second one with an error; if the sequence is for one "
                + "consumer by contract, promise takesSecondIterator = false",
            if: { $0.takesSecondIterator }
        ) { trial in
            guard !trial.traits.isStandardStream else {
                return trial.report.violation(
                    of: .once,
                    "expected a second iterator to share, to end or to throw, but a stream of the standard library "
                        + "ends the process when two wait (this was not tried)",
                    advice: "share the stream, or keep it to one consumer and promise takesSecondIterator = false"
                )
            }
            let consumer = trial.consume(.both, stops: .afterEnd, iterations: 2)
            await trial.suspended(consumer)
            await trial.stage.onSourceThread {
                consumer.source.send(1...10)
                consumer.source.complete()
            }
            await trial.left(consumer, "expected both iterators to come to an end, but one waits forever")
            guard !trial.promises.mayDrop, trial.promises.overflow != .fails else { return }
            let state = consumer.state.value
            let missing = Set(1...10).subtracting(state.elements).subtracting(state.second)
            if !missing.isEmpty {
                trial.report.violation("expected each element to arrive, but \(missing.sorted()) reached no iterator")
            }
        },
        Scenario(
            "a second iterator is made, and released unused",
            .neverLost,
            advice: "let the release of an iterator end its own iteration only, and that of one that has asked for "
                + "nothing end none",
            if: { $0.takesSecondIterator }
        ) { trial in
            let consumer = trial.consume(.besideUnused, stops: .unknown, iterations: 2)
            await trial.suspended(consumer)
            await trial.deliver([1], to: consumer)
            await trial.stage.suspended { trial.place(of: consumer) }
            await trial.stage.onSourceThread { consumer.source.send([2]) }
            await trial.arrived(2, at: consumer)
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.expect(.finished, of: consumer)
        },
        Scenario(
            "two iterators wait, and the source only ends",
            .neverLost,
            advice: "at the end, wake all that wait, and not only the first",
            if: { $0.takesSecondIterator }
        ) { trial in
            guard !trial.traits.isStandardStream else { return }
            let consumer = trial.consume(.both, stops: .afterEnd, iterations: 2)
            await trial.suspended(consumer)
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.left(consumer, "expected both iterators to come to an end, but one waits forever")
        },
        Self.twoWait("two iterators wait, and the first is cancelled", cancelling: .first),
        Self.twoWait("two iterators wait, and the second is cancelled", cancelling: .second),
        // Found: a list of the iterators in which each remembers its place, which is another one when one has left.
        Scenario(
            "two iterators wait, and both are cancelled in turn",
            .teardown,
            advice: "give each iterator a number of its own, not its place in a list, and stop the source when the "
                + "last has left",
            if: { $0.takesSecondIterator }
        ) { trial in
            guard !trial.traits.isStandardStream else { return }
            for which in [SequenceConsumer.Which.first, .second]
            where trial.report.violations.isEmpty && trial.stage.hasTime {
                let consumer = trial.consume(.bothCancelling(which), stops: .ifStarted, iterations: 2)
                await trial.suspended(consumer)
                consumer.state.update { $0.cancelsOne = true }
                // If it goes on, another scenario says so.
                _ = await trial.stage.wait(for: consumer.state) { $0.oneHasEnded }
                await trial.stage.suspended { trial.place(of: consumer) }
                await trial.cancel(consumer)
                await trial.left(
                    consumer,
                    hang: .cancellation,
                    "expected both iterators to come to an end, but one waits forever"
                )
            }
        },
        Scenario(
            "the iterator is asked again after the cancellation",
            .once,
            advice: "remember that the iteration is over: the first next() throws CancellationError, each later one "
                + "returns nil at once"
        ) { trial in
            let consumer = trial.consume(.pastTheEnd, stops: .once)
            await trial.suspended(consumer)
            await trial.cancel(consumer)
            await trial.expect(.cancellation, of: consumer, hang: .cancellation)
            trial.expectToStayEnded(consumer)
        },
        Scenario(
            "the task is cancelled when an element has come",
            .backPressure,
            advice: "return the element that was taken: after the wait, do not check for cancellation any more",
            if: { $0.handsBackElements }
        ) { trial in
            let consumer = trial.consume(.all, stops: .once)
            await trial.suspended(consumer)
            _ = await trial.stage.whileThreadIsHeld {
                consumer.source.send([1])
            } then: {
                await trial.cancel(consumer)
            }
            // That the element was consumed or handed back is looked at in the end.
            await trial.expect(.cancellation, of: consumer, hang: .cancellation)
        },
        // Found: a look at the buffer, and after it the wait, with nothing that keeps an element from coming in
        // between. It is chance: 6 of 30 runs of the suite found it, and 19 with 5 µs in between, in a debug build on
        // two busy cores.
        Scenario(
            "each element comes when the last was consumed, many times",
            .neverLost,
            advice: "look at the buffer and store the waiting continuation under one lock"
        ) { trial in
            let count = 2000
            let mayStop = Atomic(false)
            let mayDrop = trial.promises.mayDrop
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            trial.stage.sourceThread.perform {
                for element in 1...count {
                    for _ in 0..<StartLine.shuffled(element) % 1009 { _ = consumer.arrived.load(ordering: .acquiring) }
                    consumer.source.send([element])
                    var turns = 0
                    // A buffer without room keeps only what is waited for.
                    let dropped = mayDrop ? consumer.source.record.value.dropped : 0
                    while consumer.arrived.load(ordering: .acquiring) + dropped < element {
                        if mayStop.load(ordering: .relaxed) { return }
                        turns += 1
                        if turns > 1_000 { yieldThread() }
                    }
                }
            }
            // As long as some come there is patience.
            var goesOn = true
            for step in stride(from: 100, through: count, by: 100) where goesOn {
                goesOn = await trial.stage.wait {
                    let state = consumer.state.value
                    return state.elements.count + consumer.source.record.value.dropped >= step || !state.ends.isEmpty
                }
            }
            mayStop.store(true, ordering: .relaxed)
            if !goesOn {
                let seen = consumer.state.value.elements.count
                trial.report.violation(
                    "expected element \(seen + 1) to arrive, but the consumer waits forever although it was sent"
                )
            } else if trial.promises.pauses,
                await !trial.stage.wait(for: consumer.source.record, until: { !$0.isPaused })
            {
                // Found: a count beside the buffer that grows with each element that goes to a waiting consumer.
                trial.report.violation(
                    of: .backPressure,
                    "expected the source to go on, since all \(count) elements were consumed and the consumer waits, "
                        + "but it stays paused",
                    advice: "decide by the number of elements in the buffer, not by a count beside it"
                )
            }
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.expect(.finished, of: consumer)
        },
        Scenario(
            "a throwing sequence is cancelled in the middle",
            .errors,
            advice:
                "throw CancellationError when a cancellation ended the iteration: nil says that the data is complete",
            if: { $0.throwsWhenCancelled }
        ) { trial in
            guard trial.traits.throwsAnyError else { return }
            let consumer = trial.consume(.all, stops: .once)
            await trial.suspended(consumer)
            await trial.deliver(1...3, to: consumer)
            await trial.stage.suspended { trial.place(of: consumer) }
            await trial.cancel(consumer)
            await trial.expect(.thrownCancellation, of: consumer, hang: .cancellation)
        },
        Scenario(
            "a throwing sequence is forgotten in the middle",
            .neverLost,
            advice: "throw an error when the source's closures are released early: nil says that the data is complete",
            if: { $0.detectsDrops }
        ) { trial in
            guard trial.traits.throwsAnyError else { return }
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            await trial.deliver(1...3, to: consumer)
            await trial.stage.onSourceThread { consumer.source.forget() }
            await trial.expect(.thrownFault, of: consumer)
        },
    ]

    /// Found: a broadcast that remembers that it has finished, and not that it has failed.
    private static func secondLoop(
        _ name: String,
        _ makeEnd: @escaping @Sendable (SequenceTrial) -> SourceError?
    ) -> Scenario<SequenceTrial> {
        Scenario(
            name,
            .neverLost,
            advice: "let an iterator that is made after the end come to an end at once, or start the source anew",
            if: { $0.takesSecondIterator }
        ) { trial in
            let end = makeEnd(trial)
            let consumer = trial.consume(.againAfterEnd, stops: .unknown, iterations: 2) { source, _ in
                source.onStart { source in if source.record.value.starts > 1 { source.complete() } }
            }
            await trial.suspended(consumer)
            await trial.stage.onSourceThread { consumer.source.complete(end) }
            await trial.left(consumer, "expected the second loop to end or to throw, but it waits forever")
        }
    }

    /// Found: a sequence whose cancellation ends the wait that began last, or first, of whichever task.
    private static func twoWait(
        _ name: String,
        cancelling which: SequenceConsumer.Which
    ) -> Scenario<SequenceTrial> {
        Scenario(
            name,
            .cancellation,
            advice: "give each waiter an identity, and let a cancellation wake that one alone",
            if: { $0.takesSecondIterator }
        ) { trial in
            guard !trial.traits.isStandardStream else { return }
            let consumer = trial.consume(.bothCancelling(which), stops: .unknown, iterations: 2)
            await trial.suspended(consumer)
            consumer.state.update { $0.cancelsOne = true }
            if await !trial.stage.wait(for: consumer.state, until: { $0.oneHasEnded }) {
                trial.report.violation("expected next() to return in the cancelled task, but it waits on")
            }
            await trial.stage.suspended { trial.place(of: consumer) }
            // The cancellation may have ended the other iteration, too, or the source.
            if !consumer.state.value.hasLeft, consumer.source.record.value.cancels == 0 {
                await trial.stage.onSourceThread { consumer.source.send([1]) }
                let hasArrived = await trial.stage.wait(for: consumer.state) {
                    $0.hasLeft || !($0.elements + $0.second).isEmpty
                }
                if !hasArrived {
                    trial.report.violation(
                        of: .neverLost,
                        "expected the next element to reach the iterator that was not cancelled, but it waits on"
                    )
                }
            }
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.left(consumer, "expected the other iterator to come to an end, but it waits forever")
        }
    }
}
