// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// The phases beside `open`, which all policies share; `open` is in the files of the source's and the consumer's
/// events.
@Suite("SequenceStateMachine")
struct SequenceStateMachineTests {
    static let policies: [BufferingPolicy] = [
        .unbounded,
        .bounded(2, whenFull: .dropOldest), .bounded(2, whenFull: .dropNewest), .bounded(2, whenFull: .fail),
        .watermark(low: 0, high: 2),
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
        @Test("gives the elements, then the end, once", arguments: policies, ends)
        func take(_ policy: BufferingPolicy, _ end: SequenceEnd) {
            let machine = draining(policy, end)
            #expect(machine.take() == .element(1))
            #expect(machine.take() == .element(2))
            #expect(machine.take() == .end(end))
            #expect(machine.take() == .end(.finished))
        }

        @Test("refuses elements", arguments: policies)
        func refusal(_ policy: BufferingPolicy) {
            let machine = draining(policy)
            #expect(machine.yield(3) == .refuse(3))
            #expect(machine.send(4) == .refuse(4))
            #expect(machine.parkSender(5) == .refuse(5))
            #expect(machine.bufferedCount == 2)
            #expect(machine.droppedCount == 0)
        }

        @Test("ignores a second end", arguments: ends)
        func secondEnd(_ end: SequenceEnd) {
            let machine = draining(.unbounded, end)
            for second in ends { #expect(machine.end(second) == .nothing) }
            _ = (machine.take(), machine.take())
            #expect(machine.take() == .end(end))
        }

        @Test func neverParksTheConsumer() {
            let machine = draining(.unbounded)
            #expect(machine.parkConsumer(9) == .goOn)
            _ = (machine.take(), machine.take())
            #expect(machine.parkConsumer(9) == .goOn)
            #expect(machine.wakeConsumer() == nil)
        }

        @Test("runs a late teardown at once", arguments: zip(ends, [SequenceTermination.finished, .failed, .failed]))
        func install(_ end: SequenceEnd, reason: SequenceTermination) {
            let machine = draining(.unbounded, end)
            #expect(machine.install() == reason)
            #expect(machine.hasTeardown)
            #expect(machine.consumerGone().teardowns == 0)
        }

        @Test func keepsNoDemandAction() {
            let machine = draining(.watermark(low: 0, high: 1))
            #expect(!machine.installDemand())
            #expect(machine.take() == .element(1))
            #expect(machine.take() == .element(2))
        }

        @Test("a consumer that leaves gives up the elements and the end", arguments: ends)
        func consumerGone(_ end: SequenceEnd) {
            let machine = draining(.unbounded, end)
            #expect(machine.take() == .element(1))
            #expect(machine.consumerGone() == Farewell(undelivered: [2], unseenEnd: end))
            #expect(machine.take() == .end(.finished))
            #expect(machine.install() != .cancelled)
        }

        @Test func aSequenceThatNobodyIteratedGivesUpTheElements() {
            let machine = draining(.unbounded)
            #expect(machine.sequenceGone() == Farewell(undelivered: [1, 2], unseenEnd: .finished))
        }

        @Test func aSequenceThatIsIteratedMayGo() {
            let machine = draining(.unbounded)
            #expect(machine.takePlace() == .consume)
            #expect(machine.sequenceGone() == .nothing)
            #expect(machine.take() == .element(1))
        }

        @Test func findsNoSenderToCancel() {
            #expect(draining(.unbounded).cancelSender(1) == nil)
        }
    }

    @Suite struct WhenClosed {
        @Test("gives nothing and takes nothing", arguments: policies)
        func nothing(_ policy: BufferingPolicy) {
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

        @Test func hasNothingLeftToEnd() {
            let machine = closed()
            for end in ends { #expect(machine.end(end) == .nothing) }
            #expect(machine.consumerGone() == .nothing)
            #expect(machine.sequenceGone() == .nothing)
        }

        @Test func runsALateTeardownAtOnce() {
            let machine = closed()
            #expect(machine.hasTeardown)
            #expect(machine.install() == .cancelled)
            #expect(machine.install() == .cancelled)
        }

        @Test func runsNoDemandAction() {
            let machine = closed()
            #expect(!machine.installDemand())
        }

        @Test func keepsTheReasonOfTheSourcesEnd() {
            let machine = MachineProbe(.unbounded)
            _ = machine.end(.failed(1))
            #expect(machine.take() == .end(.failed(1)))
            #expect(machine.consumerGone() == .nothing)
            #expect(machine.install() == .failed)
        }
    }

    @Suite struct Place {
        @Test func isGivenAwayOnce() {
            let machine = MachineProbe(.unbounded)
            #expect(machine.takePlace() == .consume)
            #expect(machine.takePlace() == .refuse)
            _ = machine.consumerGone()
            #expect(machine.takePlace() == .refuseAfterLeaving)
            #expect(machine.sequenceGone() == .nothing)
        }

        @Test("after the end that the consumer got, is for nobody", arguments: [SequenceEnd.finished, .failed(1)])
        func afterTheEnd(_ end: SequenceEnd) {
            let machine = MachineProbe(.unbounded)
            #expect(machine.takePlace() == .consume)
            _ = machine.end(end)
            #expect(machine.take() == .end(end))
            #expect(machine.takePlace() == .end)
            _ = machine.consumerGone()
            #expect(machine.takePlace() == .end)
            #expect(machine.sequenceGone() == .nothing)
        }

        @Test func thatWasLeftBeforeAnEndThatNobodySaw_isLeft() {
            let machine = MachineProbe(.unbounded)
            #expect(machine.takePlace() == .consume)
            _ = machine.end(.failed(1))
            #expect(machine.consumerGone() == Farewell(unseenEnd: .failed(1)))
            #expect(machine.takePlace() == .refuseAfterLeaving)
        }

        @Test func ofASequenceThatNobodyIterated_endsItWithTheSequence() {
            let machine = MachineProbe(.unbounded)
            #expect(machine.install() == nil)
            _ = machine.yield(1)
            let farewell = Farewell(undelivered: [1], teardowns: 1, reason: .cancelled)
            #expect(machine.sequenceGone() == farewell)
            #expect(machine.yield(2) == .refuse(2))
        }

        @Test func thatIsTaken_outlivesTheSequence() {
            let machine = MachineProbe(.unbounded)
            #expect(machine.takePlace() == .consume)
            #expect(machine.sequenceGone() == .nothing)
            #expect(machine.yield(1) == .accepted)
        }
    }
}
