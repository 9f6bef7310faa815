// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("ReplySlotStateMachine: every state × every event", .timeLimit(.minutes(10)))
struct ReplySlotStateMachineTests {
    static let all: [ReplyOverlap] = [.share, .queue, .reject, .replace]

    /// The policies whose callers do not take turns.
    static let withoutTurns: [ReplyOverlap] = [.share, .reject, .replace]

    // MARK: A caller lines up

    @Suite("A caller who lines up") struct LineUp {
        @Test func `when idle, gets the turn`() {
            var machine = SlotMachine.make(.queue)
            #expect(SlotMachine.word(machine.lineUp(1)) == "join")
            #expect(machine.summary == "granted(1)")
        }

        @Test func `when granted, waits`() {
            var machine = SlotMachine.granted(to: 1)
            #expect(SlotMachine.word(machine.lineUp(2)) == "wait")
            #expect(machine.summary == "granted(1) line[2]")
        }

        @Test func `when waiting, waits behind those who came before`() {
            var machine = SlotMachine.waiting(.queue, inLine: [2])
            #expect(SlotMachine.word(machine.lineUp(3)) == "wait")
            #expect(machine.summary == "waiting[1] line[2,3]")
        }

        @Test func `when closed, is refused`() {
            var machine = SlotMachine.closed(.queue)
            #expect(SlotMachine.word(machine.lineUp(1)) == "closed")
            #expect(machine.summary == "closed")
        }
    }

    // MARK: A caller joins

    @Suite("A caller who joins") struct Join {
        @Test(arguments: all)
        func `when idle, starts the work`(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.make(overlap)
            #expect(SlotMachine.word(machine.join(1)) == (overlap == .replace ? "replace[]" : "start"))
            #expect(machine.summary == (overlap == .replace ? "starting(1)" : "waiting[1]"))
        }

        @Test func `when granted to it, starts the work`() {
            var machine = SlotMachine.granted(to: 1, inLine: [2])
            #expect(SlotMachine.word(machine.join(1)) == "start")
            #expect(machine.summary == "waiting[1] line[2]")
        }

        @Test func `when granted to another, is refused`() {
            var machine = SlotMachine.granted(to: 1)
            #expect(SlotMachine.word(machine.join(2)) == "busy")
            #expect(machine.summary == "granted(1)")
        }

        @Test(arguments: [
            (ReplyOverlap.share, "share", "waiting[1,2]"),
            (.reject, "busy", "waiting[1]"),
            (.queue, "busy", "waiting[1]"),
            (.replace, "replace[1]", "starting(2)"),
        ]
        )
        func `when another waits, does as the policy says`(_ overlap: ReplyOverlap, _ action: String, _ summary: String)
        {
            var machine = SlotMachine.waiting(overlap)
            #expect(SlotMachine.word(machine.join(2)) == action)
            #expect(machine.summary == summary)
        }

        @Test(arguments: all)
        func `when closed, is refused`(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.closed(overlap)
            #expect(SlotMachine.word(machine.join(1)) == "closed")
            #expect(machine.summary == "closed")
        }
    }

    // MARK: A caller leaves

    @Suite("A caller who leaves") struct Leave {
        @Test(arguments: all)
        func `when idle, has nothing to do`(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.make(overlap)
            #expect(SlotMachine.word(machine.leave(1)) == "go")
            #expect(machine.summary == "idle")
        }

        @Test func `when granted to it, passes the turn on`() {
            var machine = SlotMachine.granted(to: 1, inLine: [2, 3])
            #expect(SlotMachine.word(machine.leave(1)) == "pass(2)")
            #expect(machine.summary == "granted(2) line[3]")
        }

        @Test func `when granted to it, and nobody is in line, leaves the slot idle`() {
            var machine = SlotMachine.granted(to: 1)
            #expect(SlotMachine.word(machine.leave(1)) == "pass(-)")
            #expect(machine.summary == "idle")
        }

        @Test func `when granted to another, leaves the line`() {
            var machine = SlotMachine.granted(to: 1, inLine: [2, 3])
            #expect(SlotMachine.word(machine.leave(2)) == "go")
            #expect(machine.summary == "granted(1) line[3]")
        }

        @Test(arguments: all)
        func `as the last one who waits, stops the work`(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.waiting(overlap)
            #expect(SlotMachine.word(machine.leave(1)) == "stop")
            #expect(machine.summary == "stopping")
        }

        @Test func `when waiting, stops the work and keeps the turn until then`() {
            var machine = SlotMachine.waiting(.queue, inLine: [2])
            #expect(SlotMachine.word(machine.leave(1)) == "stop")
            #expect(machine.summary == "stopping line[2]")
        }

        @Test(arguments: [(1, "waiting[2]"), (2, "waiting[1]")])
        func `when others share the work, lets it go on`(_ id: UInt64, _ summary: String) {
            var machine = SlotMachine.waiting(.share)
            _ = machine.join(2)
            #expect(SlotMachine.word(machine.leave(id)) == "go")
            #expect(machine.summary == summary)
        }

        /// 10,000 took 8 s when each looked at all others.
        @Test(arguments: [false, true])
        func `costs a few steps each, in whatever order they leave`(isBackwards: Bool) {
            var machine = SlotMachine.make(.share)
            let ids = Array(UInt64(1)...10_000)
            for id in ids { _ = machine.join(id) }
            for id in isBackwards ? ids.reversed() : ids { _ = machine.leave(id) }
            #expect(machine.summary == "stopping")
            #expect(machine.sharers.steps <= 4 * ids.count)
        }

        @Test func `from the line, leaves the one who waits`() {
            var machine = SlotMachine.waiting(.queue, inLine: [2, 3])
            #expect(SlotMachine.word(machine.leave(2)) == "go")
            #expect(machine.summary == "waiting[1] line[3]")
        }

        @Test func `after it was replaced, leaves its successor alone`() {
            var machine = SlotMachine.waiting(.replace)
            _ = machine.join(2)
            #expect(SlotMachine.word(machine.leave(1)) == "go")
            #expect(machine.summary == "starting(2)")
        }

        @Test(arguments: all)
        func `when closed, has nothing to do`(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.closed(overlap)
            #expect(SlotMachine.word(machine.leave(1)) == "go")
            #expect(machine.summary == "closed")
        }
    }
}

extension ReplySlotStateMachineTests {
    // MARK: A caller's start fails

    @Suite("A caller whose work cannot be started") struct Fail {
        @Test func `ends: together with those who share the work`() {
            var machine = SlotMachine.waiting(.share)
            _ = machine.join(2)
            #expect(SlotMachine.word(machine.fail(1)) == "[1,2]-")
            #expect(machine.summary == "idle")
        }

        @Test func `passes the turn on`() {
            var machine = SlotMachine.waiting(.queue, inLine: [2])
            #expect(SlotMachine.word(machine.fail(1)) == "[1]2")
            #expect(machine.summary == "granted(2)")
        }

        @Test(arguments: withoutTurns)
        func `leaves those alone who came after its reply`(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.waiting(overlap)
            _ = machine.answer()
            _ = machine.join(2)
            #expect(SlotMachine.word(machine.fail(1)) == "[]-")
            #expect(machine.summary == (overlap == .replace ? "starting(2)" : "waiting[2]"))
        }

        @Test func `leaves the one alone who replaced it`() {
            var machine = SlotMachine.waiting(.replace)
            _ = machine.join(2)
            #expect(SlotMachine.word(machine.fail(1)) == "[]-")
            #expect(machine.summary == "starting(2)")
        }

        @Test func `after its reply, leaves the turn where it is`() {
            var machine = SlotMachine.waiting(.queue, inLine: [2])
            _ = machine.answer()
            #expect(SlotMachine.word(machine.fail(1)) == "[]-")
            #expect(machine.summary == "granted(2)")
        }

        @Test(arguments: all)
        func `when idle or closed, ends nobody`(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.make(overlap)
            #expect(SlotMachine.word(machine.fail(1)) == "[]-")
            _ = machine.close()
            #expect(SlotMachine.word(machine.fail(1)) == "[]-")
            #expect(machine.summary == "closed")
        }
    }

    // MARK: A reply comes

    @Suite("A reply") struct Reply {
        @Test(arguments: all)
        func `when idle, concerns nobody`(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.make(overlap)
            #expect(SlotMachine.word(machine.answer()) == "[]-")
            #expect(machine.summary == "idle")
        }

        @Test func `when granted, is not for the one who has not started`() {
            var machine = SlotMachine.granted(to: 1, inLine: [2])
            #expect(SlotMachine.word(machine.answer()) == "[]-")
            #expect(machine.summary == "granted(1) line[2]")
        }

        @Test(arguments: all)
        func `goes to the waiting caller`(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.waiting(overlap)
            #expect(SlotMachine.word(machine.answer()) == "[1]-")
            #expect(machine.summary == "idle")
        }

        @Test func `goes to all who share it`() {
            var machine = SlotMachine.waiting(.share)
            _ = machine.join(2)
            _ = machine.join(3)
            #expect(SlotMachine.word(machine.answer()) == "[1,2,3]-")
            #expect(machine.summary == "idle")
        }

        @Test func `gives the turn to the first in line`() {
            var machine = SlotMachine.waiting(.queue, inLine: [2, 3])
            #expect(SlotMachine.word(machine.answer()) == "[1]2")
            #expect(machine.summary == "granted(2) line[3]")
        }

        @Test(arguments: all)
        func `when closed, concerns nobody`(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.closed(overlap)
            #expect(SlotMachine.word(machine.answer()) == "[]-")
            #expect(machine.summary == "closed")
        }
    }

    // MARK: The slot is closed

    @Suite("Closing") struct Close {
        @Test(arguments: all)
        func `when idle, concerns nobody`(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.make(overlap)
            let (members, line) = machine.close()
            #expect(members.isEmpty)
            #expect(line.isEmpty)
            #expect(machine.summary == "closed")
        }

        @Test func `when granted, tells the line`() {
            var machine = SlotMachine.granted(to: 1, inLine: [2, 3])
            let (members, line) = machine.close()
            #expect(members.isEmpty)
            #expect(line.map(\.id) == [2, 3])
            #expect(machine.summary == "closed")
        }

        @Test func `when waiting, tells those who wait and the line`() {
            var machine = SlotMachine.waiting(.queue, inLine: [2])
            let (members, line) = machine.close()
            #expect(members.map(\.id) == [1])
            #expect(line.map(\.id) == [2])
            #expect(machine.summary == "closed")
        }

        @Test(arguments: all)
        func `when closed, tells nobody twice`(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.waiting(overlap)
            _ = machine.close()
            let (members, line) = machine.close()
            #expect(members.isEmpty)
            #expect(line.isEmpty)
        }
    }
}
