// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The contract of a sequence bridge: what must hold after each event of a history.
///
/// A plain value without input, output or concurrency. What it says is compared with what a bridge did.
///
/// Invariant: where the contract leaves a choice, the model allows all of it. So it says little about a sequence with
/// two iterators, which may share the elements, get their own, or be refused.
struct SequenceModel: Sendable {
    typealias History = SequenceHistory

    /// How an iteration may end.
    enum Ending: Hashable, Sendable {
        case finished
        case error(Int)
        case cancelled
        /// An error of the bridge itself.
        case fault
    }

    /// What is known of an iterator.
    struct Iterator: Sendable {
        /// How often `next()` is called, if it returns.
        var asks = 0
        /// Whether it was asked before its task was cancelled: then the source is started.
        var hasBegun = false
        var isCancelled = false
        /// Whether the source has ended while it was iterated.
        var sawEnd = false
        /// Whether it has ended, as the player has seen.
        var hasEnded = false
        var hasLeft = false
    }

    /// What is known of a sequence and its source.
    struct Sequence: Sendable {
        let course: History.Course
        var isStarted = false
        /// How many elements were sent before the end.
        var accepted = 0
        /// How many elements were sent.
        var sent = 0
        /// How the source has ended.
        var end: Ending?
        var hasHandlers = true
        var isReleased = false
        var iterators: [Int: Iterator] = [:]

        /// Whether two iterators may get in each other's way.
        var isShared: Bool { self.iterators.count > 1 }

        var hasLiveIterator: Bool { self.iterators.values.contains { !$0.hasLeft } }

        /// Whether nobody can consume any more.
        var isOver: Bool { self.isReleased && !self.hasLiveIterator }

        /// Whether elements that were sent may be lost.
        var isLossy: Bool { self.end == .fault || self.course.refusal != nil }
    }

    /// What an iterator must have come to, when all is quiet.
    enum Wanted: Hashable, Sendable {
        /// All that was sent, as far as it was asked for, and then it waits.
        case waits
        /// Every call of `next()` has returned, with all that was sent before an end.
        case complete
        /// Every call of `next()` has returned.
        case returned
        /// Every call of `next()` has returned, or everything that was not dropped.
        case some
        case anything
    }

    let promises: SequencePromises
    let traits: SequenceTraits
    private(set) var sequences: [Int: Sequence] = [:]

    init(_ promises: SequencePromises, _ traits: SequenceTraits) {
        self.promises = promises
        self.traits = traits
    }

    // MARK: What must hold

    /// What an iterator must have come to.
    func wanted(_ iterator: Int, of number: Int) -> Wanted {
        guard let sequence = self.sequences[number], let state = sequence.iterators[iterator] else { return .anything }
        if state.isCancelled || state.hasEnded { return .returned }
        // If the source is not started in the consumer's call, it may have ended before it was started for this one.
        if sequence.isShared {
            let mustEnd = state.sawEnd && self.promises.startsInConsumer && !self.isHeldBack(iterator, of: number)
            return mustEnd ? .returned : .anything
        }
        if self.promises.mayDrop || self.promises.overflow == .fails {
            return sequence.end == nil ? .some : .returned
        }
        if sequence.isLossy { return .returned }
        return sequence.end == nil ? .waits : .complete
    }

    /// Whether another iterator does not take what has come: one that shares a buffer may have to wait for it.
    func isHeldBack(_ iterator: Int, of number: Int) -> Bool {
        guard let sequence = self.sequences[number] else { return false }
        return sequence.iterators.contains { other, state in
            other != iterator && !state.hasLeft && !state.isCancelled && !state.hasEnded
                && state.asks <= sequence.accepted
        }
    }

    /// How an iteration may end, if it does; `nil` if any end is right.
    func endings(_ iterator: Int, of number: Int) -> Set<Ending>? {
        guard let sequence = self.sequences[number], let state = sequence.iterators[iterator], !sequence.isShared
        else { return nil }
        var endings: Set<Ending> = sequence.end.map { [$0] } ?? []
        if sequence.end == .fault { endings.insert(.finished) }
        if let refusal = sequence.course.refusal, state.asks > 0 { endings.insert(.error(refusal)) }
        if state.isCancelled {
            endings.insert(.cancelled)
            let mustThrow = self.promises.throwsWhenCancelled && self.traits.throwsAnyError && state.hasBegun
            if !mustThrow { endings.insert(.finished) }
            for event in sequence.course.inCancel {
                switch event {
                case .send: break
                case .finish: endings.insert(.finished)
                case .fail(let error): endings.insert(.error(error))
                case .drop: endings.formUnion([.fault, .finished])
                }
            }
        }
        return endings
    }

    /// How often the source may have been stopped, if it was started so many times.
    func stops(of number: Int, starts: Int) -> ClosedRange<Int> {
        guard let sequence = self.sequences[number] else { return 0...starts }
        if sequence.isShared { return 0...starts }
        // A hot source may have ended before anybody asks.
        if sequence.end != nil || sequence.course.refusal != nil || sequence.course.endsInStart {
            let isFinal = sequence.isOver && self.promises.stopsEndedSource && sequence.course.refusal == nil
            return isFinal ? starts...starts : 0...starts
        }
        if sequence.isOver { return starts...starts }
        let iterator = sequence.iterators.values.first
        if let iterator, iterator.hasLeft {
            let mustStop = self.promises.stopsWhenLeft && !self.traits.isStandardStream && iterator.hasBegun
            return mustStop ? starts...starts : 0...starts
        }
        // A buffer that overflows and fails ends the sequence at once.
        let mayBeOver = iterator?.isCancelled == true || iterator?.hasEnded == true || self.promises.overflow == .fails
        return mayBeOver ? 0...starts : 0...0
    }

    /// Whether the source must not be paused when all is quiet: all was consumed, and more is waited for.
    func mustFlow(_ number: Int) -> Bool {
        guard self.promises.pauses, let sequence = self.sequences[number], !sequence.isShared, sequence.isStarted,
            let iterator = sequence.iterators.values.first, !iterator.hasLeft, !iterator.hasEnded
        else { return false }
        return sequence.end == nil && !sequence.isLossy && !iterator.isCancelled && iterator.asks > sequence.accepted
    }

    /// Whether each element that was sent must have reached an iterator, when all is quiet: all ask for more than came.
    func mustReachOne(_ number: Int) -> Bool {
        guard !self.promises.mayDrop, self.promises.overflow != .fails, let sequence = self.sequences[number],
            sequence.isShared, !sequence.isLossy
        else { return false }
        return sequence.iterators.values.allSatisfy {
            !$0.hasLeft && !$0.isCancelled && $0.hasBegun && $0.asks > sequence.accepted
        }
    }

    /// How many elements, from the first on, must not have been handed back, since they are still wanted.
    func wantedCount(_ number: Int) -> Int {
        guard !self.promises.mayDrop, self.promises.overflow != .fails, let sequence = self.sequences[number],
            !sequence.isShared, !sequence.isLossy, let iterator = sequence.iterators.values.first,
            !iterator.hasLeft, !iterator.isCancelled
        else { return 0 }
        return sequence.accepted
    }

    /// Whether each element must have been consumed or handed back, when all is quiet: nobody can consume any more.
    func mustBeHandedBack(_ number: Int) -> Bool {
        self.promises.handsBackElements && self.sequences[number]?.isOver == true
    }

    /// Whether the source must have been released, when all is quiet, whatever the other sequences do.
    func mustBeGone(_ number: Int) -> Bool {
        guard let sequence = self.sequences[number] else { return false }
        return sequence.isOver && !sequence.hasHandlers
    }

    // MARK: What comes of an event

    /// Takes an event into account.
    mutating func apply(_ event: History.Event) {
        if case .make(let number, let course) = event {
            self.sequences[number] = Sequence(course: course)
            return
        }
        guard var sequence = self.sequences[event.sequence] else { return }
        switch event {
        case .make: break
        case .release: sequence.isReleased = true
        case .consumer(_, let iterator, let event): Self.apply(event, iterator, &sequence)
        case .source(_, let event): Self.apply(event, toAllOf: &sequence)
        // How many is up to the bridge: the player says it.
        case .fill: Self.apply(.send(1), &sequence)
        case .together(_, let sourceEvent, let iterator, let event, _):
            Self.apply(sourceEvent, toAllOf: &sequence)
            Self.apply(event, iterator, &sequence)
        }
        self.sequences[event.sequence] = sequence
    }

    /// Takes an event into account that all iterators that have begun must see.
    ///
    /// Not so what happens in `start`: a cold sequence may start its source for each iterator, and it happens once.
    private static func apply(_ event: History.SourceEvent, toAllOf sequence: inout Sequence) {
        Self.apply(event, &sequence)
        if case .send = event { return }
        for number in sequence.iterators.keys where sequence.iterators[number]?.hasBegun == true {
            sequence.iterators[number]?.sawEnd = true
        }
    }

    private static func apply(_ event: History.SourceEvent, _ sequence: inout Sequence) {
        switch event {
        case .send(let count):
            sequence.sent += count
            // When nobody can consume any more, nothing is accepted.
            if sequence.end == nil, !sequence.isOver { sequence.accepted += count }
        case .finish: Self.end(.finished, &sequence)
        case .fail(let error): Self.end(.error(error), &sequence)
        case .drop:
            sequence.hasHandlers = false
            Self.end(.fault, &sequence)
        }
    }

    private static func end(_ ending: Ending, _ sequence: inout Sequence) {
        if sequence.end == nil, !sequence.isOver { sequence.end = ending }
    }

    private static func apply(_ event: History.ConsumerEvent, _ number: Int, _ sequence: inout Sequence) {
        var iterator = sequence.iterators[number] ?? Iterator()
        switch event {
        case .begin: break
        case .ask(let ask):
            // The source is started once, and does then what it does in `start`.
            let isFirst = sequence.iterators.values.allSatisfy { $0.asks == 0 }
            iterator.asks = Self.asks(iterator, ask, sequence)
            if !iterator.isCancelled { iterator.hasBegun = true }
            sequence.iterators[number] = iterator
            if iterator.hasBegun { sequence.isStarted = true }
            if isFirst { for event in sequence.course.inStart { Self.apply(event, &sequence) } }
            return
        case .cancel: iterator.isCancelled = true
        case .leave: iterator.hasLeft = true
        }
        sequence.iterators[number] = iterator
    }

    /// How often `next()` is called in all, after another wish.
    static func asks(_ iterator: Iterator, _ ask: History.Ask, _ sequence: Sequence) -> Int {
        switch ask {
        case .times(let count): min(iterator.asks + count, Self.toTheEnd)
        case .pastWhatWasSent: max(iterator.asks, sequence.accepted + 1)
        case .toTheEnd: Self.toTheEnd
        }
    }

    /// More than any source sends.
    private static let toTheEnd = Int.max / 2

    // MARK: What the player has seen

    /// Says how much a source has sent that decides that for itself.
    mutating func adopt(sent: Int, by number: Int) {
        self.sequences[number]?.sent = sent
        self.sequences[number]?.accepted = sent
    }

    /// Says that an iterator has ended.
    mutating func adoptEnd(_ iterator: Int, of number: Int) {
        self.sequences[number]?.iterators[iterator]?.hasEnded = true
    }
}
