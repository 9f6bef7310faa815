// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("SequenceStateMachine: senders and demand", .timeLimit(.minutes(10)))
struct SequenceStateMachineDemandTests {
    @Suite struct Send {
        @Test(arguments: SequenceStateMachineTests.policies)
        func `has room in an empty buffer`(_ policy: BufferingPolicy) {
            let machine = MachineProbe(policy)
            #expect(machine.send(1) == .sent(consumer: nil))
            #expect(machine.take() == .element(1))
        }

        @Test func `resumes a parked consumer`() {
            let machine = MachineProbe(.watermark(low: 0, high: 1))
            #expect(machine.parkConsumer(9) == .parked)
            #expect(machine.send(1) == .sent(consumer: 9))
            #expect(machine.take() == .element(1))
            #expect(machine.parkConsumer(9) == .parked)
            #expect(machine.parkSender(2) == .sent(consumer: 9))
        }

        @Test(arguments: SequenceStateMachineTests.policies.dropFirst())
        func `waits in a full buffer, under every policy`(_ policy: BufferingPolicy) {
            let machine = MachineProbe(policy)
            #expect(machine.send(1) == .sent(consumer: nil))
            #expect(machine.send(2) == .sent(consumer: nil))
            #expect(machine.send(3) == .wait(3))
            #expect(machine.parkSender(3) == .parked)
            #expect(machine.bufferedCount == 2)
            #expect(machine.droppedCount == 0)
        }

        @Test func `goes in when room came before it had parked`() {
            let machine = MachineProbe(.watermark(low: 0, high: 1))
            _ = machine.send(1)
            #expect(machine.send(2) == .wait(2))
            #expect(machine.take() == .element(1))
            #expect(machine.parkSender(2) == .sent(consumer: nil))
            #expect(machine.take() == .element(2))
        }

        @Test func `is refused when the end came before it had parked`() {
            let machine = MachineProbe(.watermark(low: 0, high: 1))
            _ = machine.send(1)
            #expect(machine.send(2) == .wait(2))
            _ = machine.end()
            #expect(machine.parkSender(2) == .refuse(2))
        }

        /// Between the marks there is room, but somebody came first.
        @Test func `does not pass those who wait`() {
            let machine = MachineProbe(.watermark(low: 0, high: 2))
            for element in 1...2 { _ = machine.send(element) }
            #expect(machine.parkSender(3) == .parked)
            #expect(machine.take() == .element(1))
            #expect(machine.send(4) == .wait(4))
            #expect(machine.parkSender(4) == .parked)
            #expect(machine.take() == .elementAndDemand(2, senders: [3, 4], tellsSource: false))
            #expect(machine.take() == .element(3))
            #expect(machine.take() == .element(4))
        }
    }

    @Suite struct WaitingSenders {
        /// Full with 1 and 2, while so many from 3 on wait.
        private static func waiting(_ count: Int, low: Int = 0) -> MachineProbe {
            let machine = MachineProbe(.watermark(low: low, high: 2))
            for element in 1...2 { _ = machine.send(element) }
            for element in 3..<(3 + count) { _ = machine.parkSender(element) }
            return machine
        }

        @Test func `are admitted at the low mark as far as there is room`() {
            let machine = Self.waiting(3)
            #expect(machine.take() == .element(1))
            #expect(machine.take() == .elementAndDemand(2, senders: [3, 4], tellsSource: false))
            #expect(machine.bufferedCount == 2)
            #expect(machine.take() == .element(3))
            #expect(machine.take() == .elementAndDemand(4, senders: [5], tellsSource: false))
            #expect(machine.take() == .element(5))
            #expect(machine.take() == .empty)
        }

        @Test func `are admitted one by one when the low mark is just below`() {
            let machine = Self.waiting(2, low: 1)
            #expect(machine.take() == .elementAndDemand(1, senders: [3], tellsSource: false))
            #expect(machine.take() == .elementAndDemand(2, senders: [4], tellsSource: false))
            #expect(machine.bufferedCount == 2)
        }

        @Test(arguments: 3...5)
        func `leave alone when they are cancelled`(of number: Int) {
            let machine = Self.waiting(3)
            #expect(machine.cancelSender(number) == number)
            #expect(machine.cancelSender(number) == nil)
            let others = [3, 4, 5].filter { $0 != number }
            #expect(machine.take() == .element(1))
            #expect(machine.take() == .elementAndDemand(2, senders: others, tellsSource: false))
        }

        @Test func `can not be cancelled after they were admitted`() {
            let machine = Self.waiting(1)
            _ = (machine.take(), machine.take())
            #expect(machine.cancelSender(3) == nil)
            #expect(machine.take() == .element(3))
        }

        @Test(arguments: SequenceStateMachineTests.ends)
        func `are told of the source's end`(_ end: SequenceEnd) {
            let machine = Self.waiting(2)
            #expect(machine.end(end) == Farewell(senders: [3, 4]))
            #expect(machine.take() == .element(1))
            #expect(machine.take() == .element(2))
            #expect(machine.take() == .end(end))
        }

        @Test func `are told when the consumer leaves`() {
            let machine = Self.waiting(2)
            #expect(machine.consumerGone() == Farewell(senders: [3, 4], undelivered: [1, 2]))
        }

        /// Its policy is for `yield`; a sender waits instead.
        @Test func `are told of an overflow`() {
            let machine = MachineProbe(.failing(capacity: 1))
            _ = machine.send(1)
            #expect(machine.parkSender(2) == .parked)
            #expect(machine.yield(3) == .overflow(3, Farewell(senders: [2])))
        }
    }

    @Suite struct Demand {
        /// Told to pause with 1, 2 and 3 in the buffer.
        private static func paused(low: Int = 1, withAction: Bool = true) -> MachineProbe {
            let machine = MachineProbe(.watermark(low: low, high: 3))
            if withAction { _ = machine.installDemand() }
            for element in 1...3 { _ = machine.yield(element) }
            return machine
        }

        @Test func `is told once when the buffer has fallen to the low mark`() {
            let machine = Self.paused()
            #expect(machine.take() == .element(1))
            #expect(machine.take() == .elementAndDemand(2, senders: [], tellsSource: true))
            #expect(machine.take() == .element(3))
        }

        @Test func `is told again after the next pause`() {
            let machine = Self.paused()
            _ = (machine.take(), machine.take())
            #expect(machine.yield(4) == .accepted)
            #expect(machine.yield(5) == .pleasePause)
            #expect(machine.take() == .element(3))
            #expect(machine.take() == .elementAndDemand(4, senders: [], tellsSource: true))
        }

        @Test func `is not told to a source that was not paused`() {
            let machine = MachineProbe(.watermark(low: 1, high: 3))
            #expect(!machine.installDemand())
            for element in 1...2 { _ = machine.yield(element) }
            #expect(machine.take() == .element(1))
            #expect(machine.take() == .element(2))
            #expect(!machine.installDemand())
        }

        /// Senders that wait are no pause of the source's.
        @Test func `is not told because of senders`() {
            let machine = MachineProbe(.watermark(low: 0, high: 1))
            #expect(!machine.installDemand())
            _ = machine.send(1)
            #expect(machine.parkSender(2) == .parked)
            #expect(machine.take() == .elementAndDemand(1, senders: [2], tellsSource: false))
            #expect(machine.parkSender(3) == .parked)
            #expect(machine.cancelSender(3) == 3)
            #expect(machine.take() == .elementAndDemand(2, senders: [], tellsSource: false))
        }

        /// The senders' elements have filled the buffer again.
        @Test func `waits for the senders' elements`() {
            let machine = Self.paused(low: 0)
            for sender in 4...5 { #expect(machine.parkSender(sender) == .parked) }
            _ = (machine.take(), machine.take())
            #expect(machine.take() == .elementAndDemand(3, senders: [4, 5], tellsSource: false))
            #expect(machine.take() == .element(4))
            #expect(machine.take() == .elementAndDemand(5, senders: [], tellsSource: true))
        }

        /// The consumer may be faster than the source, which installs its action when it is told to pause.
        @Test func `is told at once to an action that comes too late`() {
            let machine = Self.paused(withAction: false)
            #expect(machine.take() == .element(1))
            #expect(!machine.installDemand())
            #expect(machine.take() == .elementAndDemand(2, senders: [], tellsSource: true))

            let late = Self.paused(withAction: false)
            _ = (late.take(), late.take())
            #expect(late.take() == .element(3))
            #expect(late.installDemand())
            #expect(!late.installDemand())
        }

        @Test func `is not lost when senders wait meanwhile`() {
            let machine = Self.paused(low: 0, withAction: false)
            _ = (machine.take(), machine.take(), machine.take())
            for element in 4...6 { _ = machine.send(element) }
            #expect(machine.parkSender(7) == .parked)
            #expect(!machine.installDemand())
            _ = (machine.take(), machine.take())
            #expect(machine.take() == .elementAndDemand(6, senders: [7], tellsSource: false))
            #expect(machine.take() == .elementAndDemand(7, senders: [], tellsSource: true))
        }
    }
}
