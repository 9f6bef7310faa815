// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

// What only a race shows: what is wrong must happen within a few instructions of another thread.

extension SequenceLaws {
    static let races: [Scenario<SequenceTrial>] = [
        // Found: a check for cancellation after `next()` of another sequence, which hands back what it has not given.
        // It is chance: 18 and 21 of 30 runs found it, and 30 with 5 µs in between, in a debug build on two very busy
        // cores.
        Scenario(
            "the task is cancelled while it takes elements, many times",
            .backPressure,
            advice: "return the element that was taken: after the wait, do not check for cancellation any more",
            if: { $0.handsBackElements }
        ) { trial in
            let count = 32
            for round in 0..<Self.cancellations where trial.report.violations.isEmpty && trial.stage.hasTime {
                // All are there when the consumer begins, and the other thread is awake. So the consumer does not wait,
                // and is always near such a check.
                let line = StartLine(round: round, delays: 0..<1)
                let consumer = trial.consume(.pastTheEnd, stops: .once) { source, consumer in
                    trial.stage.sourceThread.perform {
                        line.first()
                        Self.cancel(consumer, round: round, count: count)
                    }
                    source.onStart { source in
                        source.send(1...count)
                        line.second()
                    }
                }
                await trial.expect(.cancellation, of: consumer, hang: .cancellation)
                await trial.left(consumer)
                let seen = consumer.state.value.elements.count
                // The number is reported at the end of the run.
                guard await trial.stage.wait(for: consumer.source.record, until: { seen + $0.takenBack.count >= count })
                else { return }
            }
        },
        // Found: one that looks whether it has started, and starts, without a lock.
        Scenario(
            "two iterators begin at the same time",
            .teardown,
            rounds: 30,
            advice: "decide under the lock who starts the source, and keep the handle of each start",
            if: { $0.takesSecondIterator }
        ) { trial in
            guard !trial.traits.isStandardStream else { return }
            let threads = (0..<2).map { _ in trial.stage.makeCallerThread() }
            let consumer = trial.consume(.bothAtOnce(threads), stops: .ifStarted, iterations: 2)
            await trial.suspended(consumer)
            // If it blocks its thread, another scenario says so.
            for thread in threads { _ = await trial.stage.wait(for: thread.tally) { $0.begun > 0 && $0.isIdle } }
            await trial.cancel(consumer)
            await trial.left(
                consumer,
                hang: .cancellation,
                "expected both iterators to come to an end, but one waits forever"
            )
        },
    ]

    /// How many consumers are cancelled.
    private static let cancellations = 1000

    /// Cancels a consumer somewhere among its elements: in each round at another element, and a little later.
    private static func cancel(_ consumer: SequenceConsumer, round: Int, count: Int) {
        let place = StartLine.shuffled(round) % (count / 2)
        var (arrived, turns) = (0, 0)
        // A buffer that drops may not have that many: then no more come.
        while arrived < place, turns < 1_200 {
            turns += 1
            if turns > 1_000 { yieldThread() }
            let now = consumer.arrived.load(ordering: .acquiring)
            if now > arrived { (arrived, turns) = (now, 0) }
        }
        for _ in 0..<StartLine.shuffled(round) % 499 { _ = consumer.arrived.load(ordering: .acquiring) }
        consumer.cancel()
    }
}
