// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("ReplySlot: cancellation", .timeLimit(.minutes(10)))
struct ReplySlotCancellationTests {
    static let policies = ReplySlotTests.policies

    @Test(arguments: policies)
    func `before the wait: the work is not started`(_ overlap: ReplyOverlap) {
        let slot = ReplySlot<Int>(overlap: overlap)
        let caller = SlotCaller(slot.waiter)
        caller.cancel()
        #expect(caller.wasCancelled)
        #expect(caller.story == [])
        #expect(!slot.isWaiting)
        #expect(SlotCaller.come(to: slot).story == ["started"])
    }

    @Test(arguments: policies)
    func `of the only caller stops the work once, and frees the slot`(_ overlap: ReplyOverlap) throws {
        let slot = ReplySlot<Int>(overlap: overlap)
        let caller = SlotCaller.come(to: slot)
        caller.cancel()
        #expect(caller.wasCancelled)
        #expect(caller.story == ["started", "stopped"])
        #expect(!slot.isWaiting)
        #expect(!slot.resume(returning: 1))

        let next = SlotCaller.come(to: slot)
        slot.resume(returning: 2)
        next.turn()
        #expect(try next.get() == 2)
    }

    @Test(arguments: policies)
    func `after the reply: the reply wins`(_ overlap: ReplyOverlap) throws {
        let slot = ReplySlot<Int>(overlap: overlap)
        let caller = SlotCaller.come(to: slot)
        slot.resume(returning: 1)
        caller.cancel()
        #expect(try caller.get() == 1)
        #expect(caller.story == ["started"])
    }

    @Test(arguments: policies)
    func `before the reply: the reply is refused, though the caller has not run yet`(_ overlap: ReplyOverlap) {
        let slot = ReplySlot<Int>(overlap: overlap)
        let caller = SlotCaller.come(to: slot)
        caller.wait.cancel()
        #expect(!slot.resume(returning: 1))
        caller.turn()
        #expect(caller.wasCancelled)
        #expect(caller.place.reports.isEmpty)
    }

    // MARK: share

    @Test(arguments: 0..<3)
    func `of one of three sharers leaves the work to the others`(_ index: Int) throws {
        let slot = ReplySlot<Int>(overlap: .share)
        var callers = (0..<3).map { _ in SlotCaller.come(to: slot) }
        let leaver = callers.remove(at: index)
        leaver.cancel()
        #expect(leaver.wasCancelled)
        #expect(leaver.stopped.count == 0)
        #expect(slot.resume(returning: 4))
        for caller in callers { caller.turn() }
        #expect(try callers.map { try $0.get() } == [4, 4])
        #expect(callers.flatMap(\.stopped.all).isEmpty)
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]]
    )
    func `of all sharers stops the work once, by the last one's action`(_ order: [Int]) {
        let slot = ReplySlot<Int>(overlap: .share)
        let callers = (0..<3).map { _ in SlotCaller.come(to: slot) }
        for index in order { callers[index].cancel() }
        #expect(callers.filter(\.wasCancelled).count == 3)
        #expect(order.map { callers[$0].stopped.count } == [0, 0, 1])
        #expect(!slot.isWaiting)
    }

    // MARK: queue

    @Test func `of the active caller, gives the turn to the next`() throws {
        let slot = ReplySlot<Int>(overlap: .queue)
        let (first, second) = (SlotCaller.come(to: slot), SlotCaller.come(to: slot))
        first.cancel()
        #expect(first.story == ["started", "stopped"])
        second.turn()
        #expect(second.story == ["started"])
        slot.resume(returning: 2)
        second.turn()
        #expect(try second.get() == 2)
    }

    @Test(arguments: 1..<4)
    func `of one in line leaves the others' order alone`(_ index: Int) throws {
        let slot = ReplySlot<Int>(overlap: .queue)
        var callers = (0..<4).map { _ in SlotCaller.come(to: slot) }
        let leaver = callers.remove(at: index)
        leaver.cancel()
        #expect(leaver.wasCancelled)
        #expect(leaver.story == [])
        for (reply, caller) in callers.enumerated() {
            caller.turn()
            #expect(slot.resume(returning: reply))
            caller.turn()
            #expect(try caller.get() == reply)
        }
        #expect(!slot.isWaiting)
    }

    /// The turn was given, and the task cancelled before it could begin.
    @Test func `of one just granted, passes the turn on`() throws {
        let slot = ReplySlot<Int>(overlap: .queue)
        let callers = (0..<3).map { _ in SlotCaller.come(to: slot) }
        slot.resume(returning: 0)
        callers[1].cancel()
        #expect(callers[1].wasCancelled)
        #expect(callers[1].story == [])
        callers[2].turn()
        #expect(callers[2].story == ["started"])
        slot.resume(returning: 2)
        callers[2].turn()
        #expect(try callers[2].get() == 2)
    }

    /// Cancelled in line, and its turn comes before it has run and left the line.
    @Test func `of one in line, whose turn comes before it has left, passes the turn on`() throws {
        let slot = ReplySlot<Int>(overlap: .queue)
        let callers = (0..<4).map { _ in SlotCaller.come(to: slot) }
        callers[1].wait.cancel()
        callers[2].wait.cancel()
        slot.resume(returning: 0)
        callers[3].turn()
        #expect(callers[3].story == ["started"])
        callers[1].turn()
        callers[2].turn()
        #expect(callers[1].wasCancelled && callers[2].wasCancelled)
        #expect(callers[1].story + callers[2].story == [])
        // Callers that left late did not take the turn away.
        #expect(slot.resume(returning: 3))
        callers[3].turn()
        #expect(try callers[3].get() == 3)
    }

    // MARK: replace and reject

    @Test func `of a replaced caller, does not stop its successor's work`() throws {
        let slot = ReplySlot<Int>(overlap: .replace)
        let (first, second) = (SlotCaller.come(to: slot), SlotCaller.come(to: slot))
        first.cancel()
        #expect(first.failed(with: .slotReplaced))
        #expect(first.stopped.count == 0)
        slot.resume(returning: 2)
        second.turn()
        #expect(try second.get() == 2)
    }

    @Test func `of a refused caller, leaves the other alone`() throws {
        let slot = ReplySlot<Int>(overlap: .reject)
        let (first, second) = (SlotCaller.come(to: slot), SlotCaller.come(to: slot))
        second.cancel()
        #expect(second.failed(with: .slotBusy))
        slot.resume(returning: 1)
        first.turn()
        #expect(try first.get() == 1)
    }
}
