// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("ReplySlotStateMachine while a start runs that may be replaced: every event", .timeLimit(.minutes(10)))
struct ReplySlotStartingTests {
    @Test func `a newcomer lines up`() {
        var machine = SlotMachine.starting()
        #expect(SlotMachine.word(machine.join(2)) == "lineUp")
        #expect(SlotMachine.word(machine.lineUp(2)) == "wait")
        #expect(SlotMachine.word(machine.lineUp(3)) == "wait")
        #expect(machine.summary == "starting(1) line[2,3]")
    }

    @Test func `when the start has returned, all in line may join`() {
        var machine = SlotMachine.starting(inLine: [2, 3])
        #expect(SlotMachine.word(machine.started(1)) == "[2,3]")
        #expect(machine.summary == "waiting[1]")
        #expect(SlotMachine.word(machine.join(3)) == "replace[1]")
        #expect(machine.summary == "starting(3)")
        #expect(SlotMachine.word(machine.join(2)) == "replaced")
    }

    @Test func `one in line may leave`() {
        var machine = SlotMachine.starting(inLine: [2, 3])
        #expect(SlotMachine.word(machine.leave(2)) == "go")
        #expect(machine.summary == "starting(1) line[3]")
    }

    @Test func `a reply is for the one that starts, and the line waits on`() {
        var machine = SlotMachine.starting(inLine: [2])
        #expect(SlotMachine.word(machine.answer()) == "[1]-")
        #expect(machine.summary == "idle line[2]")
        #expect(SlotMachine.word(machine.started(1)) == "[2]")
        #expect(machine.summary == "idle")
    }

    @Test func `after a reply, the next start gives the turn on`() {
        var machine = SlotMachine.starting(inLine: [2])
        _ = machine.answer()
        #expect(SlotMachine.word(machine.join(3)) == "replace[]")
        #expect(SlotMachine.word(machine.started(1)) == "[]")
        #expect(machine.summary == "starting(3) line[2]")
        #expect(SlotMachine.word(machine.started(3)) == "[2]")
        #expect(machine.summary == "waiting[3]")
    }

    @Test func `a start that fails ends its caller`() {
        var machine = SlotMachine.starting(inLine: [2])
        #expect(SlotMachine.word(machine.fail(1)) == "[1]-")
        #expect(SlotMachine.word(machine.started(1)) == "[2]")
        #expect(machine.summary == "idle")
    }

    @Test func `closing tells all`() {
        var machine = SlotMachine.starting(inLine: [2])
        let (members, line) = machine.close()
        #expect(members.map(\.id) == [1])
        #expect(line.map(\.id) == [2])
        #expect(SlotMachine.word(machine.started(1)) == "[]")
        #expect(machine.summary == "closed")
    }

    @Test func `when a cancel action runs, it gives the turn on`() {
        var machine = SlotMachine.stopping(.replace, inLine: [2])
        #expect(SlotMachine.word(machine.started(7)) == "[]")
        #expect(machine.summary == "stopping line[2]")
    }
}
