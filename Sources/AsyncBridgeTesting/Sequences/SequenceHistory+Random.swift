// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension SequenceHistory {
    /// Makes a history from a seed: the same for the same seed and promises.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - promises: What the bridge promises, which decides what makes sense.
    ///   - traits: What the type of its sequences tells.
    /// - Returns: The history.
    static func random(seed: UInt64, for promises: SequencePromises, _ traits: SequenceTraits) -> SequenceHistory {
        var maker = Maker(seed, promises, traits)
        return maker.make()
    }
}

/// Makes one history.
private struct Maker {
    typealias History = SequenceHistory

    private var random: SplitMix
    private var model: SequenceModel
    private let promises: SequencePromises
    private var history = History()
    private var errors = 0

    /// How many elements come where a limit may be: rarely the most, which take a second in a debug build.
    private mutating func makeLongCount() -> Int {
        self.random.isOne(of: 24) ? 100_000 : self.random.pick([5_000, 5_000, 5_000, 10_000])
    }

    init(_ seed: UInt64, _ promises: SequencePromises, _ traits: SequenceTraits) {
        self.random = SplitMix(seed: seed)
        self.model = SequenceModel(promises, traits)
        self.promises = promises
    }

    mutating func make() -> History {
        // Most mistakes show with one sequence: the more, the less happens to each.
        let count = self.random.pick([1, 1, 1, 2, 2, 3])
        for number in 1...count {
            self.add(.make(number, self.makeCourse()))
            self.add(.consumer(number, iterator: 1, .begin))
            if self.random.isOne(of: 6) { self.addIterators(number) }
        }
        for _ in 0..<(6 + 4 * count) { self.addEvent(Int.random(in: 1...count, using: &self.random)) }
        return self.history
    }

    @discardableResult
    private mutating func add(_ event: History.Event) -> Bool {
        guard self.model.admits(event) else { return false }
        self.model.apply(event)
        self.history.events.append(event)
        return true
    }

    private mutating func addEvent(_ number: Int) {
        let iterator = self.pickIterator(number)
        switch Int.random(in: 0..<24, using: &self.random) {
        case 0..<6: self.add(.consumer(number, iterator: iterator, .ask(self.makeAsk())))
        case 6..<10: self.add(.source(number, .send(self.makeCount())))
        case 10..<15: self.addFlood(number, iterator)
        case 15: self.add(.source(number, self.makeEnd()))
        case 16: self.add(.consumer(number, iterator: iterator, .cancel))
        case 17: self.add(.consumer(number, iterator: iterator, .leave))
        case 18: self.add(.release(number))
        case 19: self.addIterators(number)
        case 20: self.addRetirement(number)
        default: self.addTwoEvents(number, iterator)
        }
    }

    /// One or two iterators more, each of which asks for elements.
    private mutating func addIterators(_ number: Int) {
        for _ in 1...self.random.pick([1, 1, 2]) {
            let iterator = self.iteratorCount(number) + 1
            guard self.add(.consumer(number, iterator: iterator, .begin)) else { return }
            self.add(.consumer(number, iterator: iterator, .ask(self.makeAsk())))
        }
    }

    /// The sequence and its iterators go, and then what is left of its source, while others go on.
    private mutating func addRetirement(_ number: Int) {
        for (iterator, state) in (self.model.sequences[number]?.iterators ?? [:]).sorted(by: { $0.key < $1.key })
        where !state.hasLeft {
            if !self.model.admits(.consumer(number, iterator: iterator, .leave)) {
                self.add(.consumer(number, iterator: iterator, .cancel))
            }
            self.add(.consumer(number, iterator: iterator, .leave))
        }
        self.add(.release(number))
        self.add(.source(number, .send(1)))
        self.add(.source(number, .drop))
    }

    /// More elements than the consumer has asked for, as often as it can be, and then all of them.
    private mutating func addFlood(_ number: Int, _ iterator: Int) {
        self.add(.consumer(number, iterator: iterator, .ask(.times(1))))
        if self.promises.pauses, !self.random.isOne(of: 4) {
            guard self.add(.fill(number)) else { return }
        } else {
            // Rare, since each element takes time.
            let isLong = self.promises.overflow == .keeps && self.random.isOne(of: 16)
            let count = isLong ? self.makeLongCount() : self.makeCount()
            guard self.add(.source(number, .send(count))) else { return }
        }
        self.add(.consumer(number, iterator: iterator, .ask(.pastWhatWasSent)))
    }

    private mutating func addTwoEvents(_ number: Int, _ iterator: Int) {
        let events: [History.SourceEvent] = [.send(1), .send(1), .send(2), .send(20), self.makeEnd()]
        let actions: [History.ConsumerEvent] = [.cancel, .cancel, .leave, .ask(.times(3)), .ask(.toTheEnd)]
        let orders: [History.Order] = [.sourceFirst, .consumerFirst, .race]
        self.add(
            .together(
                number,
                self.random.pick(events),
                iterator: iterator,
                self.random.pick(actions),
                self.random.pick(orders)
            )
        )
    }

    // MARK: Choices

    private func iteratorCount(_ number: Int) -> Int { self.model.sequences[number]?.iterators.count ?? 0 }

    private mutating func pickIterator(_ number: Int) -> Int {
        let alive = (self.model.sequences[number]?.iterators ?? [:]).filter { !$0.value.hasLeft }.keys.sorted()
        return alive.isEmpty ? 1 : self.random.pick(alive)
    }

    private mutating func makeCount() -> Int {
        self.random.isOne(of: 2)
            ? 1 : Int.random(in: 1...self.random.pick([3, 3, 40, 100]), using: &self.random)
    }

    private mutating func makeAsk() -> History.Ask {
        switch Int.random(in: 0..<8, using: &self.random) {
        case 0..<4: .times(Int.random(in: 1...3, using: &self.random))
        case 4..<7: .pastWhatWasSent
        default: .toTheEnd
        }
    }

    private mutating func makeEnd() -> History.SourceEvent {
        self.errors += 1
        return self.random.pick([.finish, .finish, .fail(self.errors), .drop])
    }

    private mutating func makeCourse() -> History.Course {
        var course = History.Course()
        if self.random.isOne(of: 4) {
            if self.random.isOne(of: 2) { course.inStart.append(.send(self.makeCount())) }
            if self.random.isOne(of: 4) {
                course.inStart.append(self.makeEnd())
            } else if self.random.isOne(of: 4) {
                self.errors += 1
                course.refusal = self.errors
            }
        } else if self.random.isOne(of: 4) {
            course.inCancel.append(.send(self.makeCount()))
            if self.random.isOne(of: 2) { course.inCancel.append(self.makeEnd()) }
        }
        // Without what makes no sense here, rather than no sequence.
        return self.model.admits(.make(0, course)) ? course : History.Course()
    }
}
