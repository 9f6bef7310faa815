// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// Everybody who takes part in a sequence, each with its own program of atomic steps.
enum SequenceParticipant: Hashable, Sendable {
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
    let participants: [SequenceParticipant]
    private let complaints = Log<String>()
    private(set) var outcomes: [SequenceParticipant: Outcome] = [:]
    private let machine: MachineProbe
    private var steps: [SequenceParticipant: Step] = [:]
    private var cancelled: Set<SequenceParticipant> = []
    private var entered: [Int] = []
    private var delivered: [Int] = []
    /// What the consumer, which all copies of its iterator share, may deliver without asking.
    private var batch: [Int] = []
    private var undelivered: [Int] = []
    private var dropped = 0
    private var parked: [Int: SequenceParticipant] = [:]
    private var wokenEarly: Set<SequenceParticipant> = []
    private var parks = 0
    private var installed = 1
    private var torndown: [SequenceTermination] = []
    private var reason: SequenceTermination?
    private var isPaused = false
    /// What those do next who run an action of the source.
    private var afterAction: [SequenceParticipant: Step] = [:]

    init(_ policy: BufferingPolicy, _ participants: [SequenceParticipant]) {
        self.policy = policy
        self.participants = participants
        self.machine = MachineProbe(policy)
        for participant in participants {
            self.steps[participant] =
                switch participant {
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
        fileprivate let cancelled: Set<SequenceParticipant>
        fileprivate let wokenEarly: Set<SequenceParticipant>
        fileprivate let parked: Set<SequenceParticipant>
        fileprivate let outcomes: [SequenceParticipant: Outcome]
        fileprivate let entered: [Int]
        fileprivate let delivered: [Int]
        fileprivate let batch: [Int]
        fileprivate let undelivered: [Int]
        fileprivate let torndown: [SequenceTermination]
        fileprivate let reason: SequenceTermination?
        fileprivate let isPaused: Bool
        fileprivate let afterAction: [SequenceParticipant: Step]
    }

    var situation: Situation {
        Situation(
            machine: self.machine.fingerprint,
            steps: self.participants.map { self.steps[$0] },
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

    /// The participants that can take a step.
    var movable: [SequenceParticipant] {
        self.participants.filter { self.steps[$0] != .done && self.steps[$0] != .suspended }
    }

    mutating func step(_ participant: SequenceParticipant) {
        guard self.steps[participant] != .inAction else { return self.endAction(of: participant) }
        switch participant {
        case .consumer, .leaver, .copy: self.consume(as: participant)
        case .producer(let number): self.produce(as: participant, number)
        case .sender(let number): self.send(as: participant, number)
        case .senderCanceller(let number): self.cancel(.sender(number), by: participant)
        case .canceller: self.cancel(self.participants.contains(.leaver) ? .leaver : .consumer, by: participant)
        case .finisher: self.end(.finished, by: participant)
        case .failer: self.end(.failed(1), by: participant)
        case .installer: self.install()
        }
        if self.policy.overflow != .keep {
            self.check(self.machine.bufferedCount <= self.policy.high, "the buffer holds too much")
        }
    }
}

// MARK: - The source

extension SequenceWorld {
    private mutating func produce(as participant: SequenceParticipant, _ number: Int) {
        guard case .act(let count) = self.steps[participant] else { return }
        self.steps[participant] = count == 1 ? .done : .act(count + 1)
        let element = number * 100 + count
        self.entered.append(element)
        switch self.machine.yield(element) {
        case .accepted:
            break
        case .pleasePause:
            self.isPaused = true
            self.check(self.machine.beganAction, "the source was not told to pause")
            self.beginAction(as: participant)
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

    private mutating func end(_ end: SequenceEnd, by participant: SequenceParticipant) {
        self.steps[participant] = .done
        self.obey(self.machine.end(end), because: end == .finished ? .finished : .failed)
    }

    private mutating func install() {
        self.steps[.installer] = .done
        self.installed += 1
        guard let reason = self.machine.install() else { return }
        self.check(self.afterAction.isEmpty, "the source was torn down while an action of it ran")
        self.torndown.append(reason)
    }

    /// Runs an action of the source, which takes until the participant's next step.
    private mutating func beginAction(as participant: SequenceParticipant) {
        self.check(self.torndown.isEmpty, "an action of the source started after its teardown")
        self.check(self.reason == nil, "an action of the source started after the end")
        self.afterAction[participant] = self.steps[participant]
        self.steps[participant] = .inAction
    }

    private mutating func endAction(of participant: SequenceParticipant) {
        self.steps[participant] = self.afterAction.removeValue(forKey: participant)
        self.obey(self.machine.actionEnded(), because: self.reason)
        if participant == .leaver { self.leave(participant, .left) }
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
    private mutating func send(as participant: SequenceParticipant, _ number: Int) {
        switch self.steps[participant] {
        case .send:
            self.entered.append(number)
            // Looks whether its task is cancelled first.
            guard !self.cancelled.contains(participant) else { return self.giveBack(number) }
            self.obey(self.machine.send(number), as: participant)
        case .park:
            self.obey(self.machine.parkSender(number), as: participant)
        case .look:
            self.steps[participant] = self.wokenEarly.contains(participant) ? .done : .suspended
            if self.cancelled.contains(participant) { self.cancelSender(number) }
        case .take, .suspended, .act, .inAction, .done, nil:
            self.complaints("a sender took a step that it does not have")
        }
    }

    private mutating func obey(_ answer: SequenceAnswer, as participant: SequenceParticipant) {
        switch answer {
        case .sent(let consumer):
            self.steps[participant] = .done
            if let consumer { self.resume(consumer) }
        case .wait:
            self.steps[participant] = .park
        case .parked:
            self.steps[participant] = .look
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

    /// A parked participant's continuation is resumed.
    private mutating func wake(_ participant: SequenceParticipant) {
        switch self.steps[participant] {
        case .suspended: self.steps[participant] = participant.isConsumer ? .take : .done
        case .look where !self.wokenEarly.contains(participant): self.wokenEarly.insert(participant)
        default: self.complaints("\(participant) was resumed and was not parked")
        }
    }
}

// MARK: - Consumers

extension SequenceWorld {
    private mutating func consume(as participant: SequenceParticipant) {
        switch self.steps[participant] {
        case .take: self.take(as: participant)
        case .park: self.park(as: participant)
        case .look: self.look(as: participant)
        case .send, .suspended, .act, .inAction, .done, nil:
            self.complaints("a consumer took a step that it does not have")
        }
    }

    private mutating func take(as participant: SequenceParticipant) {
        guard !self.cancelled.contains(participant) else {
            if self.batch.isEmpty, let end = self.machine.takeEndIfNothingIsLeft() {
                return self.leave(participant, .end(end))
            }
            self.leave(participant, .cancelled)
            return self.consumerGone()
        }
        guard self.batch.isEmpty else { return self.receive(self.batch.removeFirst(), as: participant) }
        let answer = self.machine.take()
        self.batch = self.machine.takeBatch()
        switch answer {
        case .element(let element):
            self.receive(element, as: participant)
        case .elementAndDemand(let element, let senders, let tellsSource):
            for sender in senders { self.wake(.sender(sender)) }
            if tellsSource {
                self.check(self.isPaused, "the source was told of demand and was not paused")
                self.isPaused = false
            }
            guard tellsSource else { return self.receive(element, as: participant) }
            // In its order, although the participant goes on only after the action: a copy may take the next meanwhile.
            self.delivered.append(element)
            self.beginAction(as: participant)
        case .empty:
            self.steps[participant] = .park
        case .end(let end):
            self.leave(participant, .end(end))
        default:
            self.complaints("an answer that is none to take")
        }
    }

    private mutating func receive(_ element: Int, as participant: SequenceParticipant) {
        self.delivered.append(element)
        if participant == .leaver { self.leave(participant, .left) }
    }

    private mutating func park(as participant: SequenceParticipant) {
        self.parks += 1
        switch self.machine.parkConsumer(self.parks) {
        case .parked:
            self.parked[self.parks] = participant
            self.steps[participant] = .look
        case .goOn:
            self.steps[participant] = .take
        case .secondConsumer:
            self.leave(participant, .refused)
        default:
            self.complaints("an answer that is none to park")
        }
    }

    private mutating func look(as participant: SequenceParticipant) {
        if self.cancelled.contains(participant), let consumer = self.machine.wakeConsumer() { self.resume(consumer) }
        self.steps[participant] = self.wokenEarly.remove(participant) == nil ? .suspended : .take
    }

    private mutating func resume(_ number: Int) {
        guard let participant = self.parked.removeValue(forKey: number) else {
            return self.complaints("park \(number) was resumed twice, or never was")
        }
        self.wake(participant)
    }

    /// The last copy of an iterator takes the consumer with it.
    private mutating func leave(_ participant: SequenceParticipant, _ outcome: Outcome) {
        self.steps[participant] = .done
        self.outcomes[participant] = outcome
        if self.participants.allSatisfy({ !$0.isConsumer || self.steps[$0] == .done }) {
            self.consumerGone()
        }
    }

    private mutating func consumerGone() {
        self.obey(self.machine.consumerGone(returning: self.batch), because: .cancelled)
        self.batch = []
    }

    /// Cancels a task in two steps: it is cancelled, and then its handler runs.
    private mutating func cancel(_ victim: SequenceParticipant, by participant: SequenceParticipant) {
        guard self.steps[participant] == .act(1) else {
            self.cancelled.insert(victim)
            return self.steps[participant] = .act(1)
        }
        self.steps[participant] = .done
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
        for participant in self.participants where self.steps[participant] != .done {
            self.check(participant.isConsumer && self.reason == nil, "\(participant) waits forever")
            self.outcomes[participant] = .waitsForEver
        }
        self.check(self.batch.isEmpty && self.machine.bufferedCount == 0, "elements are left in the buffer")
        self.check((self.delivered + self.undelivered).sorted() == self.entered.sorted(), "lost, or there twice")
        for participant in self.participants {
            guard case .producer(let number) = participant else { continue }
            let own = self.delivered.filter { $0 / 100 == number }
            self.check(own == own.sorted(), "out of order: \(own)")
        }
        let isToBeTornDown = self.reason == nil ? 0 : self.installed
        self.check(self.torndown.count == isToBeTornDown, "torn down \(self.torndown.count) times")
        self.check(self.torndown.allSatisfy { $0 == self.reason }, "torn down as \(self.torndown)")
        self.check(self.reason != nil || !self.isPaused, "the source was left paused")
        if case .failing = self.policy, self.dropped > 0 {
            let isQuiet = self.outcomes.values.contains(.end(.finished)) && !self.outcomes.values.contains(.cancelled)
            let isTold = self.outcomes.values.contains(.end(.fault(.bufferOverflow)))
            self.check(isTold || !isQuiet, "a normal end hid a lost element")
        }
    }
}
