// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// The cancel action of one caller must not meet the work of the next.
@Suite("ReplySlot: a cancelled caller and the next one", .timeLimit(.minutes(10)))
struct ReplySlotStopTests {
    /// The next caller's executor runs while the cancel action of the first one does.
    private func story(_ overlap: ReplyOverlap, isInLine: Bool) -> (log: [String], next: SlotCaller) {
        let log = Log<String>()
        let slot = ReplySlot<Int>(overlap: overlap)
        let next = SlotCaller(slot.waiter, onStart: { log("next starts") }, onStop: { log("next stops") })
        let first = SlotCaller(
            slot.waiter,
            onStart: { log("first starts") },
            onStop: {
                log("stop begins")
                next.turn()
                next.turn()
                log("stop ends")
            }
        )
        first.turn()
        if isInLine { next.turn() }
        first.cancel()
        next.turn()
        slot.resume(returning: 7)
        next.turn()
        return (log.all, next)
    }

    private static let ordered = ["first starts", "stop begins", "stop ends", "next starts"]

    @Test(arguments: [true, false])
    func `who waits for its turn starts when the cancel action has returned`(isInLine: Bool) throws {
        let (log, next) = self.story(.queue, isInLine: isInLine)
        #expect(log == Self.ordered)
        #expect(try next.get() == 7)
    }

    @Test(arguments: [ReplyOverlap.share, .replace])
    func `a newcomer starts when the cancel action has returned`(_ overlap: ReplyOverlap) throws {
        let (log, next) = self.story(overlap, isInLine: false)
        #expect(log == Self.ordered)
        #expect(try next.get() == 7)
    }

    @Test func `a newcomer is rejected until the cancel action has returned`() {
        let (log, next) = self.story(.reject, isInLine: false)
        #expect(log == Array(Self.ordered.dropLast()))
        #expect(next.failed(with: .slotBusy))
    }

    /// Or else the work that the first one starts afterwards would be nobody's: not stopped by the newcomer, not by
    /// itself.
    @Test(arguments: [false, true])
    func `who replaces another one starts when the start of that one has returned`(isAnswered: Bool) throws {
        let log = Log<String>()
        let slot = ReplySlot<Int>(overlap: .replace)
        let next = SlotCaller(slot.waiter, onStart: { log("next starts") })
        let first = SlotCaller(
            slot.waiter,
            onStart: {
                next.turn()
                next.turn()
                if isAnswered { slot.resume(returning: 1) }
                log("first starts")
            }
        )
        first.turn()
        next.turn()
        slot.resume(returning: 2)
        first.turn()
        next.turn()
        #expect(log.all == ["first starts", "next starts"])
        if isAnswered { #expect(try first.get() == 1) } else { #expect(first.failed(with: .slotReplaced)) }
        #expect(try next.get() == 2)
    }

    @Test func `when a start fails that is to be replaced, the newcomer starts`() throws {
        struct Failed: Error {}
        let slot = ReplySlot<Int>(overlap: .replace)
        let next = SlotCaller(slot.waiter)
        let first = SlotCaller(
            slot.waiter,
            onStart: {
                next.turn()
                throw Failed()
            }
        )
        first.turn()
        #expect(throws: Failed.self) { try first.get() }
        next.turn()
        slot.resume(returning: 2)
        next.turn()
        #expect(try next.get() == 2)
    }

    /// Several newcomers under `share` start once, after the cancel action, and all get the reply.
    @Test func `newcomers that share start once`() throws {
        let log = Log<String>()
        let slot = ReplySlot<Int>(overlap: .share)
        let newcomers = (0..<3).map { _ in SlotCaller(slot.waiter, onStart: { log("starts") }) }
        let first = SlotCaller(
            slot.waiter,
            onStop: {
                for newcomer in newcomers { newcomer.turn() }
                log("stopped")
            }
        )
        first.turn()
        first.cancel()
        for newcomer in newcomers { newcomer.turn() }
        #expect(log.all == ["stopped", "starts"])
        slot.resume(returning: 3)
        for newcomer in newcomers {
            newcomer.turn()
            #expect(try newcomer.get() == 3)
        }
    }

    /// Of several newcomers under `replace` the last to come has the slot.
    @Test(arguments: [true, false])
    func `the last newcomer has the slot, in whatever order they run`(inOrder: Bool) throws {
        let slot = ReplySlot<Int>(overlap: .replace)
        let newcomers = (0..<2).map { _ in SlotCaller(slot.waiter) }
        let first = SlotCaller(slot.waiter, onStop: { for newcomer in newcomers { newcomer.turn() } })
        first.turn()
        first.cancel()
        for newcomer in inOrder ? newcomers : newcomers.reversed() { newcomer.turn() }
        for newcomer in newcomers { newcomer.turn() }
        #expect(newcomers[0].failed(with: .slotReplaced))
        slot.resume(returning: 3)
        newcomers[1].turn()
        #expect(try newcomers[1].get() == 3)
    }

    /// A newcomer that is cancelled, or whose slot closes, while the cancel action runs, does not start.
    @Test(arguments: [ReplyOverlap.share, .replace, .queue])
    func `a newcomer may give up meanwhile`(_ overlap: ReplyOverlap) {
        let slot = ReplySlot<Int>(overlap: overlap)
        let next = SlotCaller(slot.waiter)
        let first = SlotCaller(
            slot.waiter,
            onStop: {
                next.turn()
                next.cancel()
            }
        )
        first.turn()
        first.cancel()
        next.turn()
        #expect(next.wasCancelled)
        #expect(next.story.isEmpty)
        // The slot is free again.
        let last = SlotCaller.come(to: slot)
        #expect(last.story == ["started"])
        last.cancel()
    }

    @Test(arguments: [ReplyOverlap.share, .replace, .queue])
    func `the slot is closed meanwhile`(_ overlap: ReplyOverlap) {
        let slot = ReplySlot<Int>(overlap: overlap)
        let next = SlotCaller(slot.waiter)
        let first = SlotCaller(
            slot.waiter,
            onStop: {
                next.turn()
                slot.close()
            }
        )
        first.turn()
        first.cancel()
        next.turn()
        #expect(next.failed(with: .slotClosed))
        #expect(next.story.isEmpty)
    }
}
