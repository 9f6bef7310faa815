// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

/// A clock that tells how many sleeps have begun.
private struct CountingClock: Clock {
    let base = CountedClock()
    let sleeps = Tally()

    var now: TestClock.Instant { self.base.now }

    var minimumResolution: Duration { .zero }

    func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
        // The deadline stands: the time may be moved from here on.
        self.sleeps.add()
        try await self.base.sleep(until: deadline, tolerance: tolerance)
    }
}

@Suite("ReplySlot: timeouts", .timeLimit(.minutes(10)))
struct ReplySlotTimeoutTests {
    private let clock = CountingClock()

    private var timeout: BridgeTimeout { .after(.seconds(5), on: self.clock) }

    @Test(arguments: ReplySlotTests.policies)
    func `end the wait with a fault that names its place, and stop the work`(_ overlap: ReplyOverlap) async {
        let slot = ReplySlot<Int>(overlap: overlap)
        let caller = SlotCaller(slot.waiter, timeout: self.timeout)
        caller.turn()
        await self.clock.sleeps.reaches(1)
        self.clock.base.advance(by: .seconds(5))
        await caller.wait.turnWhenWoken()
        #expect(throws: BridgeFault(.timedOut, made: caller.place.site)) { try caller.get() }
        #expect(caller.story == ["started", "stopped"])
        #expect(!slot.isWaiting)
        #expect(!slot.resume(returning: 1))
        #expect(caller.place.reports.isEmpty)
    }

    @Test func `of one sharer, leave the work to the other`() async throws {
        let slot = ReplySlot<Int>(overlap: .share)
        let hasty = SlotCaller(slot.waiter, timeout: self.timeout)
        hasty.turn()
        let patient = SlotCaller.come(to: slot)
        await self.clock.sleeps.reaches(1)
        self.clock.base.advance(by: .seconds(5))
        await hasty.wait.turnWhenWoken()
        #expect(hasty.failed(with: .timedOut))
        #expect(hasty.stopped.count == 0)
        #expect(slot.resume(returning: 1))
        patient.turn()
        #expect(try patient.get() == 1)
    }

    @Test func `in line, leave the line`() async throws {
        let slot = ReplySlot<Int>(overlap: .queue)
        let active = SlotCaller.come(to: slot)
        let hasty = SlotCaller(slot.waiter, timeout: self.timeout)
        hasty.turn()
        let patient = SlotCaller.come(to: slot)
        await self.clock.sleeps.reaches(1)
        self.clock.base.advance(by: .seconds(5))
        await hasty.wait.turnWhenWoken()
        #expect(throws: BridgeFault(.timedOut, made: hasty.place.site)) { try hasty.get() }
        #expect(hasty.story == [])
        slot.resume(returning: 0)
        active.turn()
        patient.turn()
        #expect(patient.story == ["started"])
        slot.resume(returning: 2)
        patient.turn()
        #expect(try patient.get() == 2)
    }

    @Test func `count anew for the reply when the turn has come`() async {
        let slot = ReplySlot<Int>(overlap: .queue)
        let active = SlotCaller.come(to: slot)
        let caller = SlotCaller(slot.waiter, timeout: self.timeout)
        caller.turn()
        await self.clock.sleeps.reaches(1)
        self.clock.base.advance(by: .seconds(4))
        slot.resume(returning: 0)
        active.turn()
        caller.turn()
        #expect(caller.story == ["started"])
        await self.clock.sleeps.reaches(2)
        self.clock.base.advance(by: .seconds(4))
        #expect(slot.isWaiting)
        self.clock.base.advance(by: .seconds(1))
        await caller.wait.turnWhenWoken()
        #expect(caller.failed(with: .timedOut))
        #expect(caller.story == ["started", "stopped"])
    }

    @Test func `are over when the reply came`() async throws {
        let slot = ReplySlot<Int>()
        let caller = SlotCaller(slot.waiter, timeout: self.timeout)
        caller.turn()
        await self.clock.sleeps.reaches(1)
        slot.resume(returning: 1)
        caller.turn()
        #expect(try caller.get() == 1)
        await self.clock.base.hasNoSleeper()
        #expect(self.clock.base.cancelledSleeps == 1)
    }
}
