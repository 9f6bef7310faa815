// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("The decisions about timers", .timeLimit(.minutes(10)))
struct TimerStateMachineTests {
    @Test func `the first sets the alarm`() {
        var machine = TimerStateMachine()
        let wait = HandMadeWait.kept()
        #expect(machine.add(wait.reference, at: .seconds(5)) == .seconds(5))
        #expect(machine.count == 1)
        let ringing = machine.ring(at: .seconds(5))
        #expect(ringing.waits.count == 1)
        #expect(ringing.last == nil && ringing.alarm == nil)
        #expect(wait.now == .claimed)
        #expect(machine.count == 0)
    }

    @Test func `a later one does not set it`() {
        var machine = TimerStateMachine()
        let waits = (0..<3).map { HandMadeWait.kept($0) }
        #expect(machine.add(waits[0].reference, at: .seconds(5)) == .seconds(5))
        #expect(machine.add(waits[1].reference, at: .seconds(5)) == nil)
        #expect(machine.add(waits[2].reference, at: .seconds(9)) == nil)
        let first = machine.ring(at: .seconds(6))
        #expect(first.waits.count == 2)
        #expect(waits.map(\.now) == [.claimed, .claimed, .waiting])
        #expect(first.alarm == .seconds(9))
        #expect(machine.ring(at: .seconds(9)).alarm == nil)
        #expect(waits[2].now == .claimed)
    }

    @Test func `an earlier one sets it again`() {
        var machine = TimerStateMachine()
        let (late, early) = (HandMadeWait.kept(), HandMadeWait.kept())
        #expect(machine.add(late.reference, at: .seconds(9)) == .seconds(9))
        #expect(machine.add(early.reference, at: .seconds(5)) == .seconds(5))
        #expect(machine.ring(at: .seconds(5)).alarm == .seconds(9))
        #expect(early.now == .claimed && late.now == .waiting)
    }

    /// Waits that end before their time cost no call of the system each, and do not pile up.
    @Test func `waits that end early set it once`() {
        var machine = TimerStateMachine()
        var times = 0
        for number in 0..<1000 {
            let wait = HandMadeWait.kept()
            if machine.add(wait.reference, at: .seconds(10) + .milliseconds(number)) != nil { times += 1 }
            let wasThere = machine.remove(wait.reference)
            #expect(wasThere)
            let isThere = machine.remove(wait.reference)
            #expect(!isThere)
        }
        #expect(times == 1)
        #expect(machine.count == 0)
        let ringing = machine.ring(at: .seconds(10))
        #expect(ringing.waits.isEmpty && ringing.alarm == nil)
        // It is off now.
        #expect(machine.add(HandMadeWait.kept().reference, at: .seconds(20)) == .seconds(20))
    }

    @Test func `an alarm that rings too early is set again`() {
        var machine = TimerStateMachine()
        let wait = HandMadeWait.kept()
        #expect(machine.add(wait.reference, at: .seconds(5)) == .seconds(5))
        #expect(machine.ring(at: .seconds(5) - .nanoseconds(1)).alarm == .seconds(5))
        #expect(wait.now == .waiting)
        #expect(machine.ring(at: .seconds(5)).waits.count == 1)
    }

    @Test func `an alarm that rings without need is off`() {
        var machine = TimerStateMachine()
        let ringing = machine.ring(at: .seconds(5))
        #expect(ringing.waits.isEmpty && ringing.last == nil && ringing.alarm == nil)
    }

    /// What something else has ended is taken out and left alone.
    @Test func `one that is over already`() {
        var machine = TimerStateMachine()
        let wait = HandMadeWait.kept()
        #expect(machine.add(wait.reference, at: .seconds(5)) == .seconds(5))
        wait.end()
        #expect(machine.ring(at: .seconds(5)).waits.isEmpty)
        #expect(machine.count == 0)
        // It takes itself out, as it always does.
        let wasThere = machine.remove(wait.reference)
        #expect(!wasThere)
    }

    /// The one that may keep the thread is the last of its turn; for the rest the alarm rings at once.
    @Test func `one that runs others' code is the last`() {
        var machine = TimerStateMachine()
        let waits = (0..<4).map { HandMadeWait.kept($0, wakesOthersCode: $0 == 1 || $0 == 3) }
        for (index, wait) in waits.enumerated() { _ = machine.add(wait.reference, at: .seconds(1 + index)) }
        let first = machine.ring(at: .seconds(9))
        #expect(first.waits.count == 1 && first.last != nil)
        #expect(waits.map(\.now) == [.claimed, .claimed, .waiting, .waiting])
        #expect(first.alarm == .seconds(3))
        let second = machine.ring(at: .seconds(9))
        #expect(second.waits.count == 1 && second.last != nil && second.alarm == nil)
    }

    /// A child process inherits the waits, but not the alarm.
    @Test func `in a child process it is set again`() {
        var machine = TimerStateMachine()
        #expect(machine.add(HandMadeWait.kept().reference, at: .seconds(5), process: 0) == .seconds(5))
        #expect(machine.add(HandMadeWait.kept().reference, at: .seconds(9), process: 0) == nil)
        #expect(machine.add(HandMadeWait.kept().reference, at: .seconds(9), process: 1) == .seconds(5))
        #expect(machine.add(HandMadeWait.kept().reference, at: .seconds(9), process: 1) == nil)
        #expect(machine.ring(at: .seconds(9)).waits.count == 4)
    }

    /// The heap against a list, with entries that leave from the middle.
    @Test(arguments: 0..<20)
    func `as a list`(seed: Int) {
        var state = UInt64(seed) &+ 0x9E37_79B9_7F4A_7C15
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        var heap = TimerHeap()
        var model: [(deadline: Duration, wait: HandMadeWait)] = []
        for step in 0..<400 {
            switch random(4) {
            case 0, 1:
                let deadline = Duration.seconds(random(50))
                let wait = HandMadeWait.kept(step)
                heap.insert(wait.reference, at: deadline)
                model.append((deadline, wait))
            case 2 where !model.isEmpty:
                let wait = model.remove(at: random(model.count)).wait
                let wasThere = heap.remove(wait.reference)
                #expect(wasThere)
                // Once more does nothing.
                let isThere = heap.remove(wait.reference)
                #expect(!isThere)
            default:
                let now = Duration.seconds(random(50))
                let due = heap.removeFirst(dueAt: now)
                let first = model.map(\.deadline).min()
                if let first, first <= now {
                    // Which of those with the same deadline, only it can tell.
                    #expect(due?.wait.claim() == true)
                    let index = model.firstIndex { $0.wait.now == .claimed }
                    #expect(index.map { model[$0].deadline } == first)
                    if let index { model.remove(at: index) }
                } else {
                    #expect(due == nil)
                }
            }
            #expect(heap.count == model.count)
            #expect(heap.first == model.map(\.deadline).min())
        }
    }
}
