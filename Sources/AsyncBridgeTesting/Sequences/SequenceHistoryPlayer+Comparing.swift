// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension SequenceHistoryPlayer {
    typealias Iterator = (number: Int, iterator: PlayedIterator, sequence: PlayedSequence)

    private var iterators: [Iterator] {
        self.sequences.sorted { $0.key < $1.key }.flatMap { _, sequence in
            sequence.allIterators.map { ($0.number, $0.iterator, sequence) }
        }
    }

    /// Compares what was seen with the model, first what must not have happened, which needs no wait.
    mutating func compare() async {
        self.compareStops()
        for iterator in self.iterators where self.report.violations.isEmpty { await self.awaitStart(iterator) }
        for iterator in self.iterators where self.report.violations.isEmpty { await self.awaitWanted(iterator) }
        guard self.report.violations.isEmpty else { return }
        await self.stage.suspended { self.place }
        for iterator in self.iterators where self.report.violations.isEmpty { self.compareWithModel(iterator) }
        for sequence in self.sequences.values where self.report.violations.isEmpty {
            await self.awaitStops(sequence)
            await self.awaitFlow(sequence)
            await self.awaitArrival(sequence)
            await self.compareHandBacks(sequence)
            await self.awaitRelease(sequence)
        }
        self.compareStops()
    }

    // MARK: What must come

    private func awaitStart(_ place: Iterator) async {
        guard let sequence = self.model.sequences[place.sequence.number], !sequence.isShared,
            sequence.iterators[place.number]?.hasBegun == true
        else { return }
        if await self.stage.wait(for: place.sequence.source.record, until: { $0.starts > 0 }) { return }
        await self.stage.reportHang(
            of: .neverLost,
            "expected the source of sequence \(place.sequence.number) to be started, but it was not"
        ) { self.place }
    }

    /// Waits until an iterator has got what it must get.
    private mutating func awaitWanted(_ place: Iterator) async {
        let number = place.sequence.number
        guard let sequence = self.model.sequences[number], let iterator = sequence.iterators[place.number],
            !iterator.hasLeft
        else { return }
        let wanted = self.model.wanted(place.number, of: number)
        let count = min(iterator.asks, sequence.accepted)
        let (state, record) = (place.iterator.state, place.sequence.source.record)
        switch wanted {
        case .waits:
            await self.awaitProgress(of: place) { $0.elements.count >= count || !$0.ends.isEmpty || !$0.isAsking }
        case .complete, .returned: await self.awaitProgress(of: place) { !$0.isAsking }
        case .some:
            // The numbers change one after the other.
            let isThere = await self.stage.wait {
                let state = state.value
                return !state.isAsking || state.elements.count + record.value.dropped >= sequence.accepted
            }
            if !isThere { await self.reportHang(place) }
        case .anything:
            // A source that was stopped says nothing more: then a second iterator must not wait for it.
            guard iterator.hasBegun, !self.model.isHeldBack(place.number, of: number) else { return }
            await self.stage.suspended { self.place }
            if await !self.stage.wait(until: { !state.value.isAsking || !record.value.isStopped }) {
                await self.reportHang(place)
            }
        }
    }

    /// Waits as long as something comes.
    private mutating func awaitProgress(
        of place: Iterator,
        until isSatisfied: @escaping @Sendable (PlayedIterator.State) -> Bool
    ) async {
        let state = place.iterator.state
        while true {
            let before = state.update(\.elements.count)
            let goesOn = await self.stage.wait(for: state) { isSatisfied($0) || $0.elements.count >= before + 200 }
            if state.update({ isSatisfied($0) }) { return }
            if !goesOn, state.update(\.elements.count) == before { break }
        }
        await self.reportHang(place)
    }

    private mutating func reportHang(_ place: Iterator) async {
        // What came instead says more.
        self.compareWithModel(place)
        guard self.report.violations.isEmpty else { return }
        let number = place.sequence.number
        guard let sequence = self.model.sequences[number], let iterator = sequence.iterators[place.number] else {
            return
        }
        let state = place.iterator.state.value
        let isCancelled = iterator.isCancelled && state.ends.isEmpty
        let wanted =
            if !state.ends.isEmpty {
                "nil from next() after the end"
            } else if isCancelled || sequence.end != nil || sequence.isShared {
                "the iteration to end"
            } else {
                "\(min(iterator.asks, sequence.accepted)) elements"
            }
        await self.stage.reportHang(
            of: isCancelled ? .cancellation : .neverLost,
            "expected \(wanted) at \(self.text(of: place)), but next() did not return after \(state.elements.count) "
                + "elements"
        ) { self.place }
    }

    private func awaitStops(_ sequence: PlayedSequence) async {
        let record = sequence.source.record
        let lowest = self.model.stops(of: sequence.number, starts: record.value.starts).lowerBound
        guard lowest > 0, record.value.cancels < lowest else { return }
        if await self.stage.wait(for: record, as: .stop, until: { $0.cancels >= lowest }) { return }
        let isReleased = self.model.sequences[sequence.number]?.isReleased == true
        self.report.violation(
            of: .teardown,
            "expected the source of sequence \(sequence.number) to be stopped when it was left, but it was not",
            advice: isReleased
                ? nil
                : "stop the source when the iterator is released: the sequence may live longer. If another loop may go "
                    + "on, promise stopsWhenLeft = false"
        )
    }

    private func awaitFlow(_ sequence: PlayedSequence) async {
        guard self.report.violations.isEmpty, self.model.mustFlow(sequence.number) else { return }
        if await self.stage.wait(for: sequence.source.record, until: { !$0.isPaused }) { return }
        self.report.violation(
            of: .backPressure,
            "expected the paused source of sequence \(sequence.number) to be asked to go on, but it was not"
        )
    }

    // MARK: What must not have happened

    private func compareStops() {
        for (number, sequence) in self.sequences {
            let record = sequence.source.record.value
            let highest = self.model.stops(of: number, starts: record.starts).upperBound
            guard record.cancels > highest else { continue }
            let isEarly = highest == 0
            self.report.violation(
                of: .teardown,
                "expected the source of sequence \(number) "
                    + (isEarly ? "not to be stopped yet" : "to be stopped once for each start")
                    + ", saw \(record.cancels) stops",
                advice: isEarly ? Self.earlyStopAdvice : nil
            )
        }
    }

    private static let earlyStopAdvice =
        "stop a source when its own consumer is gone: not when the sequence is released whose iterator is in use, and "
        + "not when another sequence is left"

    private mutating func compareWithModel(_ place: Iterator) {
        let number = place.sequence.number
        guard let sequence = self.model.sequences[number], let iterator = sequence.iterators[place.number] else {
            return
        }
        let state = place.iterator.state.value
        self.compareCounts(state, place)
        guard self.report.violations.isEmpty else { return }
        if !iterator.hasLeft { self.compareElements(state, place, sequence) }
        guard self.report.violations.isEmpty, let end = state.ends.first else { return }
        self.model.adoptEnd(place.number, of: number)
        guard let endings = self.model.endings(place.number, of: number) else { return }
        for case .failed(let error) in state.ends.dropFirst() {
            return self.report.violation(
                of: .once,
                "expected nil after the end, saw \(Outcome.failure(error)) at \(self.text(of: place))"
            )
        }
        if self.promises.overflow == .fails, case .failed = end { return }
        self.compareEnd(self.ending(end), endings, state, place, sequence)
    }

    /// Looks for elements that cannot be the source's, before it is asked which they are.
    private func compareCounts(_ state: PlayedIterator.State, _ place: Iterator) {
        if state.late > 0 {
            self.report.violation(
                of: .once,
                "expected nil after the end, saw \(state.late) more elements at \(self.text(of: place))"
            )
        } else if state.isFlooded {
            self.report.violation(
                of: .once,
                "expected at most \(place.sequence.source.record.value.sent.count) elements at "
                    + "\(self.text(of: place)), saw \(state.elements.count) and stopped asking"
            )
        }
    }

    private func compareEnd(
        _ ending: SequenceModel.Ending,
        _ endings: Set<SequenceModel.Ending>,
        _ state: PlayedIterator.State,
        _ place: Iterator,
        _ sequence: SequenceModel.Sequence
    ) {
        let isCancelled = sequence.iterators[place.number]?.isCancelled == true
        guard endings.contains(ending) else {
            if self.promises.overflow == .fails, ending == .finished, sequence.end == nil, !isCancelled {
                return self.report.violation(
                    of: .backPressure,
                    "expected an error when the buffer was full, or no end, at \(self.text(of: place)), saw the end",
                    advice: "throw an error when an element finds no room: an end says that the data is complete"
                )
            }
            let wanted = endings.map { self.text($0) }.sorted().joined(separator: " or ")
            return self.report.violation(
                of: isCancelled ? .cancellation : sequence.end == nil ? .neverLost : .errors,
                "expected \(endings.isEmpty ? "no end" : wanted) at \(self.text(of: place)), saw \(self.text(ending))"
            )
        }
        // Which of them are lost is the bridge's choice then.
        guard !isCancelled, !sequence.isLossy, !self.promises.mayDrop else { return }
        guard state.elements.count < sequence.accepted else { return }
        self.report.violation(
            of: .backPressure,
            "expected \(sequence.accepted) elements before the end at \(self.text(of: place)), saw "
                + "\(state.elements.count)"
        )
    }

    private mutating func compareElements(
        _ state: PlayedIterator.State,
        _ place: Iterator,
        _ sequence: SequenceModel.Sequence
    ) {
        let base = place.sequence.number * PlayedSequence.range
        let id = ObjectIdentifier(place.iterator)
        // There may be thousands, which were compared after the last event.
        let compared = self.compared[id] ?? 0
        self.compared[id] = state.elements.count
        let overtaking = place.sequence.source.record.value.overtaking
        var last = state.elements[..<compared].last { !overtaking.contains($0) } ?? base
        for element in state.elements[compared...] {
            guard element > base, element < base + PlayedSequence.range else {
                return self.report.violation(
                    of: .once,
                    "expected elements of sequence \(place.sequence.number) at \(self.text(of: place)), saw "
                        + PlayedSequence.text(of: element)
                )
            }
            if overtaking.contains(element) { continue }
            guard element > last else {
                return self.report.violation(
                    of: .order,
                    "expected rising elements at \(self.text(of: place)), saw \(element - base) after \(last - base)"
                )
            }
            guard element == last + 1 || sequence.isShared || self.promises.mayDrop else {
                return self.report.violation(
                    of: .backPressure,
                    "expected element \(last + 1 - base) at \(self.text(of: place)), saw element \(element - base)"
                )
            }
            last = element
        }
        let mayBeMore = sequence.isShared || sequence.isLossy || sequence.iterators[place.number]?.isCancelled == true
        guard !mayBeMore, last - base > sequence.accepted else { return }
        self.report.violation(
            of: .once,
            "expected the \(sequence.accepted) elements before the end at \(self.text(of: place)), saw element "
                + "\(last - base)"
        )
    }

    // MARK: Words

    private func ending(_ end: SequenceConsumer.End) -> SequenceModel.Ending {
        switch end {
        case .finished: return .finished
        case .failed(let error as SourceError):
            return self.errors.first { $0.value == error }.map { .error($0.key) } ?? .fault
        case .failed(is CancellationError): return .cancelled
        case .failed: return .fault
        }
    }

    private func text(of place: Iterator) -> String {
        "iterator \(place.number) of sequence \(place.sequence.number)"
    }

    private func text(_ ending: SequenceModel.Ending) -> String {
        switch ending {
        case .finished: "the end"
        case .error(let number): "error \(number)"
        case .cancelled: "CancellationError"
        case .fault: "an error of the bridge"
        }
    }
}
