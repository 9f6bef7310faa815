// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("ReplySlot", .timeLimit(.minutes(10)))
struct ReplySlotTests {
    static let policies: [ReplyOverlap] = [.share, .queue, .reject, .replace]

    // MARK: One caller

    @Test(arguments: policies)
    func `gives the reply to the caller who started the work`(_ overlap: ReplyOverlap) throws {
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

    @Test(arguments: policies)
    func `throws the delegate's error as it is`(_ overlap: ReplyOverlap) {
        let slot = ReplySlot<Int>(overlap: overlap)
        let caller = SlotCaller.come(to: slot)
        #expect(slot.resume(throwing: APIError(code: 3)))
        caller.turn()
        #expect(throws: APIError(code: 3)) { try caller.get() }
        #expect(caller.story == ["started"])
    }

    @Test(arguments: [Result<Int, any Error>.success(5), .failure(APIError(code: 5))])
    func `takes a result`(_ result: Result<Int, any Error>) {
        let slot = ReplySlot<Int>()
        let caller = SlotCaller.come(to: slot)
        #expect(slot.resume(with: result))
        caller.turn()
        switch result {
        case .success(let value): #expect((try? caller.get()) == value)
        case .failure: #expect(throws: APIError(code: 5)) { try caller.get() }
        }
    }

    @Test(arguments: [Result<Int, APIError>.success(5), .failure(APIError(code: 5))]
    )
    func `takes a result with an error of a known type`(_ result: Result<Int, APIError>) {
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

    @Test(arguments: policies)
    func `serves one wait after the other`(_ overlap: ReplyOverlap) throws {
        let slot = ReplySlot<Int>(overlap: overlap)
        for reply in 0..<3 {
            let caller = SlotCaller.come(to: slot)
            #expect(slot.resume(returning: reply))
            caller.turn()
            #expect(try caller.get() == reply)
        }
    }

    @Test(arguments: policies)
    func `replies before start has returned`(_ overlap: ReplyOverlap) throws {
        let slot = ReplySlot<Int>(overlap: overlap)
        let caller = SlotCaller(slot.waiter, onStart: { slot.resume(returning: 1) })
        caller.turn()
        #expect(try caller.get() == 1)
        #expect(!slot.isWaiting)
    }

    // MARK: Replies that nobody wants

    @Test(arguments: policies)
    func `refuses a reply for which nobody waits, and does not report it`(_ overlap: ReplyOverlap) throws {
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

    @Test(arguments: policies)
    func `keeps no reply for a later caller`(_ overlap: ReplyOverlap) throws {
        let slot = ReplySlot<Int>(overlap: overlap)
        slot.resume(returning: 1)
        let caller = SlotCaller.come(to: slot)
        #expect(!caller.hasEnded)
        slot.resume(returning: 2)
        caller.turn()
        #expect(try caller.get() == 2)
    }

    // MARK: Several callers

    @Test func `share gives one reply to all, and starts the work once`() throws {
        let slot = ReplySlot<Int>(overlap: .share)
        let callers = (0..<3).map { _ in SlotCaller.come(to: slot) }
        #expect(callers.map(\.story) == [["started"], [], []])
        #expect(slot.resume(returning: 9))
        for caller in callers { caller.turn() }
        #expect(try callers.map { try $0.get() } == [9, 9, 9])
        #expect(!slot.resume(returning: 10))
    }

    @Test func `share starts anew after the reply`() throws {
        let slot = ReplySlot<Int>(overlap: .share)
        let first = SlotCaller.come(to: slot)
        slot.resume(returning: 1)
        let second = SlotCaller.come(to: slot)
        #expect(second.story == ["started"])
        first.turn()
        #expect(try first.get() == 1)
        #expect(!second.hasEnded)
    }

    @Test func `queue starts each work when its turn comes`() throws {
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

    @Test func `queue gives no reply to who has the turn and has not started`() throws {
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

    @Test func `reject refuses the second caller, and keeps the first`() throws {
        let place = Place()
        let slot = ReplySlot<Int>(.reject, at: place)
        let (first, second) = (SlotCaller.come(to: slot), SlotCaller.come(to: slot))
        #expect(throws: BridgeFault(.slotBusy, made: place.site)) { try second.get() }
        #expect(second.story == [])
        #expect(slot.resume(returning: 1))
        first.turn()
        #expect(try first.get() == 1)
    }

    @Test func `reject is the policy of a slot that does not say`() {
        let slot = ReplySlot<Int>()
        let callers = [SlotCaller.come(to: slot), SlotCaller.come(to: slot)]
        #expect(callers.map { $0.failed(with: .slotBusy) } == [false, true])
    }

    @Test func `replace starts the second work, and tells the first caller`() throws {
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
