// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("ReplySlotStateMachine: every state × every event")
struct ReplySlotStateMachineTests {
    static let all: [ReplyOverlap] = [.share, .queue, .reject, .replace]

    /// The policies whose callers do not take turns.
    static let withoutTurns: [ReplyOverlap] = [.share, .reject, .replace]

    // MARK: A caller lines up

    @Suite("A caller who lines up") struct LineUp {
        @Test func whenIdle_getsTheTurn() {
            var machine = SlotMachine.make(.queue)
            #expect(SlotMachine.word(machine.lineUp(1)) == "join")
            #expect(machine.summary == "granted(1)")
        }

        @Test func whenGranted_waits() {
            var machine = SlotMachine.granted(to: 1)
            #expect(SlotMachine.word(machine.lineUp(2)) == "wait")
            #expect(machine.summary == "granted(1) line[2]")
        }

        @Test func whenWaiting_waitsBehindThoseWhoCameBefore() {
            var machine = SlotMachine.waiting(.queue, inLine: [2])
            #expect(SlotMachine.word(machine.lineUp(3)) == "wait")
            #expect(machine.summary == "waiting[1] line[2,3]")
        }

        @Test func whenClosed_isRefused() {
            var machine = SlotMachine.closed(.queue)
            #expect(SlotMachine.word(machine.lineUp(1)) == "closed")
            #expect(machine.summary == "closed")
        }
    }

    // MARK: A caller joins

    @Suite("A caller who joins") struct Join {
        @Test("when idle, starts the work", arguments: all)
        func whenIdle(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.make(overlap)
            #expect(SlotMachine.word(machine.join(1)) == (overlap == .replace ? "replace[]" : "start"))
            #expect(machine.summary == (overlap == .replace ? "starting(1)" : "waiting[1]"))
        }

        @Test func whenGrantedToIt_startsTheWork() {
            var machine = SlotMachine.granted(to: 1, inLine: [2])
            #expect(SlotMachine.word(machine.join(1)) == "start")
            #expect(machine.summary == "waiting[1] line[2]")
        }

        @Test func whenGrantedToAnother_isRefused() {
            var machine = SlotMachine.granted(to: 1)
            #expect(SlotMachine.word(machine.join(2)) == "busy")
            #expect(machine.summary == "granted(1)")
        }

        @Test(
            "when another waits, does as the policy says",
            arguments: [
                (ReplyOverlap.share, "share", "waiting[1,2]"),
                (.reject, "busy", "waiting[1]"),
                (.queue, "busy", "waiting[1]"),
                (.replace, "replace[1]", "starting(2)"),
            ]
        )
        func whenWaiting(_ overlap: ReplyOverlap, _ action: String, _ summary: String) {
            var machine = SlotMachine.waiting(overlap)
            #expect(SlotMachine.word(machine.join(2)) == action)
            #expect(machine.summary == summary)
        }

        @Test("when closed, is refused", arguments: all)
        func whenClosed(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.closed(overlap)
            #expect(SlotMachine.word(machine.join(1)) == "closed")
            #expect(machine.summary == "closed")
        }
    }

    // MARK: A caller leaves

    @Suite("A caller who leaves") struct Leave {
        @Test("when idle, has nothing to do", arguments: all)
        func whenIdle(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.make(overlap)
            #expect(SlotMachine.word(machine.leave(1)) == "go")
            #expect(machine.summary == "idle")
        }

        @Test func whenGrantedToIt_passesTheTurnOn() {
            var machine = SlotMachine.granted(to: 1, inLine: [2, 3])
            #expect(SlotMachine.word(machine.leave(1)) == "pass(2)")
            #expect(machine.summary == "granted(2) line[3]")
        }

        @Test func whenGrantedToIt_andNobodyIsInLine_leavesTheSlotIdle() {
            var machine = SlotMachine.granted(to: 1)
            #expect(SlotMachine.word(machine.leave(1)) == "pass(-)")
            #expect(machine.summary == "idle")
        }

        @Test func whenGrantedToAnother_leavesTheLine() {
            var machine = SlotMachine.granted(to: 1, inLine: [2, 3])
            #expect(SlotMachine.word(machine.leave(2)) == "go")
            #expect(machine.summary == "granted(1) line[3]")
        }

        @Test("as the last one who waits, stops the work", arguments: all)
        func whenWaitingAlone(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.waiting(overlap)
            #expect(SlotMachine.word(machine.leave(1)) == "stop")
            #expect(machine.summary == "stopping")
        }

        @Test func whenWaiting_stopsTheWorkAndKeepsTheTurnUntilThen() {
            var machine = SlotMachine.waiting(.queue, inLine: [2])
            #expect(SlotMachine.word(machine.leave(1)) == "stop")
            #expect(machine.summary == "stopping line[2]")
        }

        @Test("when others share the work, lets it go on", arguments: [(1, "waiting[2]"), (2, "waiting[1]")])
        func whenSharing(_ id: UInt64, _ summary: String) {
            var machine = SlotMachine.waiting(.share)
            _ = machine.join(2)
            #expect(SlotMachine.word(machine.leave(id)) == "go")
            #expect(machine.summary == summary)
        }

        /// 10,000 took 8 s when each looked at all others.
        @Test("costs a few steps each, in whatever order they leave", arguments: [false, true])
        func ofManyWhoShare(isBackwards: Bool) {
            var machine = SlotMachine.make(.share)
            let ids = Array(UInt64(1)...10_000)
            for id in ids { _ = machine.join(id) }
            for id in isBackwards ? ids.reversed() : ids { _ = machine.leave(id) }
            #expect(machine.summary == "stopping")
            #expect(machine.sharers.steps <= 4 * ids.count)
        }

        @Test func fromTheLine_leavesTheOneWhoWaits() {
            var machine = SlotMachine.waiting(.queue, inLine: [2, 3])
            #expect(SlotMachine.word(machine.leave(2)) == "go")
            #expect(machine.summary == "waiting[1] line[3]")
        }

        @Test func afterItWasReplaced_leavesItsSuccessorAlone() {
            var machine = SlotMachine.waiting(.replace)
            _ = machine.join(2)
            #expect(SlotMachine.word(machine.leave(1)) == "go")
            #expect(machine.summary == "starting(2)")
        }

        @Test("when closed, has nothing to do", arguments: all)
        func whenClosed(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.closed(overlap)
            #expect(SlotMachine.word(machine.leave(1)) == "go")
            #expect(machine.summary == "closed")
        }
    }
}

extension ReplySlotStateMachineTests {
    // MARK: A caller's start fails

    @Suite("A caller whose work cannot be started") struct Fail {
        @Test func ends_togetherWithThoseWhoShareTheWork() {
            var machine = SlotMachine.waiting(.share)
            _ = machine.join(2)
            #expect(SlotMachine.word(machine.fail(1)) == "[1,2]-")
            #expect(machine.summary == "idle")
        }

        @Test func passesTheTurnOn() {
            var machine = SlotMachine.waiting(.queue, inLine: [2])
            #expect(SlotMachine.word(machine.fail(1)) == "[1]2")
            #expect(machine.summary == "granted(2)")
        }

        @Test("leaves those alone who came after its reply", arguments: withoutTurns)
        func afterItsReply(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.waiting(overlap)
            _ = machine.answer()
            _ = machine.join(2)
            #expect(SlotMachine.word(machine.fail(1)) == "[]-")
            #expect(machine.summary == (overlap == .replace ? "starting(2)" : "waiting[2]"))
        }

        @Test func leavesTheOneAloneWhoReplacedIt() {
            var machine = SlotMachine.waiting(.replace)
            _ = machine.join(2)
            #expect(SlotMachine.word(machine.fail(1)) == "[]-")
            #expect(machine.summary == "starting(2)")
        }

        @Test func afterItsReply_leavesTheTurnWhereItIs() {
            var machine = SlotMachine.waiting(.queue, inLine: [2])
            _ = machine.answer()
            #expect(SlotMachine.word(machine.fail(1)) == "[]-")
            #expect(machine.summary == "granted(2)")
        }

        @Test("when idle or closed, ends nobody", arguments: all)
        func whenNobodyWaits(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.make(overlap)
            #expect(SlotMachine.word(machine.fail(1)) == "[]-")
            _ = machine.close()
            #expect(SlotMachine.word(machine.fail(1)) == "[]-")
            #expect(machine.summary == "closed")
        }
    }

    // MARK: A reply comes

    @Suite("A reply") struct Reply {
        @Test("when idle, concerns nobody", arguments: all)
        func whenIdle(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.make(overlap)
            #expect(SlotMachine.word(machine.answer()) == "[]-")
            #expect(machine.summary == "idle")
        }

        @Test func whenGranted_isNotForTheOneWhoHasNotStarted() {
            var machine = SlotMachine.granted(to: 1, inLine: [2])
            #expect(SlotMachine.word(machine.answer()) == "[]-")
            #expect(machine.summary == "granted(1) line[2]")
        }

        @Test("goes to the waiting caller", arguments: all)
        func whenWaiting(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.waiting(overlap)
            #expect(SlotMachine.word(machine.answer()) == "[1]-")
            #expect(machine.summary == "idle")
        }

        @Test func goesToAllWhoShareIt() {
            var machine = SlotMachine.waiting(.share)
            _ = machine.join(2)
            _ = machine.join(3)
            #expect(SlotMachine.word(machine.answer()) == "[1,2,3]-")
            #expect(machine.summary == "idle")
        }

        @Test func givesTheTurnToTheFirstInLine() {
            var machine = SlotMachine.waiting(.queue, inLine: [2, 3])
            #expect(SlotMachine.word(machine.answer()) == "[1]2")
            #expect(machine.summary == "granted(2) line[3]")
        }

        @Test("when closed, concerns nobody", arguments: all)
        func whenClosed(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.closed(overlap)
            #expect(SlotMachine.word(machine.answer()) == "[]-")
            #expect(machine.summary == "closed")
        }
    }

    // MARK: The slot is closed

    @Suite("Closing") struct Close {
        @Test("when idle, concerns nobody", arguments: all)
        func whenIdle(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.make(overlap)
            let (members, line) = machine.close()
            #expect(members.isEmpty)
            #expect(line.isEmpty)
            #expect(machine.summary == "closed")
        }

        @Test func whenGranted_tellsTheLine() {
            var machine = SlotMachine.granted(to: 1, inLine: [2, 3])
            let (members, line) = machine.close()
            #expect(members.isEmpty)
            #expect(line.map(\.id) == [2, 3])
            #expect(machine.summary == "closed")
        }

        @Test func whenWaiting_tellsThoseWhoWaitAndTheLine() {
            var machine = SlotMachine.waiting(.queue, inLine: [2])
            let (members, line) = machine.close()
            #expect(members.map(\.id) == [1])
            #expect(line.map(\.id) == [2])
            #expect(machine.summary == "closed")
        }

        @Test("when closed, tells nobody twice", arguments: all)
        func whenClosed(_ overlap: ReplyOverlap) {
            var machine = SlotMachine.waiting(overlap)
            _ = machine.close()
            let (members, line) = machine.close()
            #expect(members.isEmpty)
            #expect(line.isEmpty)
        }
    }
}
