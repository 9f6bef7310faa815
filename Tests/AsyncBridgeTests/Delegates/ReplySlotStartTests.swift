// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("ReplySlot: a start that throws", .timeLimit(.minutes(10)))
struct ReplySlotStartTests {
    static let policies = ReplySlotTests.policies

    @Test(arguments: policies)
    func `ends the wait with its error, and frees the slot`(_ overlap: ReplyOverlap) throws {
        let slot = ReplySlot<Int>(overlap: overlap)
        let caller = SlotCaller(slot.waiter, onStart: { throw APIError(code: 1) })
        caller.turn()
        #expect(throws: APIError(code: 1)) { try caller.get() }
        #expect(caller.story == ["started"])
        #expect(!slot.isWaiting)
        #expect(caller.place.reports.isEmpty)

        let next = SlotCaller.come(to: slot)
        slot.resume(returning: 2)
        next.turn()
        #expect(try next.get() == 2)
    }

    @Test func `ends the wait of those who share the work`() {
        let slot = ReplySlot<Int>(overlap: .share)
        let sharer = SlotCaller(slot.waiter)
        let caller = SlotCaller(slot.waiter) {
            sharer.turn()
            throw APIError(code: 1)
        }
        caller.turn()
        sharer.turn()
        #expect(throws: APIError(code: 1)) { try caller.get() }
        #expect(throws: APIError(code: 1)) { try sharer.get() }
        #expect(sharer.story == [])
        #expect(caller.place.reports.isEmpty && sharer.place.reports.isEmpty)
    }

    @Test func `gives the turn to the next in line`() throws {
        let slot = ReplySlot<Int>(overlap: .queue)
        let next = SlotCaller(slot.waiter)
        let caller = SlotCaller(slot.waiter) {
            next.turn()
            throw APIError(code: 1)
        }
        caller.turn()
        #expect(throws: APIError(code: 1)) { try caller.get() }
        #expect(next.story == [])
        next.turn()
        #expect(next.story == ["started"])
        slot.resume(returning: 2)
        next.turn()
        #expect(try next.get() == 2)
    }

    /// The delegate replied, another caller began work of its own, and only then the first start threw.
    @Test(arguments: policies)
    func `after its reply does not end the next caller's wait`(_ overlap: ReplyOverlap) throws {
        let slot = ReplySlot<Int>(overlap: overlap)
        let next = SlotCaller(slot.waiter)
        let caller = SlotCaller(slot.waiter) {
            slot.resume(returning: 1)
            next.turn()
            throw APIError(code: 1)
        }
        caller.turn()
        #expect(throws: APIError(code: 1)) { try caller.get() }
        next.turn()
        #expect(!next.hasEnded)
        #expect(next.story == ["started"])
        slot.resume(returning: 2)
        next.turn()
        #expect(try next.get() == 2)
    }

    @Test func `after it was replaced, does not end the wait of its successor`() throws {
        let slot = ReplySlot<Int>(overlap: .replace)
        let next = SlotCaller(slot.waiter)
        let caller = SlotCaller(slot.waiter) {
            next.turn()
            throw APIError(code: 1)
        }
        caller.turn()
        #expect(throws: APIError(code: 1)) { try caller.get() }
        next.turn()
        #expect(!next.hasEnded)
        slot.resume(returning: 2)
        next.turn()
        #expect(try next.get() == 2)
    }
}

@Suite("ReplySlot: a wait without a start", .timeLimit(.minutes(10)))
struct ReplySlotWithoutStartTests {
    /// For a delegate that calls unasked, as a push notification's.
    @Test(arguments: ReplySlotTests.policies)
    func `waits for the next reply`(_ overlap: ReplyOverlap) throws {
        let slot = ReplySlot<Int>(overlap: overlap)
        let waits = [HandDriven { try await slot.wait() }, HandDriven { try await slot.waiter.wait() }]
        for (reply, wait) in waits.enumerated() {
            wait.turn()
            #expect(!wait.hasEnded)
            #expect(slot.resume(returning: reply))
            wait.turn()
            #expect(try wait.get() == reply)
        }
    }

    /// The one closure is what starts the work, not what stops it.
    @Test func `a trailing closure is the start`() {
        let slot = ReplySlot<Int>()
        let started = Log<Int>()
        let wait = HandDriven { try await slot.wait { started(1) } }
        wait.turn()
        #expect(started.all == [1])
        wait.cancel()
        wait.turn()
        #expect(started.all == [1])
    }
}
