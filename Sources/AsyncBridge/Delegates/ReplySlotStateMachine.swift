// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The life of a slot for replies: every decision, and nothing else.
///
/// | State      | Holds                                                       | Next                            |
/// |------------|-------------------------------------------------------------|---------------------------------|
/// | `idle`     | nothing; nobody waits                                       | `waiting`, `starting`,          |
/// |            |                                                             | `granted`, `closed`             |
/// | `granted`  | the caller with the turn, not yet started (`queue` only)    | `waiting`, `idle`, `closed`     |
/// | `starting` | the caller that runs its `start` (`replace` only)           | `waiting`, `idle`, `closed`     |
/// | `waiting`  | the caller that waits for the next reply, the first of them | `idle`, `granted`, `starting`,  |
/// |            |                                                             | `stopping`, `closed`            |
/// | `stopping` | no caller; the last one to leave runs its cancel action     | `idle`, `granted`, `closed`     |
/// | `closed`   | nothing                                                     | none                            |
///
/// Beside the state there are the other callers that share the reply, and the line of callers that wait for their turn:
/// with `queue`, all; with `share` and `replace`, those that came in `stopping`; with `replace`, also those that came
/// in `starting`.
///
/// Invariant: no work is started in `stopping`: one caller's cancel action never overlaps with the next caller's work.
/// Invariant: no caller is replaced in `starting`: its work would begin later and belong to no caller.
/// Invariant: every reply goes to the callers that wait at that moment, and to none that starts later.
/// Invariant: a member leaves once: with a reply, by itself, replaced, or when the slot is closed.
package struct ReplySlotStateMachine<Reply: Sendable, Turn: Sendable>: ~Copyable {
    package struct Member: Sendable {
        package let id: UInt64
        package let reply: Reply

        package init(id: UInt64, reply: Reply) {
            self.id = id
            self.reply = reply
        }
    }

    /// A caller in the line.
    package struct QueuedCaller: Sendable {
        package let id: UInt64
        package let turn: Turn

        package init(id: UInt64, turn: Turn) {
            self.id = id
            self.turn = turn
        }
    }

    package enum State: Sendable {
        case idle
        case granted(UInt64)
        case starting(Member)
        case waiting(Member)
        case stopping
        case closed
    }

    let overlap: ReplyOverlap
    package private(set) var state = State.idle
    /// The callers that came after the waiting one, and share its reply.
    package private(set) var sharers = WaitingLine<Member>()
    package private(set) var line = WaitingLine<QueuedCaller>()

    package init(overlap: ReplyOverlap) { self.overlap = overlap }
}

// MARK: - The callers' events

extension ReplySlotStateMachine {
    /// What a caller does after it has asked for its turn.
    package enum LineUp: Sendable {
        /// Join.
        case join
        /// Wait until the turn is given.
        case wait
        case closed
    }

    /// A caller comes, under the policy `queue`; or it could not join because the slot was `stopping` or `starting`.
    package mutating func lineUp(_ caller: QueuedCaller) -> LineUp {
        switch (self.state, self.overlap) {
        case (.idle, .queue):
            self.state = .granted(caller.id)
            return .join
        case (.idle, _), (.waiting, .share), (.waiting, .replace), (.waiting, .reject):
            // The slot has become free meanwhile, and another caller may have it: join as the policy says.
            return .join
        case (.granted, _), (.starting, _), (.waiting, .queue), (.stopping, _):
            self.line.append(caller, id: caller.id)
            return .wait
        case (.closed, _):
            return .closed
        }
    }

    /// What a caller does after it has joined.
    package enum Join: Sendable {
        /// Start the work.
        case start
        /// Wait: the work has been started.
        case share
        /// Start the work, then call ``started(_:)``. Tell the previous caller, if any, that it was replaced.
        case replace(Member?)
        /// A newer caller has the slot already.
        case replaced
        /// Line up first: a cancel action is running, or the `start` of the caller that is to be replaced.
        case lineUp
        case busy
        case closed
    }

    /// A caller wants the next reply.
    package mutating func join(_ member: Member) -> Join {
        switch (self.state, self.overlap) {
        case (.idle, .replace):
            self.state = .starting(member)
            return .replace(nil)
        case (.idle, _):
            self.state = .waiting(member)
            return .start
        case (.granted(let id), _):
            // Another caller has the turn: only if this one did not line up, which the storage does not allow.
            guard id == member.id else { return .busy }
            self.state = .waiting(member)
            return .start
        case (.waiting, .share):
            self.sharers.append(member, id: member.id)
            return .share
        case (.waiting(let old), .replace):
            // Callers that waited for a cancel action may run in any order: the newest has the slot.
            if old.id > member.id { return .replaced }
            self.state = .starting(member)
            return .replace(old)
        case (.starting(let old), _):
            return old.id > member.id ? .replaced : .lineUp
        case (.waiting, .reject), (.waiting, .queue), (.stopping, .reject), (.stopping, .queue):
            return .busy
        case (.stopping, .share), (.stopping, .replace):
            return .lineUp
        case (.closed, _):
            return .closed
        }
    }

    /// The `start` of a caller that was told to replace has returned, or thrown.
    ///
    /// - Returns: The callers that may join now.
    package mutating func started(_ id: UInt64) -> [QueuedCaller] {
        switch self.state {
        case .starting(let member) where member.id == id:
            self.state = .waiting(member)
            return self.line.removeAll()
        case .idle, .waiting:
            // It had its reply before, and another caller may have come since.
            return self.line.removeAll()
        case .granted, .starting, .stopping, .closed:
            // The caller whose start or cancel action runs now passes the turn on; or all were told.
            return []
        }
    }

    /// What a caller does after it has left.
    package enum Leave: Sendable {
        /// It was the last one: stop the work, then call ``stopped()``.
        case stop
        /// Nothing: other callers still wait for the reply, or it had no part in the work.
        case go
        /// It had the turn and had not started: only give the turn to the next in line.
        case pass(next: QueuedCaller?)
    }

    /// A caller was cancelled, timed out, or could not start.
    ///
    /// The member is released here, under the lock, and that runs no user code: its wait is over, and a slot's
    /// callbacks have no handler for late values.
    package mutating func leave(_ id: UInt64) -> Leave {
        switch self.state {
        case .granted(id):
            return .pass(next: self.grantNext())
        case .waiting(let first) where first.id == id:
            guard let next = self.sharers.popFirst() else {
                self.state = .stopping
                return .stop
            }
            self.state = .waiting(next)
            return .go
        case .idle, .granted, .starting, .waiting, .stopping, .closed:
            if self.sharers.remove(id) == nil { _ = self.line.remove(id) }
            return .go
        }
    }

    /// The cancel action has returned: the slot is free.
    ///
    /// - Returns: The callers whose turn it is: the first in line with `queue`, all with `share` and `replace`.
    package mutating func stopped() -> [QueuedCaller] {
        switch (self.state, self.overlap) {
        case (.stopping, .queue):
            return self.grantNext().map { [$0] } ?? []
        case (.stopping, _):
            self.state = .idle
            return self.line.removeAll()
        case (.idle, _), (.granted, _), (.starting, _), (.waiting, _), (.closed, _):
            // Closed meanwhile; the line has been told. The other states are impossible: `stopping` is left only here.
            return []
        }
    }

    /// A caller's work could not be started.
    ///
    /// - Returns: The callers that wait for that work, this one among them. None if it already had its reply, or was
    ///   replaced: those waiting now have begun their own work.
    package mutating func fail(_ id: UInt64) -> Answer {
        switch self.state {
        case .starting(let member) where member.id == id: self.answer()
        // The callers that share the work came after it.
        case .waiting(let first) where first.id == id: self.answer()
        case .idle, .granted, .starting, .waiting, .stopping, .closed: Answer(members: [], next: nil)
        }
    }

    private mutating func grantNext() -> QueuedCaller? {
        let next = self.line.popFirst()
        self.state = next.map { .granted($0.id) } ?? .idle
        return next
    }
}

// MARK: - The delegate's events

extension ReplySlotStateMachine {
    /// The callers that a reply is for.
    package struct Answer: Sendable {
        package var members: [Member]
        package var next: QueuedCaller?
    }

    /// A reply has come.
    package mutating func answer() -> Answer {
        switch self.state {
        case .waiting(let first):
            let members = [first] + self.sharers.removeAll()
            guard self.overlap == .queue else {
                self.state = .idle
                return Answer(members: members, next: nil)
            }
            return Answer(members: members, next: self.grantNext())
        case .starting(let member):
            // The callers in line get their turn when its `start` has returned.
            self.state = .idle
            return Answer(members: [member], next: nil)
        // Nobody waits for it; a delegate may call more often than it was asked.
        case .idle, .granted, .stopping, .closed:
            return Answer(members: [], next: nil)
        }
    }

    /// The slot is released.
    ///
    /// - Returns: The callers that waited for a reply, and those that waited for their turn.
    package mutating func close() -> (members: [Member], line: [QueuedCaller]) {
        let members: [Member] =
            switch self.state {
            case .starting(let member): [member]
            case .waiting(let first): [first] + self.sharers.removeAll()
            case .idle, .granted, .stopping, .closed: []
            }
        self.state = .closed
        return (members, self.line.removeAll())
    }
}
