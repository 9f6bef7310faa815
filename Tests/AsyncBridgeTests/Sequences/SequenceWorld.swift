// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// Everybody who takes part in a sequence, each with its own program of atomic steps.
enum SequenceParty: Hashable, Sendable {
    /// Takes elements until the end, and parks when there are none.
    case consumer
    /// Takes one element, and leaves.
    case leaver
    /// A copy of the consumer's iterator.
    case copy
    /// Yields two elements.
    case producer(Int)
    /// Sends one element, and waits if it must.
    case sender(Int)
    case senderCanceller(Int)
    /// Cancels the task of the consumer, or of the leaver.
    case canceller
    case finisher
    case failer
    /// Installs a second teardown.
    case installer

    var isConsumer: Bool { [.consumer, .leaver, .copy].contains(self) }
}

/// A world that obeys the actions of a sequence's machine and notes whatever must not be.
struct SequenceWorld {
    enum Outcome: Hashable, Sendable {
        case end(SequenceEnd)
        case cancelled
        case left
        case refused
        case waitsForEver
    }

    fileprivate enum Step: Hashable {
        /// Looks whether its task is cancelled, and takes.
        case take
        case park
        /// Parked, and now looks whether it was cancelled before.
        case look
        case suspended
        case send
        case act(Int)
        /// Runs an action of the source.
        case inAction
        case done
    }

    let policy: BufferingPolicy
    let parties: [SequenceParty]
    private let complaints = Log<String>()
    private(set) var outcomes: [SequenceParty: Outcome] = [:]
    private let machine: MachineProbe
    private var steps: [SequenceParty: Step] = [:]
    private var cancelled: Set<SequenceParty> = []
    private var entered: [Int] = []
    private var delivered: [Int] = []
    /// What the consumer, which all copies of its iterator share, may deliver without asking.
    private var batch: [Int] = []
    private var undelivered: [Int] = []
    private var dropped = 0
    private var parked: [Int: SequenceParty] = [:]
    private var wokenEarly: Set<SequenceParty> = []
    private var parks = 0
    private var installed = 1
    private var torndown: [SequenceTermination] = []
    private var reason: SequenceTermination?
    private var isPaused = false
    /// What those do next who run an action of the source.
    private var afterAction: [SequenceParty: Step] = [:]

    init(_ policy: BufferingPolicy, _ parties: [SequenceParty]) {
        self.policy = policy
        self.parties = parties
        self.machine = MachineProbe(policy)
        for party in parties {
            self.steps[party] =
                switch party {
                case .consumer, .leaver, .copy: .take
                case .sender: .send
                case .producer, .senderCanceller, .canceller, .finisher, .failer, .installer: .act(0)
                }
        }
        self.check(self.machine.install() == nil, "a sequence began ended")
        _ = self.machine.installDemand(pausing: true)
        self.machine.endsActionsAtOnce = false
    }

    var violations: [String] { self.complaints.all }

    private func check(_ isRight: Bool, _ complaint: @autoclosure () -> String) {
        if !isRight { self.complaints(complaint()) }
    }

    /// All that decides what can happen from now on.
    struct Situation: Hashable {
        fileprivate let machine: MachineProbe.Fingerprint
        fileprivate let steps: [Step?]
        fileprivate let cancelled: Set<SequenceParty>
        fileprivate let wokenEarly: Set<SequenceParty>
        fileprivate let parked: Set<SequenceParty>
        fileprivate let outcomes: [SequenceParty: Outcome]
        fileprivate let entered: [Int]
        fileprivate let delivered: [Int]
        fileprivate let batch: [Int]
        fileprivate let undelivered: [Int]
        fileprivate let torndown: [SequenceTermination]
        fileprivate let reason: SequenceTermination?
        fileprivate let isPaused: Bool
        fileprivate let afterAction: [SequenceParty: Step]
    }

    var situation: Situation {
        Situation(
            machine: self.machine.fingerprint,
            steps: self.parties.map { self.steps[$0] },
            cancelled: self.cancelled,
            wokenEarly: self.wokenEarly,
            parked: Set(self.parked.values),
            outcomes: self.outcomes,
            entered: self.entered.sorted(),
            delivered: self.delivered,
            batch: self.batch,
            undelivered: self.undelivered.sorted(),
            torndown: self.torndown,
            reason: self.reason,
            isPaused: self.isPaused,
            afterAction: self.afterAction
        )
    }

    /// The parties that can take a step.
    var movable: [SequenceParty] { self.parties.filter { self.steps[$0] != .done && self.steps[$0] != .suspended } }

    mutating func step(_ party: SequenceParty) {
        guard self.steps[party] != .inAction else { return self.endAction(of: party) }
        switch party {
        case .consumer, .leaver, .copy: self.consume(as: party)
        case .producer(let number): self.produce(as: party, number)
        case .sender(let number): self.send(as: party, number)
        case .senderCanceller(let number): self.cancel(.sender(number), by: party)
        case .canceller: self.cancel(self.parties.contains(.leaver) ? .leaver : .consumer, by: party)
        case .finisher: self.end(.finished, by: party)
        case .failer: self.end(.failed(1), by: party)
        case .installer: self.install()
        }
        if case .bounded(let capacity, _) = self.policy {
            self.check(self.machine.bufferedCount <= capacity, "the buffer holds too much")
        }
    }
}

// MARK: - The source

extension SequenceWorld {
    private mutating func produce(as party: SequenceParty, _ number: Int) {
        guard case .act(let count) = self.steps[party] else { return }
        self.steps[party] = count == 1 ? .done : .act(count + 1)
        let element = number * 100 + count
        self.entered.append(element)
        switch self.machine.yield(element) {
        case .accepted:
            break
        case .pleasePause:
            self.isPaused = true
            self.check(self.machine.beganAction, "the source was not told to pause")
            self.beginAction(as: party)
        case .resume(let consumer):
            self.resume(consumer)
        case .drop(let element, _):
            self.dropped += 1
            self.undelivered.append(element)
        case .overflow(let element, let farewell):
            self.dropped += 1
            self.obey(farewell, because: .failed)
            self.undelivered.append(element)
        case .refuse(let element):
            self.check(self.reason != nil, "an open sequence refused \(element)")
            self.undelivered.append(element)
        default:
            self.complaints("an answer that is none to yield")
        }
        self.check(self.dropped == self.machine.droppedCount, "dropped \(self.dropped), counted otherwise")
    }

    private mutating func end(_ end: SequenceEnd, by party: SequenceParty) {
        self.steps[party] = .done
        self.obey(self.machine.end(end), because: end == .finished ? .finished : .failed)
    }

    private mutating func install() {
        self.steps[.installer] = .done
        self.installed += 1
        guard let reason = self.machine.install() else { return }
        self.check(self.afterAction.isEmpty, "the source was torn down while an action of it ran")
        self.torndown.append(reason)
    }

    /// Runs an action of the source, which takes until the party's next step.
    private mutating func beginAction(as party: SequenceParty) {
        self.check(self.torndown.isEmpty, "an action of the source started after its teardown")
        self.check(self.reason == nil, "an action of the source started after the end")
        self.afterAction[party] = self.steps[party]
        self.steps[party] = .inAction
    }

    private mutating func endAction(of party: SequenceParty) {
        self.steps[party] = self.afterAction.removeValue(forKey: party)
        self.obey(self.machine.actionEnded(), because: self.reason)
        if party == .leaver { self.leave(party, .left) }
    }

    private mutating func obey(_ farewell: Farewell, because reason: SequenceTermination?) {
        if farewell.teardowns > 0 {
            self.check(self.afterAction.isEmpty, "the source was torn down while an action of it ran")
        }
        if self.reason == nil { self.reason = reason }
        if let consumer = farewell.consumer { self.resume(consumer) }
        for sender in farewell.senders {
            self.undelivered.append(sender)
            self.wake(.sender(sender))
        }
        for _ in 0..<farewell.teardowns { self.torndown.append(farewell.reason ?? .finished) }
        self.undelivered += farewell.undelivered
    }
}

// MARK: - Senders

extension SequenceWorld {
    private mutating func send(as party: SequenceParty, _ number: Int) {
        switch self.steps[party] {
        case .send:
            self.entered.append(number)
            // Looks whether its task is cancelled first.
            guard !self.cancelled.contains(party) else { return self.giveBack(number) }
            self.obey(self.machine.send(number), as: party)
        case .park:
            self.obey(self.machine.parkSender(number), as: party)
        case .look:
            self.steps[party] = self.wokenEarly.contains(party) ? .done : .suspended
            if self.cancelled.contains(party) { self.cancelSender(number) }
        case .take, .suspended, .act, .inAction, .done, nil:
            self.complaints("a sender took a step that it does not have")
        }
    }

    private mutating func obey(_ answer: SequenceAnswer, as party: SequenceParty) {
        switch answer {
        case .sent(let consumer):
            self.steps[party] = .done
            if let consumer { self.resume(consumer) }
        case .wait:
            self.steps[party] = .park
        case .parked:
            self.steps[party] = .look
        case .refuse(let element):
            self.check(self.reason != nil, "an open sequence refused \(element)")
            self.giveBack(element)
        default:
            self.complaints("an answer that is none to send")
        }
    }

    private mutating func giveBack(_ number: Int) {
        self.steps[.sender(number)] = .done
        self.undelivered.append(number)
    }

    private mutating func cancelSender(_ number: Int) {
        guard let element = self.machine.cancelSender(number) else { return }
        self.undelivered.append(element)
        self.wake(.sender(number))
    }

    /// A parked party's continuation is resumed.
    private mutating func wake(_ party: SequenceParty) {
        switch self.steps[party] {
        case .suspended: self.steps[party] = party.isConsumer ? .take : .done
        case .look where !self.wokenEarly.contains(party): self.wokenEarly.insert(party)
        default: self.complaints("\(party) was resumed and was not parked")
        }
    }
}

// MARK: - Consumers

extension SequenceWorld {
    private mutating func consume(as party: SequenceParty) {
        switch self.steps[party] {
        case .take: self.take(as: party)
        case .park: self.park(as: party)
        case .look: self.look(as: party)
        case .send, .suspended, .act, .inAction, .done, nil:
            self.complaints("a consumer took a step that it does not have")
        }
    }

    private mutating func take(as party: SequenceParty) {
        guard !self.cancelled.contains(party) else {
            if self.batch.isEmpty, let end = self.machine.takeEndIfNothingIsLeft() {
                return self.leave(party, .end(end))
            }
            self.leave(party, .cancelled)
            return self.consumerGone()
        }
        guard self.batch.isEmpty else { return self.receive(self.batch.removeFirst(), as: party) }
        let answer = self.machine.take()
        self.batch = self.machine.takeBatch()
        switch answer {
        case .element(let element):
            self.receive(element, as: party)
        case .elementAndDemand(let element, let senders, let tellsSource):
            for sender in senders { self.wake(.sender(sender)) }
            if tellsSource {
                self.check(self.isPaused, "the source was told of demand and was not paused")
                self.isPaused = false
            }
            guard tellsSource else { return self.receive(element, as: party) }
            // In its order, although the party goes on only after the action: a copy may take the next one meanwhile.
            self.delivered.append(element)
            self.beginAction(as: party)
        case .empty:
            self.steps[party] = .park
        case .end(let end):
            self.leave(party, .end(end))
        default:
            self.complaints("an answer that is none to take")
        }
    }

    private mutating func receive(_ element: Int, as party: SequenceParty) {
        self.delivered.append(element)
        if party == .leaver { self.leave(party, .left) }
    }

    private mutating func park(as party: SequenceParty) {
        self.parks += 1
        switch self.machine.parkConsumer(self.parks) {
        case .parked:
            self.parked[self.parks] = party
            self.steps[party] = .look
        case .goOn:
            self.steps[party] = .take
        case .secondConsumer:
            self.leave(party, .refused)
        default:
            self.complaints("an answer that is none to park")
        }
    }

    private mutating func look(as party: SequenceParty) {
        if self.cancelled.contains(party), let consumer = self.machine.wakeConsumer() { self.resume(consumer) }
        self.steps[party] = self.wokenEarly.remove(party) == nil ? .suspended : .take
    }

    private mutating func resume(_ number: Int) {
        guard let party = self.parked.removeValue(forKey: number) else {
            return self.complaints("park \(number) was resumed twice, or never was")
        }
        self.wake(party)
    }

    /// The last copy of an iterator takes the consumer with it.
    private mutating func leave(_ party: SequenceParty, _ outcome: Outcome) {
        self.steps[party] = .done
        self.outcomes[party] = outcome
        if self.parties.allSatisfy({ !$0.isConsumer || self.steps[$0] == .done }) {
            self.consumerGone()
        }
    }

    private mutating func consumerGone() {
        self.obey(self.machine.consumerGone(returning: self.batch), because: .cancelled)
        self.batch = []
    }

    /// Cancels a task in two steps: it is cancelled, and then its handler runs.
    private mutating func cancel(_ victim: SequenceParty, by party: SequenceParty) {
        guard self.steps[party] == .act(1) else {
            self.cancelled.insert(victim)
            return self.steps[party] = .act(1)
        }
        self.steps[party] = .done
        if case .sender(let number) = victim {
            self.cancelSender(number)
        } else if self.steps[victim] != .done, let consumer = self.machine.wakeConsumer() {
            self.resume(consumer)
        }
    }
}

// MARK: - The end of the world

extension SequenceWorld {
    /// Nobody can move any more.
    mutating func close() {
        for party in self.parties where self.steps[party] != .done {
            self.check(party.isConsumer && self.reason == nil, "\(party) waits for ever")
            self.outcomes[party] = .waitsForEver
        }
        self.check(self.batch.isEmpty && self.machine.bufferedCount == 0, "elements are left in the buffer")
        self.check((self.delivered + self.undelivered).sorted() == self.entered.sorted(), "lost, or there twice")
        for party in self.parties {
            guard case .producer(let number) = party else { continue }
            let own = self.delivered.filter { $0 / 100 == number }
            self.check(own == own.sorted(), "out of order: \(own)")
        }
        let isToBeTornDown = self.reason == nil ? 0 : self.installed
        self.check(self.torndown.count == isToBeTornDown, "torn down \(self.torndown.count) times")
        self.check(self.torndown.allSatisfy { $0 == self.reason }, "torn down as \(self.torndown)")
        self.check(self.reason != nil || !self.isPaused, "the source was left paused")
        if case .bounded(_, .fail) = self.policy, self.dropped > 0 {
            let isQuiet = self.outcomes.values.contains(.end(.finished)) && !self.outcomes.values.contains(.cancelled)
            let isTold = self.outcomes.values.contains(.end(.fault(.bufferOverflow)))
            self.check(isTold || !isQuiet, "a normal end hid a lost element")
        }
    }
}
