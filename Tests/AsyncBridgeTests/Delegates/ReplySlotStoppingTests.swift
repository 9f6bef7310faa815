// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("ReplySlotStateMachine while a cancel action runs: every event", .timeLimit(.minutes(10)))
struct ReplySlotStoppingTests {
    static let all = ReplySlotStateMachineTests.all

    /// The policies under which a newcomer waits until the cancel action has returned.
    static let patient: [ReplyOverlap] = [.share, .queue, .replace]

    @Test(arguments: patient)
    func `a caller who lines up waits`(_ overlap: ReplyOverlap) {
        var machine = SlotMachine.stopping(overlap)
        #expect(SlotMachine.word(machine.lineUp(2)) == "wait")
        #expect(SlotMachine.word(machine.lineUp(3)) == "wait")
        #expect(machine.summary == "stopping line[2,3]")
    }

    @Test(arguments: [(ReplyOverlap.share, "lineUp"), (.replace, "lineUp"), (.reject, "busy"), (.queue, "busy")]
    )
    func `a caller who joins lines up, or is refused`(_ overlap: ReplyOverlap, _ action: String) {
        var machine = SlotMachine.stopping(overlap)
        #expect(SlotMachine.word(machine.join(2)) == action)
        #expect(machine.summary == "stopping")
    }

    @Test(arguments: patient)
    func `a caller in line may leave`(_ overlap: ReplyOverlap) {
        var machine = SlotMachine.stopping(overlap, inLine: [2, 3])
        #expect(SlotMachine.word(machine.leave(2)) == "go")
        #expect(machine.summary == "stopping line[3]")
    }

    @Test(arguments: all)
    func `the caller that stops the work has left already`(_ overlap: ReplyOverlap) {
        var machine = SlotMachine.stopping(overlap)
        #expect(SlotMachine.word(machine.leave(1)) == "go")
        #expect(SlotMachine.word(machine.fail(1)) == "[]-")
        #expect(machine.summary == "stopping")
    }

    @Test(arguments: all)
    func `a reply concerns nobody`(_ overlap: ReplyOverlap) {
        var machine = SlotMachine.stopping(overlap)
        #expect(SlotMachine.word(machine.answer()) == "[]-")
        #expect(machine.summary == "stopping")
    }

    @Test(arguments: patient)
    func `closing tells the line, and the end of the action nobody`(_ overlap: ReplyOverlap) {
        var machine = SlotMachine.stopping(overlap, inLine: [2])
        let (members, line) = machine.close()
        #expect(members.isEmpty)
        #expect(line.map(\.id) == [2])
        #expect(SlotMachine.word(machine.stopped()) == "[]")
        #expect(machine.summary == "closed")
    }

    @Test(arguments: [
        (ReplyOverlap.share, "[2,3]", "idle"),
        (.replace, "[2,3]", "idle"),
        (.queue, "[2]", "granted(2) line[3]"),
    ]
    )
    func `when the action has returned, the slot is free`(_ overlap: ReplyOverlap, _ turns: String, _ summary: String) {
        var machine = SlotMachine.stopping(overlap, inLine: [2, 3])
        #expect(SlotMachine.word(machine.stopped()) == turns)
        #expect(machine.summary == summary)
    }

    @Test(arguments: all)
    func `when the action has returned and nobody waits, the slot is idle`(_ overlap: ReplyOverlap) {
        var machine = SlotMachine.stopping(overlap)
        #expect(SlotMachine.word(machine.stopped()) == "[]")
        #expect(machine.summary == "idle")
    }

    @Test(arguments: [ReplyOverlap.share, .replace])
    func `who was told to line up joins if the slot is free by then`(_ overlap: ReplyOverlap) {
        var machine = SlotMachine.stopping(overlap)
        _ = machine.stopped()
        #expect(SlotMachine.word(machine.lineUp(2)) == "join")
        #expect(machine.summary == "idle")
        _ = machine.join(3)
        #expect(machine.started(3).isEmpty)
        #expect(SlotMachine.word(machine.lineUp(4)) == "join")
        #expect(machine.summary == "waiting[3]")
    }

    @Test func `an older caller that waited does not replace a newer one`() {
        var machine = SlotMachine.make(.replace)
        _ = machine.join(3)
        #expect(SlotMachine.word(machine.join(2)) == "replaced")
        #expect(machine.summary == "starting(3)")
        _ = machine.started(3)
        #expect(SlotMachine.word(machine.join(2)) == "replaced")
        #expect(machine.summary == "waiting[3]")
    }
}
