// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What has become of the elements and of the source, after each event.

extension SequenceHistoryPlayer {
    /// How many elements were sent, handed back and consumed.
    struct ElementCounts: Equatable, Sendable {
        private let sent: Int
        private let takenBack: Int
        private let consumed: Int

        init(_ sequence: PlayedSequence) {
            let record = sequence.source.record.value
            self.sent = record.sent.count
            self.takenBack = record.takenBack.count
            self.consumed = sequence.consumedCount
        }
    }

    /// Waits until each element has reached an iterator, if all of several ask for more.
    func awaitArrival(_ sequence: PlayedSequence) async {
        guard self.report.violations.isEmpty, self.model.mustReachOne(sequence.number) else { return }
        let accepted = self.model.sequences[sequence.number]?.accepted ?? 0
        let last = sequence.number * PlayedSequence.range + accepted
        // Not those of a source that nobody had started.
        let sent = Set(sequence.source.record.value.sent.filter { $0 <= last })
        let missing = { sent.subtracting(sequence.consumed) }
        // The numbers first: there may be thousands, and this is asked again and again.
        if await self.stage.wait(until: { sequence.consumedCount >= sent.count && missing().isEmpty }) { return }
        guard let element = missing().min() else { return }
        self.report.violation(
            of: .neverLost,
            "expected each element to arrive, but \(PlayedSequence.text(of: element)) reached no iterator"
        )
    }

    /// Compares what was handed back, as far as the contract says when.
    mutating func compareHandBacks(_ sequence: PlayedSequence) async {
        guard self.report.violations.isEmpty, self.promises.handsBackElements else { return }
        let record = sequence.source.record
        if self.model.mustBeHandedBack(sequence.number) {
            // There may be thousands, which were compared after the last event.
            let counts = ElementCounts(sequence)
            if self.comparedHandBacks.updateValue(counts, forKey: sequence.number) == counts { return }
            let consumed = sequence.consumed
            let isDone: @Sendable (SequenceSourceCore.Record) -> Bool = {
                consumed.count + $0.takenBack.count >= $0.sent.count
            }
            var seen = record.value
            while !isDone(seen) {
                let wasDone = await self.stage.wait(for: record, until: isDone)
                // A cancel() on a queue may send meanwhile: only what stays so is told.
                seen = record.value
                if !wasDone { break }
            }
            return seen.reportLost(consumed: consumed, iterators: sequence.allIterators.count, to: self.report)
        }
        let wanted = sequence.number * PlayedSequence.range + self.model.wantedCount(sequence.number)
        guard let element = record.value.takenBack.first(where: { $0 <= wanted }) else { return }
        self.report.violation(
            of: .backPressure,
            "expected \(PlayedSequence.text(of: element)) to be kept for its iterator, but it was handed back"
        )
    }

    /// Waits until the source is released, if its sequence is over and it has dropped its closures.
    func awaitRelease(_ sequence: PlayedSequence) async {
        // A cold sequence starts the source again for an iterator that begins after the closures were dropped.
        guard self.report.violations.isEmpty, self.model.mustBeGone(sequence.number), !sequence.source.hasHandlers
        else { return }
        let lifetimes = self.stage.lifetimes.state
        if await self.stage.wait(for: lifetimes, as: .release, until: { sequence.labels(in: $0).isEmpty }) { return }
        let leaked = sequence.labels(in: lifetimes.value).sorted().joined(separator: ", ")
        self.report.violation(
            of: .teardown,
            "expected everything to be released that belongs to sequence \(sequence.number), since nobody uses it any "
                + "more, but not: \(leaked)"
        )
    }
}

extension PlayedSequence {
    /// What all iterators have consumed.
    fileprivate var consumed: [Int] { self.allIterators.flatMap { $0.iterator.state.value.elements } }

    fileprivate var consumedCount: Int { self.allIterators.reduce(0) { $0 + $1.iterator.state.value.elements.count } }
}
