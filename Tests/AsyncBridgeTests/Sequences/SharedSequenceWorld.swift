// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// A mock world around the machine of a shared sequence: it obeys every action, and complains.
///
/// What a pump does between two visits to the machine is one event, so that any other may come in between.
struct SharedSequenceWorld {
    /// What may happen next.
    enum Event: Hashable {
        /// A consumer comes.
        case join(Int)
        /// A consumer leaves.
        case leave(Int)
        /// The shared sequence is released.
        case release
        /// The pump of a run is noted, by the consumer that has started it.
        case note(UInt64)
        /// The pump of a run asks whether it may iterate the source, or where its element goes.
        case ask(UInt64)
        /// The pump of a run parks.
        case park(UInt64)
        /// The source gives the pump of a run an element.
        case element(UInt64)
        /// The source ends, for the pump of a run.
        case end(UInt64)
        /// The pump of a run has stopped the source.
        case stopped(UInt64)
    }

    enum Consumer: Hashable {
        case away
        case here(UInt64)
        case left
        case finished
    }

    enum Pump: Hashable {
        case asksForSource
        case willPark(forSource: Bool)
        case isParked(forSource: Bool)
        case iterates
        case asksForConsumers
        case stops
        case isGone
    }

    struct Snapshot: Hashable {
        let machine: String
        let consumers: [Consumer]
        let pumps: [UInt64: Pump]
        let isNoted: Set<UInt64>
        let isCancelled: Set<UInt64>
        let isReleased: Bool
        let elements: Int
    }

    typealias Machine = SharedSequenceStateMachine<Int, UInt64, UInt64, Never>

    private let consumerCount: Int
    private let keeps: Bool
    private var consumers: [Consumer]
    private var pumps: [UInt64: Pump] = [:]
    private var isNoted: Set<UInt64> = []
    private var isCancelled: Set<UInt64> = []
    private var isReleased = false
    private var elements = 0
    private(set) var violations: [String] = []
    private(set) var delivered = 0

    init(_ unused: UnusedSourcePolicy, consumers: Int) {
        if case .keep = unused { self.keeps = true } else { self.keeps = false }
        self.consumerCount = consumers
        self.consumers = Array(repeating: .away, count: consumers)
    }

    func snapshot(_ machine: String) -> Snapshot {
        Snapshot(
            machine: machine,
            consumers: self.consumers,
            pumps: self.pumps,
            isNoted: self.isNoted,
            isCancelled: self.isCancelled,
            isReleased: self.isReleased,
            elements: self.elements
        )
    }

    /// All that may happen from here on; nothing at the end.
    var possible: [Event] {
        var events: [Event] = []
        for (consumer, state) in self.consumers.enumerated() {
            switch state {
            case .away: if !self.isReleased { events.append(.join(consumer)) }
            case .here: events.append(.leave(consumer))
            case .left, .finished: break
            }
        }
        if !self.isReleased { events.append(.release) }
        for (run, pump) in self.pumps {
            if !self.isNoted.contains(run) { events.append(.note(run)) }
            switch pump {
            case .asksForSource, .asksForConsumers: events.append(.ask(run))
            case .willPark: events.append(.park(run))
            case .iterates:
                if self.elements < 2 { events.append(.element(run)) }
                events.append(.end(run))
            case .stops: events.append(.stopped(run))
            case .isParked, .isGone: break
            }
        }
        return events
    }

    mutating func happen(_ event: Event, _ machine: inout Machine) {
        switch event {
        case .join(let consumer):
            switch machine.join(consumer) {
            case .joins(let number, let parked):
                self.consumers[consumer] = .here(number)
                self.resume(parked, "a consumer came")
            case .starts(let number, let run):
                self.consumers[consumer] = .here(number)
                self.pumps[run] = .asksForSource
            case .ends: self.consumers[consumer] = .finished
            }
        case .leave(let consumer):
            guard case .here(let number) = self.consumers[consumer] else { return }
            self.consumers[consumer] = .left
            self.obey(machine.leave(number), of: consumer)
        case .release:
            self.isReleased = true
            self.obey(machine.release(), of: nil)
        case .note(let run):
            self.isNoted.insert(run)
            if !machine.started(run, run: run) { self.isCancelled.insert(run) }
        case .ask(let run): self.ask(run, machine: &machine)
        case .park(let run):
            guard case .willPark(let forSource) = self.pumps[run] else { return }
            self.pumps[run] = .isParked(forSource: forSource)
            if !machine.park(run, run: run) { self.resume(run, "it was not parked") }
        case .element(let run):
            self.elements += 1
            self.pumps[run] = .asksForConsumers
        case .end(let run): self.pumps[run] = .stops
        case .stopped(let run):
            self.pumps[run] = .isGone
            switch machine.pumpEnded(run: run, .success(())) {
            case .finish(let sinks): self.finish(sinks)
            case .wake(let parked): self.resume(parked, "the source is free")
            }
        }
    }

    private mutating func ask(_ run: UInt64, machine: inout Machine) {
        if self.pumps[run] == .asksForSource {
            switch machine.begin(run: run) {
            case .iterate:
                if self.pumps.values.contains(where: { [.iterates, .asksForConsumers, .stops].contains($0) }) {
                    self.violations.append("run \(run) iterates beside another one")
                }
                if self.pumps.values.contains(where: {
                    $0 == .isParked(forSource: false) || $0 == .willPark(forSource: false)
                }) {
                    self.violations.append("run \(run) iterates beside one that waits for a consumer")
                }
                self.pumps[run] = .iterates
            case .park: self.pumps[run] = .willPark(forSource: true)
            case .end: self.pumps[run] = .isGone
            }
            return
        }
        switch machine.consumers(run: run) {
        case .deliver(let sinks):
            self.delivered += 1
            let here = self.consumers.indices.filter { if case .here = self.consumers[$0] { true } else { false } }
            if sinks.sorted() != here { self.violations.append("\(sinks) get an element, not \(here)") }
            self.pumps[run] = .iterates
        case .park: self.pumps[run] = .willPark(forSource: false)
        case .end: self.pumps[run] = .stops
        }
    }

    private mutating func obey(_ action: Machine.LeaveAction, of consumer: Int?) {
        switch action {
        case .goOn(let sink): self.released(sink, by: consumer)
        case .stop(let sink, let pump, let parked):
            self.released(sink, by: consumer)
            if let pump { self.isCancelled.insert(pump) }
            self.resume(parked, "the run is over")
        }
    }

    private mutating func released(_ sink: Int?, by consumer: Int?) {
        if sink != consumer { self.violations.append("\(String(describing: sink)) is released") }
    }

    private mutating func finish(_ sinks: [Int]) {
        for sink in sinks {
            guard case .here = self.consumers[sink] else {
                self.violations.append("\(sink) is finished twice, or after it left")
                continue
            }
            self.consumers[sink] = .finished
        }
    }

    private mutating func resume(_ pump: UInt64?, _ reason: String) {
        guard let pump else { return }
        guard case .isParked(let forSource) = self.pumps[pump] else {
            self.violations.append("\(pump) is resumed, because \(reason), and was not parked")
            return
        }
        self.pumps[pump] = forSource ? .asksForSource : .asksForConsumers
    }

    /// Complains about what must not be left when nothing can happen any more.
    mutating func end() {
        for (run, pump) in self.pumps where pump != .isGone {
            self.violations.append("the pump of run \(run) is left: \(pump)")
        }
        for (consumer, state) in self.consumers.enumerated() {
            if case .here = state { self.violations.append("\(consumer) is left") }
        }
    }

    /// Complains about what must hold at any moment.
    mutating func check() {
        let isUsed = self.consumers.contains { if case .here = $0 { true } else { false } }
        // Whoever would wake a pump exists.
        for (run, pump) in self.pumps {
            switch pump {
            case .isParked(forSource: true):
                let others = self.pumps.filter { $0.key != run }.values
                if !others.contains(where: { $0 != .isGone && $0 != .asksForSource }) {
                    self.violations.append("run \(run) waits for a source that is free")
                }
            case .isParked(forSource: false):
                if isUsed { self.violations.append("run \(run) waits for a consumer beside one") }
                if self.isReleased || !self.keeps { self.violations.append("run \(run) waits for a consumer forever") }
            case .asksForSource, .willPark, .iterates, .asksForConsumers, .stops, .isGone:
                break
            }
        }
        // A noted pump that iterates for nobody is cancelled.
        let isUnused = !isUsed && (self.isReleased || !self.keeps)
        for (run, pump) in self.pumps where pump == .iterates && isUnused && self.isNoted.contains(run) {
            if !self.isCancelled.contains(run) { self.violations.append("run \(run) goes on for nobody") }
        }
    }
}

extension SharedSequenceStateMachine {
    /// The state in short.
    ///
    /// Not optimised: that ends Swift 6.2.3.
    var summary: String {
        @_optimize(none) get {
            switch self.state {
            case .idle: "idle, \(self.unused)"
            case .stopping: "stopping, \(self.unused)"
            case .used(let run):
                "\(run.number) \(run.source) \(run.consumers.inOrder) \(run.pump != nil) \(run.waiter != nil), "
                    + "\(self.unused)"
            case .ended: "ended"
            }
        }
    }
}
