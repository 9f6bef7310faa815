// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Plays a history on a bridge, one event at a time, and compares with the model after each.
struct SequenceHistoryPlayer {
    typealias History = SequenceHistory

    /// Makes a sequence of a source's elements.
    typealias Bridge = @Sendable (SequenceSource) -> OneThreadSequence

    let stage: Stage
    let promises: SequencePromises
    let traits: SequenceTraits
    var model: SequenceModel
    private(set) var sequences: [Int: PlayedSequence] = [:]
    /// The errors with which the sources have failed, by their numbers.
    private(set) var errors: [Int: SourceError] = [:]
    /// How many elements of each iterator have been compared.
    var compared: [ObjectIdentifier: Int] = [:]
    /// What had become of the elements of each sequence that is over when that was compared.
    var comparedHandBacks: [Int: ElementCounts] = [:]
    private let bridge: Bridge
    /// The events that made sense.
    private var played: [History.Event] = []

    var report: TrialReport { self.stage.report }

    private init(_ bridge: @escaping Bridge, _ promises: SequencePromises, _ traits: SequenceTraits, _ stage: Stage) {
        self.bridge = bridge
        self.promises = promises
        self.traits = traits
        self.model = SequenceModel(promises, traits)
        self.stage = stage
    }

    /// Plays up to the first violation.
    static func play(
        _ history: History,
        _ bridge: @escaping Bridge,
        _ promises: SequencePromises,
        _ traits: SequenceTraits,
        _ report: TrialReport
    ) async -> HistoryFinding<History>? {
        let stage = Stage(report, patience: promises.patience, VainWaits())
        var player = Self(bridge, promises, traits, stage)
        for event in history.events where report.violations.isEmpty { await player.play(event) }
        let count = player.played.count
        while report.violations.isEmpty, let event = player.closingEvent { await player.play(event) }
        // What comes after a violation may be its consequence.
        var isTimed = report.violations.isEmpty ? nil : stage.hasWaitedInVain
        // Whether the bridge keeps them is seen at the end.
        player.errors = [:]
        await player.finish()
        isTimed = isTimed ?? stage.hasWaitedInVain
        return report.violations.first.map {
            HistoryFinding(
                violation: $0,
                history: History(events: Array(player.played.prefix(count))),
                steps: History(events: player.played).steps,
                isTimed: isTimed == true
            )
        }
    }

    private mutating func play(_ event: History.Event) async {
        guard self.model.admits(event), !self.isTooEarly(event) else { return }
        self.played.append(event)
        self.model.apply(event)
        await self.perform(event)
        guard self.report.violations.isEmpty else { return }
        await self.compare()
    }

    /// Whether the event releases an iterator that is in use: in most cases the model knows.
    private func isTooEarly(_ event: History.Event) -> Bool {
        switch event {
        case .consumer(let number, let iterator, .leave), .together(let number, _, let iterator, .leave, _):
            self.sequences[number]?[iterator]?.state.value.isAsking == true
        case .make, .release, .consumer, .source, .fill, .together: false
        }
    }

    /// What is next to be done so that everything is over.
    private var closingEvent: History.Event? {
        for (number, sequence) in self.sequences.sorted(by: { $0.key < $1.key }) {
            for (iterator, state) in sequence.allIterators.map({ ($0.number, $0.iterator.state.value) })
            where !state.hasLeft { return .consumer(number, iterator: iterator, state.isAsking ? .cancel : .leave) }
            if self.model.sequences[number]?.isReleased == false { return .release(number) }
        }
        return nil
    }

    // MARK: Acting

    private mutating func perform(_ event: History.Event) async {
        if case .make(let number, let course) = event { return await self.make(number, course) }
        guard let sequence = self.sequences[event.sequence] else { return }
        switch event {
        case .make: break
        case .release:
            let sequence = sequence.sequence.value
            self.stage.thread.perform { sequence?.release() }
            await self.stage.suspended { self.place }
        case .consumer(_, let iterator, let event): await self.perform(event, iterator, sequence)
        case .source(_, let event): await self.onSourceThread(event, sequence)
        case .fill: await self.fill(sequence)
        case .together(_, let sourceEvent, let iterator, let event, let order):
            await self.perform(sourceEvent, event, iterator, sequence, order)
        }
    }

    private mutating func make(_ number: Int, _ course: History.Course) async {
        let played = PlayedSequence(number, self.stage.lifetimes)
        self.sequences[number] = played
        let inStart = course.inStart.map { self.action($0) }
        played.source.onStart { source in
            // A cold sequence may be started anew by a second iterator.
            guard source.record.value.starts == 1 else { return }
            for event in inStart { event(played) }
        }
        let inCancel = course.inCancel.map { self.action($0) }
        if !inCancel.isEmpty { played.source.onCancel { _ in for event in inCancel { event(played) } } }
        if let refusal = course.refusal { played.source.refuse(self.error(refusal)) }
        let bridge = self.bridge
        _ = Task(executorPreference: self.stage.thread.executor) {
            let sequence = bridge(SequenceSource(played.source))
            played.sequence.update { $0 = sequence }
        }
        if await !self.stage.wait(for: played.sequence, until: { $0 != nil }) {
            await self.stage.reportHang(
                of: .noBlocking,
                "expected sequence \(number) to be made, but the bridge did not return"
            ) { self.place }
        }
        await self.stage.suspended { self.place }
    }

    private mutating func action(_ event: History.SourceEvent) -> @Sendable (PlayedSequence) -> Void {
        switch event {
        case .send(let count): return { $0.send(count) }
        case .finish: return { $0.source.complete() }
        case .fail(let number):
            let error = self.error(number)
            return { $0.source.complete(error) }
        case .drop: return { $0.source.forget() }
        }
    }

    private mutating func error(_ number: Int) -> SourceError {
        if let error = self.errors[number] { return error }
        let error = self.stage.makeError()
        self.errors[number] = error
        return error
    }

    private mutating func onSourceThread(_ event: History.SourceEvent, _ sequence: PlayedSequence) async {
        if case .send(let count) = event {
            for part in (1...count).parts where self.report.violations.isEmpty {
                await self.stage.onSourceThread { sequence.send(part.count) }
            }
            return
        }
        let action = self.action(event)
        await self.stage.onSourceThread { action(sequence) }
    }

    /// Lets the source send until it is asked to pause.
    private mutating func fill(_ sequence: PlayedSequence) async {
        let record = sequence.source.record
        let pauses = record.value.pauses
        await self.stage.onSourceThread { for _ in 0..<1000 where !record.value.isPaused { sequence.send(1) } }
        self.model.adopt(sent: sequence.sent, by: sequence.number)
        // Race: a bridge lets one thread at a time ask its source. If that is the consumer's, it may come to it later.
        if await self.stage.wait(for: record, until: { $0.isPaused || $0.pauses > pauses }) { return }
        self.report.violation(
            of: .backPressure,
            "expected the source of sequence \(sequence.number) to be asked to pause, but it was not"
        )
    }

    private func perform(_ event: History.ConsumerEvent, _ number: Int, _ sequence: PlayedSequence) async {
        if event == .begin {
            guard let made = sequence.sequence.value else { return }
            let iterator = PlayedIterator()
            sequence[number] = iterator
            iterator.begin(made, of: sequence.source, on: self.stage.thread)
            return await self.stage.suspended { self.place }
        }
        guard let iterator = sequence[number] else { return }
        switch event {
        case .begin: break
        case .ask: self.ask(iterator, number, sequence)
        case .cancel: await self.cancel(iterator, sequence)
        case .leave: await self.leave(iterator, number, sequence)
        }
    }

    private func ask(_ iterator: PlayedIterator, _ number: Int, _ sequence: PlayedSequence) {
        guard let asks = self.model.sequences[sequence.number]?.iterators[number]?.asks else { return }
        iterator.state.update { $0.asks = asks }
    }

    private func cancel(_ iterator: PlayedIterator, _ sequence: PlayedSequence) async {
        _ = await self.stage.cancel({ iterator.cancel() }) { sequence.source.progress.hangsInsideCancel }
    }

    private func leave(_ iterator: PlayedIterator, _ number: Int, _ sequence: PlayedSequence) async {
        iterator.state.update { $0.mustLeave = true }
        if await self.stage.wait(for: iterator.state, until: \.hasLeft) {
            return await self.stage.suspended { self.place }
        }
        await self.stage.reportHang(
            of: .noBlocking,
            "expected the release of iterator \(number) of sequence \(sequence.number) to return, but it hangs"
        ) { self.place }
    }

    private mutating func perform(
        _ sourceEvent: History.SourceEvent,
        _ event: History.ConsumerEvent,
        _ number: Int,
        _ sequence: PlayedSequence,
        _ order: History.Order
    ) async {
        let action = self.action(sourceEvent)
        let player = self
        switch order {
        case .sourceFirst, .consumerFirst:
            await self.stage.whileThreadIsHeld {
                if order == .sourceFirst { await player.stage.onSourceThread { action(sequence) } }
                // Its task goes on afterwards.
                if event == .leave { sequence[number]?.state.update { $0.mustLeave = true } }
                if event != .leave { await player.perform(event, number, sequence) }
                if order == .consumerFirst { await player.stage.onSourceThread { action(sequence) } }
            }
        case .race:
            let line = StartLine(round: self.played.count, delays: -400..<400)
            guard let iterator = sequence[number] else { return }
            let isDone = Watched(false)
            self.stage.begin {
                line.first()
                switch event {
                case .begin: break
                case .ask: player.ask(iterator, number, sequence)
                case .cancel: iterator.cancel()
                case .leave: iterator.state.update { $0.mustLeave = true }
                }
                isDone.update { $0 = true }
            }
            await self.stage.onSourceThread {
                line.second()
                action(sequence)
            }
            if await !self.stage.wait(for: isDone, until: { $0 }) {
                self.report.violation(of: .noBlocking, "expected task.cancel() to return, but it hangs")
            }
        }
        if event == .leave { await self.perform(event, number, sequence) }
    }
}
