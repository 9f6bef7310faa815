// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SwitchStateMachineTests {
    @Test func theFirstLoopAttachesAndTheLastOneDetaches() {
        var machine = SwitchStateMachine()
        #expect(machine.step() == .done)
        machine.want(on: true)
        #expect(machine.step() == .turnOn)
        #expect(machine.step(having: true) == .done)
        machine.want(on: true)
        #expect(machine.step() == .done)
        #expect(!machine.isOver)
        machine.want(on: false)
        #expect(machine.step() == .turnOff)
        #expect(!machine.isOver)
        #expect(machine.step(having: true) == .done)
        #expect(machine.isOver)
    }

    @Test func oneThreadChangesAtATime() {
        var machine = SwitchStateMachine()
        machine.want(on: true)
        #expect(machine.step() == .turnOn)
        // Another thread ends the loop meanwhile: the first one detaches.
        machine.want(on: false)
        #expect(machine.step() == .done)
        #expect(machine.step(having: true) == .turnOff)
        machine.want(on: true)
        #expect(machine.step() == .done)
        #expect(machine.step(having: true) == .turnOn)
        #expect(machine.step(having: true) == .done)
    }

    /// A sender is not asked to go on when nobody is there any more.
    @Test func whatIsStoppedStaysAsItIs() {
        var machine = SwitchStateMachine()
        machine.want(on: true)
        #expect(machine.step() == .turnOn)
        machine.stop()
        machine.want(on: false)
        #expect(machine.step() == .done)
        #expect(machine.step(having: true) == .stopped)
        var unused = SwitchStateMachine()
        unused.stop()
        unused.want(on: true)
        #expect(unused.step() == .stopped)
    }
}
#endif
