// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AttachmentStateMachineTests {
    @Test func theFirstLoopAttachesAndTheLastOneDetaches() {
        var machine = AttachmentStateMachine()
        #expect(machine.step() == .done)
        machine.begin()
        #expect(machine.step() == .attach)
        #expect(machine.step(having: true) == .done)
        machine.begin()
        #expect(machine.step() == .done)
        #expect(!machine.isOver)
        machine.end()
        #expect(machine.step() == .detach)
        #expect(!machine.isOver)
        #expect(machine.step(having: true) == .done)
        #expect(machine.isOver)
    }

    @Test func oneThreadChangesAtATime() {
        var machine = AttachmentStateMachine()
        machine.begin()
        #expect(machine.step() == .attach)
        // Another thread ends the loop meanwhile: the first one detaches.
        machine.end()
        #expect(machine.step() == .done)
        #expect(machine.step(having: true) == .detach)
        machine.begin()
        #expect(machine.step() == .done)
        #expect(machine.step(having: true) == .attach)
        #expect(machine.step(having: true) == .done)
    }
}
#endif
