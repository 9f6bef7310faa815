// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

extension SequenceTrial {
    /// Ends the run: nothing may be left over, and the numbers must be right.
    func finish() async {
        self.stage.rescue()
        let all = self.expected.withLock { $0 }
        var hangs = false
        for expected in all where await !self.end(expected.consumer) { hangs = true }
        await self.stage.finish(hangs: hangs)
        // What could stop the source is gone: the numbers will not change any more.
        for expected in all { self.check(expected) }
    }

    /// Ends a consumer, with some force if it hangs.
    ///
    /// - Returns: Whether it is over.
    private func end(_ consumer: SequenceConsumer) async -> Bool {
        // The source must be stopped while the task is alive and the source has not forgotten the bridge.
        if consumer.state.value.hasLeft, self.mustBeStopped(consumer),
            await !self.stage.wait(for: consumer.source.record, as: .stop, until: { $0.cancels > 0 })
        {
            self.report.violation(of: .teardown, "expected the source to be stopped when it was left, but it was not")
            self.forgiveStops(of: consumer)
        }
        // May resume the task, which a bridge may have locked up.
        self.stage.begin {
            consumer.state.update { state in
                state.mayEnd = true
                state.permits = .max
            }
        }
        if !consumer.state.value.hasLeft {
            self.stage.begin { consumer.source.complete() }
            self.stage.begin { consumer.cancel() }
        }
        let isOver = await self.stage.wait(for: consumer.state) { $0.isOver }
        // What this releases is the bridge's, which may do anything then.
        _ = await self.stage.attempt { if isOver { consumer.clear() } else { consumer.source.clear() } }
        return isOver
    }

    private func mustBeStopped(_ consumer: SequenceConsumer) -> Bool {
        switch self.expected.withLock({ $0 }).first(where: { $0.consumer === consumer })?.stops {
        case .once?: true
        case .ifStarted?: consumer.source.record.value.starts > 0
        case .afterEnd?: self.promises.stopsEndedSource
        case .unknown?, .afterEndUnlessRefused?, nil: false
        }
    }

    /// Does not look at the number of stops any more: it has been reported.
    private func forgiveStops(of consumer: SequenceConsumer) {
        self.expected.withLock { all in
            guard let index = all.firstIndex(where: { $0.consumer === consumer }) else { return }
            all[index].stops = .unknown
        }
    }

    private func check(_ expected: Expected) {
        let record = expected.consumer.source.record.value
        if record.reportCallsWithoutEnd(to: self.report) { return }
        // A cold sequence starts its source for each iteration.
        let starts = min(max(1, record.starts), expected.iterations)
        let stops: ClosedRange<Int> =
            switch expected.stops {
            case .once: starts...starts
            case .afterEnd: self.promises.stopsEndedSource ? starts...starts : 0...starts
            case .ifStarted: record.starts...record.starts
            case .unknown: 0...starts
            case .afterEndUnlessRefused where record.refusals > 0: 0...0
            case .afterEndUnlessRefused: self.promises.stopsEndedSource ? 1...1 : 0...1
            }
        self.report.check(record.cancels, within: stops, of: .teardown, "stops of the source")
        self.report.check(
            record.starts,
            within: 0...expected.iterations,
            of: .once,
            "starts of the source",
            advice: "start the source once for each iteration: not again after a failure, and not in two places"
        )
        record.reportCallsAfterStop(to: self.report)
        let state = expected.consumer.state.value
        if state.isFlooded {
            return self.report.violation(
                of: .once,
                "expected at most \(record.sent.count) elements, saw \(state.count) and stopped asking"
            )
        }
        guard self.promises.handsBackElements else { return }
        record.reportLost(
            consumed: state.elements + state.second,
            iterators: expected.consumer.plan.iterators,
            to: self.report
        )
    }
}
