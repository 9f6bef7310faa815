// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// The phases beside `open`, which all policies share; `open` is in the files of the source's and the consumer's
/// events.
@Suite("SequenceStateMachine", .timeLimit(.minutes(10)))
struct SequenceStateMachineTests {
    static let policies: [BufferingPolicy] = [
        .unbounded,
        .newest(capacity: 2), .oldest(capacity: 2), .failing(capacity: 2),
        .watermark(low: 0, high: 2), .bounded(capacity: 2),
    ]

    static let ends: [SequenceEnd] = [.finished, .failed(7), .fault(.sinkDropped)]

    /// Ended with elements 1 and 2 in the buffer.
    private static func draining(_ policy: BufferingPolicy, _ end: SequenceEnd = .finished) -> MachineProbe {
        let machine = MachineProbe(policy)
        _ = machine.yield(1)
        _ = machine.yield(2)
        _ = machine.end(end)
        return machine
    }

    /// Left by its consumer.
    private static func closed(_ policy: BufferingPolicy = .unbounded) -> MachineProbe {
        let machine = MachineProbe(policy)
        _ = machine.consumerGone()
        return machine
    }

    @Suite struct WhenDraining {
        @Test(arguments: policies, ends)
        func `gives the elements, then the end, once`(_ policy: BufferingPolicy, _ end: SequenceEnd) {
            let machine = draining(policy, end)
            #expect(machine.take() == .element(1))
            #expect(machine.take() == .element(2))
            #expect(machine.take() == .end(end))
            #expect(machine.take() == .end(.finished))
        }

        @Test(arguments: policies)
        func `refuses elements`(_ policy: BufferingPolicy) {
            let machine = draining(policy)
            #expect(machine.yield(3) == .refuse(3))
            #expect(machine.send(4) == .refuse(4))
            #expect(machine.parkSender(5) == .refuse(5))
            #expect(machine.bufferedCount == 2)
            #expect(machine.droppedCount == 0)
        }

        @Test(arguments: ends)
        func `ignores a second end`(_ end: SequenceEnd) {
            let machine = draining(.unbounded, end)
            for second in ends { #expect(machine.end(second) == .nothing) }
            _ = (machine.take(), machine.take())
            #expect(machine.take() == .end(end))
        }

        @Test func `never parks the consumer`() {
            let machine = draining(.unbounded)
            #expect(machine.parkConsumer(9) == .goOn)
            _ = (machine.take(), machine.take())
            #expect(machine.parkConsumer(9) == .goOn)
            #expect(machine.wakeConsumer() == nil)
        }

        @Test(arguments: zip(ends, [SequenceTermination.finished, .failed, .failed]))
        func `runs a late teardown at once`(_ end: SequenceEnd, reason: SequenceTermination) {
            let machine = draining(.unbounded, end)
            #expect(machine.install() == reason)
            #expect(machine.consumerGone().teardowns == 0)
        }

        @Test func `keeps no demand action`() {
            let machine = draining(.watermark(low: 0, high: 1))
            #expect(!machine.installDemand())
            #expect(machine.take() == .element(1))
            #expect(machine.take() == .element(2))
        }

        @Test(arguments: ends)
        func `a consumer that leaves gives up the elements and the end`(_ end: SequenceEnd) {
            let machine = draining(.unbounded, end)
            #expect(machine.take() == .element(1))
            #expect(machine.consumerGone() == Farewell(undelivered: [2], unseenEnd: end))
            #expect(machine.take() == .end(.finished))
            #expect(machine.install() != .cancelled)
        }

        @Test func `a sequence that nobody iterated gives up the elements`() {
            let machine = draining(.unbounded)
            #expect(machine.sequenceGone() == Farewell(undelivered: [1, 2], unseenEnd: .finished))
        }

        @Test func `a sequence that is iterated may go`() {
            let machine = draining(.unbounded)
            #expect(machine.takePlace() == .consume)
            #expect(machine.sequenceGone() == .nothing)
            #expect(machine.take() == .element(1))
        }

        @Test func `finds no sender to cancel`() {
            #expect(draining(.unbounded).cancelSender(1) == nil)
        }
    }

    @Suite struct WhenClosed {
        @Test(arguments: policies)
        func `gives nothing and takes nothing`(_ policy: BufferingPolicy) {
            let machine = closed(policy)
            #expect(machine.yield(1) == .refuse(1))
            #expect(machine.send(2) == .refuse(2))
            #expect(machine.parkSender(3) == .refuse(3))
            #expect(machine.cancelSender(3) == nil)
            #expect(machine.take() == .end(.finished))
            #expect(machine.parkConsumer(9) == .goOn)
            #expect(machine.wakeConsumer() == nil)
            #expect(machine.bufferedCount == 0)
        }

        @Test func `has nothing left to end`() {
            let machine = closed()
            for end in ends { #expect(machine.end(end) == .nothing) }
            #expect(machine.consumerGone() == .nothing)
            #expect(machine.sequenceGone() == .nothing)
        }

        @Test func `runs a late teardown at once`() {
            let machine = closed()
            #expect(machine.install() == .cancelled)
            #expect(machine.install() == .cancelled)
        }

        @Test func `runs no demand action`() {
            let machine = closed()
            #expect(!machine.installDemand())
        }

        @Test func `keeps the reason of the sources end`() {
            let machine = MachineProbe(.unbounded)
            _ = machine.end(.failed(1))
            #expect(machine.take() == .end(.failed(1)))
            #expect(machine.consumerGone() == .nothing)
            #expect(machine.install() == .failed)
        }
    }

    @Suite struct Place {
        @Test func `is given away once`() {
            let machine = MachineProbe(.unbounded)
            #expect(machine.takePlace() == .consume)
            #expect(machine.takePlace() == .refuse)
            _ = machine.consumerGone()
            #expect(machine.takePlace() == .refuseAfterLeaving)
            #expect(machine.sequenceGone() == .nothing)
        }

        @Test(arguments: [SequenceEnd.finished, .failed(1)])
        func `after the end that the consumer got, is for nobody`(_ end: SequenceEnd) {
            let machine = MachineProbe(.unbounded)
            #expect(machine.takePlace() == .consume)
            _ = machine.end(end)
            #expect(machine.take() == .end(end))
            #expect(machine.takePlace() == .end)
            _ = machine.consumerGone()
            #expect(machine.takePlace() == .end)
            #expect(machine.sequenceGone() == .nothing)
        }

        @Test func `that was left before an end that nobody saw is left`() {
            let machine = MachineProbe(.unbounded)
            #expect(machine.takePlace() == .consume)
            _ = machine.end(.failed(1))
            #expect(machine.consumerGone() == Farewell(unseenEnd: .failed(1)))
            #expect(machine.takePlace() == .refuseAfterLeaving)
        }

        @Test func `of a sequence that nobody iterated, ends it with the sequence`() {
            let machine = MachineProbe(.unbounded)
            #expect(machine.install() == nil)
            _ = machine.yield(1)
            let farewell = Farewell(undelivered: [1], teardowns: 1, reason: .cancelled)
            #expect(machine.sequenceGone() == farewell)
            #expect(machine.yield(2) == .refuse(2))
        }

        @Test func `that is taken outlives the sequence`() {
            let machine = MachineProbe(.unbounded)
            #expect(machine.takePlace() == .consume)
            #expect(machine.sequenceGone() == .nothing)
            #expect(machine.yield(1) == .accepted)
        }
    }
}
