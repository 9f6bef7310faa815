// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension SequenceHistoryPlayer {
    /// Ends the run, with some force if something hangs: nothing may be left over, and the numbers must be right.
    func finish() async {
        self.stage.rescue()
        var hangs = false
        for sequence in self.sequences.values where await !self.end(sequence) { hangs = true }
        await self.stage.finish(hangs: hangs)
        guard self.report.violations.isEmpty else { return }
        for sequence in self.sequences.values { self.check(sequence) }
    }

    /// Ends what is left of a sequence.
    ///
    /// - Returns: Whether its tasks are over.
    private func end(_ sequence: PlayedSequence) async -> Bool {
        let iterators = sequence.allIterators.map(\.iterator)
        let hangs = iterators.contains { $0.state.value.isAsking }
        if hangs { self.stage.begin { sequence.source.complete() } }
        var isOver = true
        for iterator in iterators {
            // May resume the task, which a bridge may have locked up.
            self.stage.begin {
                iterator.state.update { state in
                    state.mayEnd = true
                    state.mustLeave = true
                }
                if hangs { iterator.cancel() }
            }
            isOver = await self.stage.wait(for: iterator.state, until: \.isOver) && isOver
        }
        if isOver { self.stage.thread.perform { sequence.sequence.value?.release() } }
        // What this releases is the bridge's, which may do anything then.
        let isAllOver = isOver
        _ = await self.stage.attempt {
            sequence.source.clear()
            if isAllOver { for iterator in iterators { iterator.clear() } }
        }
        return isOver
    }

    private func check(_ sequence: PlayedSequence) {
        let number = sequence.number
        let record = sequence.source.record.value
        if record.reportCallsWithoutEnd(to: self.report) { return }
        let iterators = sequence.allIterators.map { $0.iterator.state.value }
        self.report.check(
            record.starts,
            within: 0...max(1, iterators.count),
            of: .once,
            "starts of the source of sequence \(number)"
        )
        // A source that was not started has nothing to stop.
        let stops =
            record.refusals > 0 ? 0...0 : self.model.stops(of: number, starts: record.starts)
        self.report.check(record.cancels, within: stops, of: .teardown, "stops of the source of sequence \(number)")
        record.reportCallsAfterStop(to: self.report)
        let consumed = iterators.flatMap(\.elements)
        if self.promises.handsBackElements {
            record.reportLost(consumed: consumed, iterators: iterators.count, to: self.report)
        }
        self.checkDropped(sequence, consumed.count)
    }

    /// Compares the number of dropped elements, where all others were consumed.
    private func checkDropped(_ sequence: PlayedSequence, _ consumed: Int) {
        guard self.promises.mayDrop, let model = self.model.sequences[sequence.number], !model.isShared, !model.isLossy,
            let iterator = model.iterators.values.first, iterator.hasEnded, !iterator.isCancelled, model.end != nil
        else { return }
        // What came after the end, or inside cancel(), was dropped as well, or was none of its business.
        let expected = model.accepted...max(model.accepted, sequence.sent)
        let dropped = sequence.source.record.value.dropped
        guard !expected.contains(consumed + dropped) else { return }
        let wanted =
            expected.count == 1 ? "\(model.accepted)" : "\(expected.lowerBound) to \(expected.upperBound)"
        self.report.violation(
            of: .backPressure,
            "expected \(wanted) elements of sequence \(sequence.number) to be consumed or counted as dropped, "
                + "saw \(consumed) and \(dropped)"
        )
    }
}
