// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// The machine of a slot, with nothing behind its callers.
typealias SlotMachine = ReplySlotStateMachine<Void, Void>

// MARK: - States to begin with

extension ReplySlotStateMachine<Void, Void> {
    static func make(_ overlap: ReplyOverlap) -> Self { Self(overlap: overlap) }

    /// The first caller has the turn; the others are in line.
    static func granted(to id: UInt64, inLine others: [UInt64] = []) -> Self {
        var machine = Self(overlap: .queue)
        for id in [id] + others { _ = machine.lineUp(id) }
        return machine
    }

    /// Caller 1 waits for a reply; the others are in line.
    static func waiting(_ overlap: ReplyOverlap, inLine others: [UInt64] = []) -> Self {
        var machine = Self(overlap: overlap)
        if overlap == .queue { _ = machine.lineUp(1) }
        _ = machine.join(1)
        if overlap == .replace { _ = machine.started(1) }
        for id in others { _ = machine.lineUp(id) }
        return machine
    }

    /// Caller 1 runs its start; the others are in line.
    static func starting(inLine others: [UInt64] = []) -> Self {
        var machine = Self(overlap: .replace)
        _ = machine.join(1)
        for id in others { _ = machine.lineUp(id) }
        return machine
    }

    /// Caller 1 has left and runs its cancel action; the others are in line.
    static func stopping(_ overlap: ReplyOverlap, inLine others: [UInt64] = []) -> Self {
        var machine = Self.waiting(overlap)
        _ = machine.leave(1)
        for id in others { _ = machine.lineUp(id) }
        return machine
    }

    static func closed(_ overlap: ReplyOverlap) -> Self {
        var machine = Self(overlap: overlap)
        _ = machine.close()
        return machine
    }

    mutating func lineUp(_ id: UInt64) -> LineUp { self.lineUp(QueuedCaller(id: id, turn: ())) }

    mutating func join(_ id: UInt64) -> Join { self.join(Member(id: id, reply: ())) }
}

// MARK: - Words for states and actions

extension ReplySlotStateMachine<Void, Void> {
    /// The state and the line, in short: `waiting[1] line[2,3]`.
    var summary: String {
        let state =
            switch self.state {
            case .idle: "idle"
            case .granted(let id): "granted(\(id))"
            case .starting(let member): "starting(\(member.id))"
            case .waiting(let first): "waiting\(Self.list([first.id] + self.sharers.all.map(\.id)))"
            case .stopping: "stopping"
            case .closed: "closed"
            }
        return self.line.isEmpty ? state : "\(state) line\(Self.list(self.line.all.map(\.id)))"
    }

    static func word(_ lineUp: LineUp) -> String {
        switch lineUp {
        case .join: "join"
        case .wait: "wait"
        case .closed: "closed"
        }
    }

    static func word(_ join: Join) -> String {
        switch join {
        case .start: "start"
        case .share: "share"
        case .replace(let member): "replace\(self.list(member.map { [$0.id] } ?? []))"
        case .replaced: "replaced"
        case .lineUp: "lineUp"
        case .busy: "busy"
        case .closed: "closed"
        }
    }

    static func word(_ leave: Leave) -> String {
        switch leave {
        case .stop: "stop"
        case .pass(let next): "pass(\(self.name(next)))"
        case .go: "go"
        }
    }

    static func word(_ answer: Answer) -> String {
        "\(self.list(answer.members.map(\.id)))\(self.name(answer.next))"
    }

    static func word(_ turns: [QueuedCaller]) -> String { self.list(turns.map(\.id)) }

    private static func name(_ caller: QueuedCaller?) -> String { caller.map { "\($0.id)" } ?? "-" }

    private static func list(_ ids: [UInt64]) -> String { "[\(ids.map(String.init).joined(separator: ","))]" }
}
