// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A course of events over several sequences of one bridge.
///
/// Each sequence has its own source. The elements of a source are numbered in the order in which it sends them.
struct SequenceHistory: Hashable, Sendable {
    /// Something that the source does.
    enum SourceEvent: Hashable, Sendable {
        /// It sends so many elements.
        case send(Int)
        case finish
        case fail(Int)
        /// Its closures are released without an end.
        case drop
    }

    /// What is settled about a sequence when it is made.
    struct Course: Hashable, Sendable {
        var inStart: [SourceEvent] = []
        /// The error with which `start` fails after that.
        var refusal: Int?
        var inCancel: [SourceEvent] = []

        var endsInStart: Bool { self.inStart.contains { if case .send = $0 { false } else { true } } }
    }

    /// How often an iterator is asked.
    enum Ask: Hashable, Sendable {
        /// So many times.
        case times(Int)
        /// Until it has all that was sent, and once more, which waits.
        case pastWhatWasSent
        /// Until the end, and twice more.
        case toTheEnd
    }

    /// Something that is done with an iterator.
    enum ConsumerEvent: Hashable, Sendable {
        /// It is made, in a task of its own.
        case begin
        case ask(Ask)
        /// Its task is cancelled.
        case cancel
        /// It is released.
        case leave
    }

    /// In which order two events come that the consumer sees at the same time.
    enum Order: Hashable, Sendable {
        case sourceFirst
        case consumerFirst
        case race
    }

    /// One step, after which the suite waits and compares.
    enum Event: Hashable, Sendable {
        case make(Int, Course)
        /// The sequence is released; its iterators are not.
        case release(Int)
        case consumer(Int, iterator: Int, ConsumerEvent)
        case source(Int, SourceEvent)
        /// The source sends until it is asked to pause.
        case fill(Int)
        /// Two events, before the consumer goes on.
        case together(Int, SourceEvent, iterator: Int, ConsumerEvent, Order)

        /// The number of the sequence.
        var sequence: Int {
            switch self {
            case .make(let number, _), .release(let number), .consumer(let number, _, _), .source(let number, _),
                .fill(let number), .together(let number, _, _, _, _):
                number
            }
        }
    }

    var events: [Event] = []
}

// MARK: Shrinking

extension SequenceHistory: LawHistory {
    var hasRace: Bool {
        self.events.contains { if case .together(_, _, _, _, .race) = $0 { true } else { false } }
    }

    /// The histories that are one change shorter or simpler, those first that leave out most.
    ///
    /// The player passes over an event that makes no sense any more.
    var simpler: [SequenceHistory] {
        var result: [SequenceHistory] = []
        let sequences = Set(self.events.map(\.sequence)).sorted()
        if sequences.count > 1 {
            for number in sequences {
                result.append(SequenceHistory(events: self.events.filter { $0.sequence != number }))
            }
        }
        let half = self.events.count / 2
        if half > 1 { result.append(SequenceHistory(events: Array(self.events.dropLast(half)))) }
        for index in self.events.indices.reversed() { result.append(self.replacing(index, with: [])) }
        for (index, event) in self.events.enumerated() {
            result += event.simpler.map { self.replacing(index, with: [$0]) }
        }
        return result.filter { !$0.events.isEmpty }
    }

    private func replacing(_ index: Int, with events: [Event]) -> SequenceHistory {
        var copy = self
        copy.events.replaceSubrange(index...index, with: events)
        return copy
    }
}

extension SequenceHistory.Event {
    fileprivate var simpler: [Self] {
        switch self {
        case .make(let number, let course): course.simpler.map { .make(number, $0) }
        case .consumer(let number, let iterator, .ask(.times(let count))) where count > 1:
            [.consumer(number, iterator: iterator, .ask(.times(count / 2)))]
        case .source(let number, let event): event.simpler.map { .source(number, $0) }
        case .together(let number, let event, let iterator, let action, let order):
            [.source(number, event), .consumer(number, iterator: iterator, action)]
                + event.simpler.map { .together(number, $0, iterator: iterator, action, order) }
        case .release, .consumer, .fill: []
        }
    }
}

extension SequenceHistory.SourceEvent {
    fileprivate var simpler: [Self] {
        guard case .send(let count) = self, count > 1 else { return [] }
        return Set([1, count / 2, count - count / 8]).subtracting([count]).sorted().map { .send($0) }
    }
}

extension SequenceHistory.Course {
    fileprivate var simpler: [Self] {
        var result: [Self] = []
        for index in self.inStart.indices {
            var copy = self
            copy.inStart.remove(at: index)
            result.append(copy)
        }
        for index in self.inCancel.indices {
            var copy = self
            copy.inCancel.remove(at: index)
            result.append(copy)
        }
        if self.refusal != nil { result.append(Self(inStart: self.inStart, inCancel: self.inCancel)) }
        return result
    }
}
