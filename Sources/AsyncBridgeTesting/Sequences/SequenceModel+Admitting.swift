// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Which events make sense.

extension SequenceModel {
    /// Whether the contract says what comes of the event.
    func admits(_ event: History.Event) -> Bool {
        if case .make(let number, let course) = event { return self.sequences[number] == nil && self.admits(course) }
        guard let sequence = self.sequences[event.sequence] else { return false }
        return switch event {
        case .make: false
        case .release: !sequence.isReleased
        case .consumer(_, let iterator, let event): self.admits(event, iterator, sequence)
        case .source(_, let event): self.admits(event, sequence)
        case .fill: self.admitsFill(sequence)
        case .together(_, let sourceEvent, let iterator, let event, _):
            // The closures may go at any moment of a race; what is sent in `cancel()` would mix with what is sent here.
            sourceEvent != .drop && self.admits(sourceEvent, sequence) && event != .begin
                && self.admits(event, iterator, sequence) && (event != .cancel || sequence.course.inCancel.isEmpty)
        }
    }

    private func admits(_ course: History.Course) -> Bool {
        if course.refusal != nil {
            guard self.promises.passesErrors, course.inCancel.isEmpty else { return false }
            // A source that has ended in `start` and then refuses it has two ends.
            guard !course.endsInStart else { return false }
        }
        for events in [course.inStart, course.inCancel] {
            guard events.allSatisfy(self.admits), !events.dropLast().contains(.drop) else { return false }
        }
        return true
    }

    private func admits(_ event: History.SourceEvent) -> Bool {
        switch event {
        case .send, .finish: true
        case .fail: self.promises.passesErrors
        case .drop: self.promises.detectsDrops
        }
    }

    private func admits(_ event: History.SourceEvent, _ sequence: Sequence) -> Bool {
        guard sequence.isStarted, sequence.hasHandlers, sequence.course.refusal == nil else { return false }
        // When nobody can consume any more, nobody can miss the end.
        return self.admits(event) || event == .drop && sequence.isOver
    }

    private func admits(_ event: History.ConsumerEvent, _ number: Int, _ sequence: Sequence) -> Bool {
        guard let iterator = sequence.iterators[number] else {
            let mayWait = !self.traits.isStandardStream || !sequence.hasLiveIterator
            let mayBegin = sequence.iterators.isEmpty || self.promises.takesSecondIterator && mayWait
            return event == .begin && !sequence.isReleased && mayBegin
        }
        guard !iterator.hasLeft else { return false }
        return switch event {
        case .begin: false
        case .ask, .cancel: true
        case .leave: !self.waits(iterator, sequence)
        }
    }

    private func admitsFill(_ sequence: Sequence) -> Bool {
        guard self.promises.pauses, sequence.isStarted, sequence.hasHandlers, !sequence.isShared, !sequence.isLossy,
            sequence.end == nil, let iterator = sequence.iterators.values.first, !iterator.hasLeft
        else { return false }
        // A consumer that takes all without end never lets a buffer fill up.
        return !iterator.isCancelled && !iterator.hasEnded && iterator.asks - sequence.accepted < 6
    }

    /// Whether the iterator waits, as far as the model knows.
    private func waits(_ iterator: Iterator, _ sequence: Sequence) -> Bool {
        !iterator.isCancelled && !iterator.hasEnded && !sequence.isShared && !sequence.isLossy && sequence.end == nil
            && iterator.asks > sequence.accepted
    }
}
