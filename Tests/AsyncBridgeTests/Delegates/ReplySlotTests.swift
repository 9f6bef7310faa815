// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("ReplySlot", .timeLimit(.minutes(10)))
struct ReplySlotTests {
    static let policies: [ReplyOverlap] = [.share, .queue, .reject, .replace]

    // MARK: One caller

    @Test("gives the reply to the caller who started the work", arguments: policies)
    func oneCaller(_ overlap: ReplyOverlap) throws {
        let slot = ReplySlot<Int>(overlap: overlap)
        let caller = SlotCaller.come(to: slot)
        #expect(slot.isWaiting)
        #expect(!caller.hasEnded)
        #expect(slot.resume(returning: 7))
        caller.turn()
        #expect(try caller.get() == 7)
        #expect(caller.story == ["started"])
        #expect(!slot.isWaiting)
    }

    @Test("throws the delegate's error as it is", arguments: policies)
    func error(_ overlap: ReplyOverlap) {
        let slot = ReplySlot<Int>(overlap: overlap)
        let caller = SlotCaller.come(to: slot)
        #expect(slot.resume(throwing: APIError(code: 3)))
        caller.turn()
        #expect(throws: APIError(code: 3)) { try caller.get() }
        #expect(caller.story == ["started"])
    }

    @Test("takes a result", arguments: [Result<Int, any Error>.success(5), .failure(APIError(code: 5))])
    func result(_ result: Result<Int, any Error>) {
        let slot = ReplySlot<Int>()
        let caller = SlotCaller.come(to: slot)
        #expect(slot.resume(with: result))
        caller.turn()
        switch result {
        case .success(let value): #expect((try? caller.get()) == value)
        case .failure: #expect(throws: APIError(code: 5)) { try caller.get() }
        }
    }

    @Test(
        "takes a result with an error of a known type",
        arguments: [Result<Int, APIError>.success(5), .failure(APIError(code: 5))]
    )
    func resultOfKnownError(_ result: Result<Int, APIError>) {
        let slot = ReplySlot<Int>()
        let caller = SlotCaller.come(to: slot)
        #expect(slot.resume(with: result))
        caller.turn()
        switch result {
        case .success(let value): #expect((try? caller.get()) == value)
        case .failure: #expect(throws: APIError(code: 5)) { try caller.get() }
        }
        #expect(!slot.resume(with: result))
    }

    @Test("serves one wait after the other", arguments: policies)
    func again(_ overlap: ReplyOverlap) throws {
        let slot = ReplySlot<Int>(overlap: overlap)
        for reply in 0..<3 {
            let caller = SlotCaller.come(to: slot)
            #expect(slot.resume(returning: reply))
            caller.turn()
            #expect(try caller.get() == reply)
        }
    }

    @Test("replies before start has returned", arguments: policies)
    func replyInStart(_ overlap: ReplyOverlap) throws {
        let slot = ReplySlot<Int>(overlap: overlap)
        let caller = SlotCaller(slot.waiter, onStart: { slot.resume(returning: 1) })
        caller.turn()
        #expect(try caller.get() == 1)
        #expect(!slot.isWaiting)
    }

    // MARK: Replies that nobody wants

    @Test("refuses a reply for which nobody waits, and does not report it", arguments: policies)
    func unwanted(_ overlap: ReplyOverlap) throws {
        let place = Place()
        let slot = ReplySlot<Int>(overlap, at: place)
        #expect(!slot.resume(returning: 1))
        let caller = SlotCaller.come(to: slot)
        #expect(slot.resume(returning: 2))
        #expect(!slot.resume(returning: 3))
        #expect(!slot.resume(throwing: APIError()))
        caller.turn()
        #expect(try caller.get() == 2)
        #expect(place.reports.isEmpty)
        #expect(caller.place.reports.isEmpty)
    }

    @Test("keeps no reply for a later caller", arguments: policies)
    func notKept(_ overlap: ReplyOverlap) throws {
        let slot = ReplySlot<Int>(overlap: overlap)
        slot.resume(returning: 1)
        let caller = SlotCaller.come(to: slot)
        #expect(!caller.hasEnded)
        slot.resume(returning: 2)
        caller.turn()
        #expect(try caller.get() == 2)
    }

    // MARK: Several callers

    @Test func share_givesOneReplyToAll_andStartsTheWorkOnce() throws {
        let slot = ReplySlot<Int>(overlap: .share)
        let callers = (0..<3).map { _ in SlotCaller.come(to: slot) }
        #expect(callers.map(\.story) == [["started"], [], []])
        #expect(slot.resume(returning: 9))
        for caller in callers { caller.turn() }
        #expect(try callers.map { try $0.get() } == [9, 9, 9])
        #expect(!slot.resume(returning: 10))
    }

    @Test func share_startsAnewAfterTheReply() throws {
        let slot = ReplySlot<Int>(overlap: .share)
        let first = SlotCaller.come(to: slot)
        slot.resume(returning: 1)
        let second = SlotCaller.come(to: slot)
        #expect(second.story == ["started"])
        first.turn()
        #expect(try first.get() == 1)
        #expect(!second.hasEnded)
    }

    @Test func queue_startsEachWorkWhenItsTurnComes() throws {
        let slot = ReplySlot<Int>(overlap: .queue)
        let callers = (0..<3).map { _ in SlotCaller.come(to: slot) }
        #expect(callers.map(\.story) == [["started"], [], []])
        for (reply, caller) in callers.enumerated() {
            caller.turn()
            #expect(caller.story == ["started"])
            #expect(slot.resume(returning: reply))
            caller.turn()
            #expect(try caller.get() == reply)
        }
        #expect(!slot.isWaiting)
    }

    @Test func queue_givesNoReplyToWhoHasTheTurnAndHasNotStarted() throws {
        let slot = ReplySlot<Int>(overlap: .queue)
        let (first, second) = (SlotCaller.come(to: slot), SlotCaller.come(to: slot))
        slot.resume(returning: 1)
        #expect(!slot.resume(returning: 2))
        second.turn()
        slot.resume(returning: 3)
        first.turn()
        second.turn()
        #expect(try first.get() == 1)
        #expect(try second.get() == 3)
    }

    @Test func reject_refusesTheSecondCaller_andKeepsTheFirst() throws {
        let place = Place()
        let slot = ReplySlot<Int>(.reject, at: place)
        let (first, second) = (SlotCaller.come(to: slot), SlotCaller.come(to: slot))
        #expect(throws: BridgeFault(.slotBusy, made: place.site)) { try second.get() }
        #expect(second.story == [])
        #expect(slot.resume(returning: 1))
        first.turn()
        #expect(try first.get() == 1)
    }

    @Test func reject_isThePolicyOfASlotThatDoesNotSay() {
        let slot = ReplySlot<Int>()
        let callers = [SlotCaller.come(to: slot), SlotCaller.come(to: slot)]
        #expect(callers.map { $0.failed(with: .slotBusy) } == [false, true])
    }

    @Test func replace_startsTheSecondWork_andTellsTheFirstCaller() throws {
        let place = Place()
        let slot = ReplySlot<Int>(.replace, at: place)
        let (first, second) = (SlotCaller.come(to: slot), SlotCaller.come(to: slot))
        first.turn()
        #expect(throws: BridgeFault(.slotReplaced, made: place.site)) { try first.get() }
        // Its cancel action would stop the second caller's work.
        #expect(first.story == ["started"])
        #expect(second.story == ["started"])
        #expect(slot.resume(returning: 2))
        second.turn()
        #expect(try second.get() == 2)
    }
}
