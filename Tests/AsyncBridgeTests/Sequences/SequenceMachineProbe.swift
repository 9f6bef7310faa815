// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// What a sequence's machine told its caller to do, with numbers for continuations, so that it can be compared.
enum SequenceAnswer: Equatable, Sendable {
    case accepted
    case pleasePause
    case resume(Int)
    case drop(Int, isFirst: Bool)
    case overflow(Int, Farewell)
    case refuse(Int)
    case sent(consumer: Int?)
    case wait(Int)
    case parked
    case goOn
    case secondConsumer
    case element(Int)
    case elementAndDemand(Int, senders: [Int], tellsSource: Bool)
    case empty
    case end(SequenceEnd)
}

enum SequenceEnd: Hashable, Sendable {
    case finished
    case failed(Int)
    case fault(BridgeFault.Code)
}

/// All actions of somebody who ended something.
struct Farewell: Equatable, Sendable {
    var consumer: Int?
    var senders: [Int] = []
    var undelivered: [Int] = []
    var teardowns = 0
    /// Only of interest where there are teardowns.
    var reason: SequenceTermination?
    var releasesDemandAction = false
    var unseenEnd: SequenceEnd?

    static let nothing = Farewell()
}

/// A machine with plain numbers for elements and continuations.
///
/// The continuations are numbers in disguise: the machine only passes them on, and nobody ever resumes them.
final class MachineProbe {
    typealias Machine = SequenceStateMachine<Int, APIError>

    private var machine: Machine

    /// Whether each action of the source returns at once; otherwise the test says when, with ``actionEnded()``.
    var endsActionsAtOnce = true

    /// Whether the last event told its caller to run an action of the source.
    private(set) var beganAction = false

    init(_ policy: BufferingPolicy) { self.machine = Machine(policy: policy) }

    var droppedCount: Int { self.machine.droppedCount }

    var bufferedCount: Int { self.machine.bufferedCount }

    var batchCount: Int { self.machine.batchCount }

    /// Everything in the machine that may differ between two moments.
    struct Fingerprint: Hashable {
        let buffer: [Int]
        let batchCount: Int
        let senders: [Int]
        let hasConsumer: Bool
        let demand: Machine.Demand
        let droppedCount: Int
        let runningActions: Int
        let phase: Phase

        enum Phase: Hashable {
            case open
            case draining(SequenceEnd)
            case closed
        }
    }

    var fingerprint: Fingerprint {
        let buffer = self.machine.buffer.removeAll()
        for element in buffer { self.machine.buffer.append(element) }
        let senders = self.machine.senders.removeAll()
        for sender in senders { self.machine.senders.append(sender, id: sender.id) }
        let phase: Fingerprint.Phase =
            switch self.machine.phase {
            case .open: .open
            case .draining(let end): .draining(Self.end(end))
            case .closed: .closed
            }
        return Fingerprint(
            buffer: buffer,
            batchCount: self.batchCount,
            senders: senders.map(\.element),
            hasConsumer: self.machine.consumer != nil,
            demand: self.machine.demand,
            droppedCount: self.droppedCount,
            runningActions: self.machine.runningActions,
            phase: phase
        )
    }

    // MARK: The source's events

    func yield(_ element: Int) -> SequenceAnswer {
        self.beganAction = false
        switch self.machine.yield(element) {
        case .accepted: return .accepted
        case .acceptedPleasePause(let action):
            self.begin(action)
            return .pleasePause
        case .resume(let consumer): return .resume(Self.number(of: consumer))
        case .drop(let element, let isFirst): return .drop(element, isFirst: isFirst)
        case .overflow(let element, let ending): return .overflow(element, Self.farewell(ending))
        case .refuse(let element): return .refuse(element)
        }
    }

    private func begin(_ action: (@Sendable () -> Void)?) {
        self.beganAction = action != nil
        if self.beganAction, self.endsActionsAtOnce { _ = self.machine.actionEnded() }
    }

    /// An action is to run that no event told the caller to run.
    func beginAction() -> Bool { self.machine.beginAction() }

    /// An action of the source has returned.
    func actionEnded() -> Farewell { Self.farewell(self.machine.actionEnded()) }

    func end(_ end: SequenceEnd = .finished) -> Farewell {
        switch end {
        case .finished: Self.farewell(self.machine.end(.finished))
        case .failed(let code): Self.farewell(self.machine.end(.failed(APIError(code: code))))
        case .fault(let code): Self.farewell(self.machine.end(.fault(code)))
        }
    }

    /// The reason with which the teardown is to run at once, if it is.
    func install() -> SequenceTermination? { self.machine.install { _ in } }

    /// Whether the action is to run at once.
    func installDemand(pausing: Bool = false) -> Bool {
        self.beganAction = false
        let action: @Sendable () -> Void = {}
        switch self.machine.installDemand(action, pause: pausing ? action : nil) {
        case .keep: return false
        case .run:
            self.begin(action)
            return true
        }
    }

    // MARK: Senders

    func send(_ element: Int) -> SequenceAnswer {
        switch self.machine.send(element) {
        case .sent(let consumer): .sent(consumer: consumer.map(Self.number))
        case .wait(let element): .wait(element)
        case .refuse(let element): .refuse(element)
        }
    }

    /// Parks a sender whose number is that of its element.
    func parkSender(_ element: Int) -> SequenceAnswer {
        let continuation = unsafe unsafeBitCast(element, to: SenderContinuation<Int>.self)
        switch self.machine.park(element, id: UInt64(element), continuation) {
        case .sent(let consumer): return .sent(consumer: consumer.map(Self.number))
        case .parked: return .parked
        case .refuse(let element): return .refuse(element)
        }
    }

    /// The element that comes back, if the sender was waiting.
    func cancelSender(_ number: Int) -> Int? { self.machine.cancelSender(id: UInt64(number))?.element }

    // MARK: The consumer's events

    func take() -> SequenceAnswer {
        self.beganAction = false
        switch self.machine.take() {
        case .element(let element):
            return .element(element)
        case .elementAndDemand(let element, let wake):
            self.begin(wake.demandAction)
            return .elementAndDemand(
                element,
                senders: wake.senders.map(Self.number),
                tellsSource: wake.demandAction != nil
            )
        case .empty:
            return .empty
        case .end(let end):
            return .end(Self.end(end))
        }
    }

    /// What is batch after an element was taken.
    func takeBatch() -> [Int] {
        var batch = RingBuffer<Int>()
        self.machine.takeBatch(into: &batch)
        return batch.removeAll()
    }

    func parkConsumer(_ number: Int) -> SequenceAnswer {
        switch self.machine.park(unsafe unsafeBitCast(number, to: ParkedContinuation.self)) {
        case .parked: .parked
        case .goOn: .goOn
        case .secondConsumer: .secondConsumer
        }
    }

    func wakeConsumer() -> Int? { self.machine.wakeConsumer().map(Self.number) }

    func takePlace() -> Machine.TakePlaceAction { self.machine.takePlace() }

    func takeEndIfNothingIsLeft() -> SequenceEnd? { self.machine.takeEndIfNothingIsLeft().map(Self.end) }

    func consumerGone(returning batch: [Int] = []) -> Farewell {
        Self.farewell(self.machine.consumerGone(returning: batch))
    }

    func sequenceGone() -> Farewell { Self.farewell(self.machine.sequenceGone()) }

    // MARK: Translation

    // Safe: both are one pointer in size, and were made from a number.
    private static func number(of consumer: ParkedContinuation) -> Int { unsafe unsafeBitCast(consumer, to: Int.self) }

    private static func number(of sender: SenderContinuation<Int>) -> Int { unsafe unsafeBitCast(sender, to: Int.self) }

    private static func end(_ end: Machine.End) -> SequenceEnd {
        switch end {
        case .finished: .finished
        case .failed(let error): .failed(error.code)
        case .fault(let code): .fault(code)
        }
    }

    private static func farewell(_ ending: Machine.Ending) -> Farewell {
        Farewell(
            consumer: ending.consumer.map(self.number),
            // A sender's number is that of its element, which must come back with it.
            senders: ending.senders.map { self.number(of: $0.continuation) == $0.element ? $0.element : -1 },
            undelivered: ending.undelivered,
            teardowns: ending.teardown.count,
            reason: ending.teardown.isEmpty ? nil : ending.reason,
            releasesDemandAction: ending.demandAction != nil,
            unseenEnd: ending.unseenEnd.map(self.end)
        )
    }
}
