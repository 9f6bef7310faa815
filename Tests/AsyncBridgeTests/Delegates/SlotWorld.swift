// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// A mock world around a slot's machine: it obeys every action, late where the storage may be late, and complains.
///
/// Each caller has two callbacks, for its turn and for its reply. A action that answers one is kept until the explorer
/// lets it happen, as another thread may come between the lock and the answer.
struct SlotWorld: ~Copyable {
    /// What may happen next.
    enum Event: Hashable {
        /// A caller comes, and lines up or joins.
        case come(UInt64)
        /// A caller whose turn was given runs, and joins.
        case proceed(UInt64)
        /// A caller's task is cancelled; it has not run yet.
        case cancel(UInt64)
        /// A caller whose wait has ended badly runs, and leaves.
        case leave(UInt64)
        /// A caller's cancel action returns.
        case stopped(UInt64)
        /// A caller's start returns: told where a newcomer waits for it.
        case started(UInt64)
        /// A caller's start throws.
        case fail(UInt64)
        case reply
        case close
        /// The oldest of the actions for a caller is done.
        case obey(UInt64)
    }

    enum End: Hashable {
        case reply
        case cancelled
        case replaced
        case busy
        case closed
        case startFailed
    }

    enum Caller: Hashable {
        case away
        /// Waits for its turn.
        case inLine
        /// Its turn was given and it has not run yet, and may have been cancelled meanwhile.
        case hasTurn(isCancelled: Bool)
        /// Was told to line up and has not yet, and may have been cancelled meanwhile.
        case mustLineUp(isCancelled: Bool)
        /// Runs its cancel action.
        case stopping(End)
        /// Waits for a reply.
        case waiting
        /// Its wait has ended and it has not run yet.
        case woken(End, hasJoined: Bool)
        case gone(End)
    }

    enum Action: Hashable {
        case giveTurn(UInt64)
        case answer(UInt64, End)
        /// Answers the callback for the turn.
        case refuseTurn(UInt64)

        var caller: UInt64 {
            switch self {
            case .giveTurn(let id), .answer(let id, _), .refuseTurn(let id): id
            }
        }
    }

    /// All that decides what may happen from here on.
    struct Snapshot: Hashable {
        let machine: String
        let callers: [UInt64: Caller]
        let actions: [UInt64: [Action]]
        let starters: Set<UInt64>
        let answeredTurns: Set<UInt64>
        let answeredWaits: Set<UInt64>
        let replies: Int
        let isClosed: Bool
    }

    private var machine: SlotMachine
    private let overlap: ReplyOverlap
    private(set) var callers: [UInt64: Caller]
    private var actions: [Action] = []
    /// Callers inside their start.
    private var starters: Set<UInt64> = []
    private var repliesLeft: Int
    private var isClosed = false
    /// The callbacks for which there was a action: there must be one at most.
    private var answeredTurns: Set<UInt64> = []
    private var answeredWaits: Set<UInt64> = []
    private(set) var violations: [String] = []

    init(_ overlap: ReplyOverlap, callers: Int, replies: Int) {
        self.machine = .make(overlap)
        self.overlap = overlap
        self.callers = Dictionary(uniqueKeysWithValues: (1...UInt64(callers)).map { ($0, .away) })
        self.repliesLeft = replies
    }

    var snapshot: Snapshot {
        Snapshot(
            machine: self.machine.summary,
            callers: self.callers,
            // Only the order of one caller's actions matters.
            actions: Dictionary(grouping: self.actions, by: \.caller),
            starters: self.starters,
            answeredTurns: self.answeredTurns,
            answeredWaits: self.answeredWaits,
            replies: self.repliesLeft,
            isClosed: self.isClosed
        )
    }

    var ends: [End] {
        self.callers.values.compactMap { caller in
            if case .gone(let end) = caller { end } else { nil }
        }
    }
}

// MARK: - What may happen

extension SlotWorld {
    var possible: [Event] {
        var events: [Event] = Set(self.actions.map(\.caller)).sorted().map { .obey($0) }
        if self.repliesLeft > 0 { events.append(.reply) }
        if !self.isClosed { events.append(.close) }
        // Callers are alike: they come in the order of their numbers.
        let newcomer = self.callers.filter { $0.value == .away }.keys.min()
        for (id, caller) in self.callers.sorted(by: { $0.key < $1.key }) {
            // A caller inside its start runs nothing else.
            if self.starters.contains(id) {
                events.append(.fail(id))
                if self.overlap == .replace { events.append(.started(id)) }
            }
            switch caller {
            case .away: if id == newcomer { events.append(.come(id)) }
            case .inLine, .waiting: events.append(.cancel(id))
            case .hasTurn(isCancelled: false), .mustLineUp(isCancelled: false): events += [.proceed(id), .cancel(id)]
            case .hasTurn(isCancelled: true), .mustLineUp(isCancelled: true): events.append(.proceed(id))
            case .stopping: events.append(.stopped(id))
            case .woken:
                // Elsewhere the end of a start is not told, so leaving stands for it.
                if self.overlap != .replace || !self.starters.contains(id) { events.append(.leave(id)) }
            case .gone: break
            }
        }
        return events
    }

    mutating func happen(_ event: Event) {
        switch event {
        case .come(let id): if self.overlap == .queue { self.lineUp(id) } else { self.join(id) }
        case .proceed(let id): self.proceed(id)
        case .cancel(let id): self.cancel(id)
        case .leave(let id): self.leave(id)
        case .stopped(let id): self.stopped(id)
        case .started(let id): self.started(id)
        case .fail(let id): self.fail(id)
        case .reply: self.reply()
        case .close: self.close()
        case .obey(let id): self.obey(id)
        }
        // The answers to callbacks that have an end already come to nothing, whenever they are given.
        self.actions.removeAll { action in
            switch action {
            case .giveTurn: false
            case .refuseTurn(let id): self.callers[id] != .inLine
            case .answer(let id, _): self.callers[id] != .waiting
            }
        }
        self.check(after: event)
    }
}

// MARK: - Events

extension SlotWorld {
    private mutating func lineUp(_ id: UInt64) {
        // Each wait for a turn has a callback of its own.
        self.answeredTurns.remove(id)
        switch self.machine.lineUp(id) {
        case .join: self.callers[id] = .hasTurn(isCancelled: false)
        case .wait: self.callers[id] = .inLine
        case .closed: self.callers[id] = .gone(.closed)
        }
    }

    private mutating func proceed(_ id: UInt64) {
        switch self.callers[id] {
        case .hasTurn(isCancelled: false): self.join(id)
        case .mustLineUp(isCancelled: false): self.lineUp(id)
        default:
            // A cancelled task does neither; it leaves at once.
            self.callers[id] = .woken(.cancelled, hasJoined: false)
            self.leave(id)
        }
    }

    private mutating func join(_ id: UInt64) {
        let membersBefore = self.members
        let isStopping = self.isStopping
        let action = self.machine.join(id)
        switch action {
        case .start, .replace, .share: if isStopping { self.complain("\(id) joined while a cancel action ran") }
        case .replaced, .lineUp, .busy, .closed: break
        }
        switch action {
        case .start:
            if !membersBefore.isEmpty { self.complain("\(id) started beside \(membersBefore)") }
            self.wait(id, starts: true)
        case .share:
            if membersBefore.isEmpty || self.overlap != .share { self.complain("\(id) shares nothing") }
            self.wait(id, starts: false)
        case .replace(let member):
            if Set([member].compactMap { $0?.id }) != membersBefore {
                self.complain("\(id) replaced \(member?.id ?? 0)")
            }
            if let member {
                if self.starters.contains(member.id) { self.complain("\(id) replaced \(member.id) inside its start") }
                self.answer(member.id, .replaced)
            }
            self.wait(id, starts: true)
        case .replaced:
            if !membersBefore.contains(where: { $0 > id }) { self.complain("\(id) was replaced by nobody") }
            self.callers[id] = .gone(.replaced)
        case .lineUp:
            if !isStopping, self.starters.isDisjoint(with: membersBefore) {
                self.complain("\(id) was told to line up for nothing")
            }
            self.callers[id] = .mustLineUp(isCancelled: false)
        case .busy:
            if membersBefore.isEmpty, !isStopping { self.complain("busy with nobody") }
            self.callers[id] = .gone(.busy)
        case .closed:
            if !self.isClosed { self.complain("closed by nobody") }
            self.callers[id] = .gone(.closed)
        }
    }

    private mutating func wait(_ id: UInt64, starts: Bool) {
        self.callers[id] = .waiting
        if starts { self.starters.insert(id) }
    }

    private mutating func cancel(_ id: UInt64) {
        switch self.callers[id] {
        case .inLine: self.callers[id] = .woken(.cancelled, hasJoined: false)
        case .waiting: self.callers[id] = .woken(.cancelled, hasJoined: true)
        case .hasTurn: self.callers[id] = .hasTurn(isCancelled: true)
        case .mustLineUp: self.callers[id] = .mustLineUp(isCancelled: true)
        case .away, .woken, .stopping, .gone, nil: self.complain("\(id) cannot be cancelled")
        }
    }

    private mutating func leave(_ id: UInt64) {
        guard case .woken(let end, _) = self.callers[id] else { return self.complain("\(id) cannot leave") }
        self.starters.remove(id)
        let stops = end != .reply && self.leaveMachine(id)
        self.callers[id] = stops ? .stopping(end) : .gone(end)
    }

    /// Whether the caller is to stop the work.
    private mutating func leaveMachine(_ id: UInt64) -> Bool {
        let wasLast = self.members == [id]
        switch self.machine.leave(id) {
        case .stop:
            if !wasLast { self.complain("\(id) stopped the others' work") }
            return true
        case .pass(let next): self.give(next)
        case .go: if wasLast { self.complain("\(id) was the last and did not stop the work") }
        }
        return false
    }

    private mutating func stopped(_ id: UInt64) {
        guard case .stopping(let end) = self.callers[id] else { return self.complain("\(id) stops nothing") }
        for next in self.machine.stopped() { self.give(next) }
        self.callers[id] = .gone(end)
    }

    private mutating func started(_ id: UInt64) {
        self.starters.remove(id)
        for next in self.machine.started(id) { self.give(next) }
    }

    private mutating func fail(_ id: UInt64) {
        self.starters.remove(id)
        let others = self.members
        let answer = self.machine.fail(id)
        let ended = Set(answer.members.map(\.id))
        if ended != (others.contains(id) ? others : []) { self.complain("\(id)'s start failed and ended \(ended)") }
        for member in ended { self.answer(member, .startFailed) }
        self.give(answer.next)
        if self.overlap == .replace { self.started(id) }
        if self.leaveMachine(id) { self.complain("\(id) stopped work that did not start") }
        self.callers[id] = .gone(.startFailed)
    }

    private mutating func reply() {
        self.repliesLeft -= 1
        let members = self.members
        let answer = self.machine.answer()
        // The world's own list: the callers that have joined and not left at this moment.
        if Set(answer.members.map(\.id)) != members { self.complain("a reply for \(members) went elsewhere") }
        for member in answer.members { self.answer(member.id, .reply) }
        self.give(answer.next)
    }

    private mutating func close() {
        self.isClosed = true
        let (members, line) = self.machine.close()
        for member in members { self.answer(member.id, .closed) }
        for place in line {
            self.countTurn(place.id)
            self.actions.append(.refuseTurn(place.id))
        }
    }

    private mutating func obey(_ id: UInt64) {
        guard let index = self.actions.firstIndex(where: { $0.caller == id }) else { return }
        switch self.actions.remove(at: index) {
        case .giveTurn:
            if self.callers[id] == .inLine {
                self.callers[id] = .hasTurn(isCancelled: false)
            } else if case .pass(let next) = self.machine.leave(id) {
                self.give(next)
            }
        case .refuseTurn: self.callers[id] = .woken(.closed, hasJoined: false)
        case .answer(_, let end): self.callers[id] = .woken(end, hasJoined: true)
        }
    }
}

// MARK: - Actions and laws

extension SlotWorld {
    /// The callers that have joined, as the world knows, and whose wait got no action.
    private var members: Set<UInt64> {
        Set(
            self.callers.filter { id, caller in
                switch caller {
                case .waiting, .woken(_, hasJoined: true): !self.answeredWaits.contains(id)
                case .away, .inLine, .hasTurn, .mustLineUp, .woken, .stopping, .gone: false
                }
            }.keys
        )
    }

    /// Whether a cancel action runs.
    private var isStopping: Bool {
        self.callers.values.contains { caller in
            if case .stopping = caller { true } else { false }
        }
    }

    private mutating func answer(_ id: UInt64, _ end: End) {
        if !self.answeredWaits.insert(id).inserted { self.complain("\(id) got a second end: \(end)") }
        self.actions.append(.answer(id, end))
    }

    private mutating func give(_ next: SlotMachine.QueuedCaller?) {
        guard let next else { return }
        self.countTurn(next.id)
        self.actions.append(.giveTurn(next.id))
    }

    private mutating func countTurn(_ id: UInt64) {
        if !self.answeredTurns.insert(id).inserted { self.complain("\(id) got its turn twice") }
    }

    private mutating func complain(_ violation: String) { self.violations.append(violation) }

    /// What must be true after every event.
    private mutating func check(after event: Event) {
        let (waiting, line) = (self.machine.waitingIDs, self.machine.line.all.map(\.id))
        for (id, caller) in self.callers {
            let hasAction = self.actions.contains { $0.caller == id }
            switch caller {
            case .waiting where !waiting.contains(id) && !hasAction: self.complain("\(event): \(id) waits forever")
            case .inLine where !line.contains(id) && !hasAction: self.complain("\(event): \(id) is in line forever")
            case .gone where waiting.contains(id) || line.contains(id): self.complain("\(event): \(id) is still held")
            case .away, .inLine, .hasTurn, .mustLineUp, .waiting, .woken, .stopping, .gone: break
            }
        }
        if !line.isEmpty, !self.isSomebodyActive { self.complain("\(event): the turn is lost, \(line) wait for it") }
    }

    /// Whether a caller will pass the turn on: one that waits for a reply, has the turn, or is about to leave with it.
    private var isSomebodyActive: Bool {
        switch self.machine.state {
        // A reply came while it was inside its start.
        case .idle: return self.overlap == .replace && !self.starters.isEmpty
        case .closed: return false
        case .starting(let member): return self.starters.contains(member.id)
        case .waiting: return self.overlap != .replace || !self.starters.isEmpty
        case .stopping: return self.isStopping
        case .granted(let id):
            if self.actions.contains(.giveTurn(id)) { return true }
            switch self.callers[id] {
            case .hasTurn: return true
            case .away, .inLine, .mustLineUp, .waiting, .woken, .stopping, .gone, nil: return false
            }
        }
    }
}

extension ReplySlotStateMachine {
    /// The callers that wait for the next reply.
    var waitingIDs: [UInt64] {
        switch self.state {
        case .starting(let member): [member.id]
        case .waiting(let first): [first.id] + self.sharers.all.map(\.id)
        case .idle, .granted, .stopping, .closed: []
        }
    }
}
