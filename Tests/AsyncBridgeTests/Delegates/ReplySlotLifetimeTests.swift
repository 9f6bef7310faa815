// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("ReplySlot: closing and lifetime", .timeLimit(.minutes(10)))
struct ReplySlotLifetimeTests {
    static let policies = ReplySlotTests.policies

    // MARK: Closing

    @Test(arguments: policies)
    func `close() ends the waits of all callers, later ones included`(_ overlap: ReplyOverlap) {
        let place = Place()
        let slot = ReplySlot<Int>(overlap, at: place)
        let callers = (0..<3).map { _ in SlotCaller.come(to: slot) }.filter { !$0.hasEnded }
        for caller in callers { caller.turn() }
        let waiting = callers.filter { !$0.hasEnded }
        #expect(!waiting.isEmpty)
        slot.close()
        for caller in waiting {
            caller.turn()
            #expect(throws: BridgeFault(.slotClosed, made: place.site)) { try caller.get() }
        }
        let late = SlotCaller.come(to: slot)
        #expect(throws: BridgeFault(.slotClosed, made: place.site)) { try late.get() }
        #expect(late.story == [])
        #expect(!slot.isWaiting)
        #expect(!slot.resume(returning: 1))
        // Asked for: no mistake.
        #expect(place.reports.isEmpty)
    }

    @Test func `closing ends the wait of one who has the turn and has not started`() {
        let slot = ReplySlot<Int>(overlap: .queue)
        let (first, second) = (SlotCaller.come(to: slot), SlotCaller.come(to: slot))
        slot.resume(returning: 1)
        slot.close()
        first.turn()
        second.turn()
        #expect(second.failed(with: .slotClosed))
        #expect(second.story == [])
    }

    @Test(arguments: policies)
    func `closing twice is allowed, and neither is reported`(_ overlap: ReplyOverlap) {
        let place = Place()
        var slot: ReplySlot<Int>? = ReplySlot(overlap, at: place)
        slot?.close()
        slot?.close()
        slot = nil
        #expect(place.reports.isEmpty)
    }

    // MARK: The slot goes away

    @Test(arguments: policies)
    func `a slot that goes away ends the waits, and is reported`(_ overlap: ReplyOverlap) throws {
        let place = Place()
        var slot: ReplySlot<Int>? = ReplySlot(overlap, at: place)
        let waiter = try #require(slot).waiter
        let callers = (0..<2).map { _ in SlotCaller.come(to: waiter) }
        let waiting = callers.filter { caller in
            caller.turn()
            return !caller.hasEnded
        }
        #expect(!waiting.isEmpty)
        slot = nil
        for caller in waiting {
            caller.turn()
            #expect(throws: BridgeFault(.slotClosed, made: place.site)) { try caller.get() }
        }
        #expect(place.reports.map(\.kind) == [.slotDropped])
        #expect(place.reports.map(\.bridge) == ["ReplySlot"])
        // A later caller is told of it too, and the work is not started.
        let late = SlotCaller.come(to: waiter)
        #expect(late.failed(with: .slotClosed))
        #expect(late.story == [])
    }

    @Test func `a slot that goes away while nobody waits is not reported`() {
        let place = Place()
        var slot: ReplySlot<Int>? = ReplySlot(.reject, at: place)
        let caller = slot.map { SlotCaller.come(to: $0) }
        slot?.resume(returning: 1)
        caller?.turn()
        slot = nil
        #expect(place.reports.isEmpty)
    }

    @Test func `a wait of the slot itself keeps it alive`() throws {
        let place = Place()
        let box = Slot<ReplySlot<Int>>()
        box.put(ReplySlot(.reject, at: place))
        weak let slot = box.value
        let wait = HandDriven { [slot = box.take()] in try #require(await slot?.wait {}) }
        wait.turn()
        #expect(!wait.hasEnded)
        slot?.resume(returning: 1)
        wait.turn()
        #expect(try wait.get() == 1)
        #expect(place.reports.isEmpty)
    }

    // MARK: The delegate

    enum End: CaseIterable {
        case reply
        case error
        case cancellation
        case closing
        case startThrows
        case cancelledBefore
    }

    /// The task's closure gives its only reference away, so what lives is what the wait holds.
    @Test(arguments: End.allCases)
    func `the delegate is kept alive until the wait has ended, and not longer`(_ end: End) {
        let lifetimes = Lifetimes()
        let delegate = Slot<Lifetimes.Probe>()
        delegate.put(lifetimes.probe())
        let slot = ReplySlot<Int>()
        let caller = SlotCaller(slot.waiter, keepingAlive: delegate) {
            if end == .startThrows { throw APIError() }
        }
        if end == .cancelledBefore { caller.wait.cancel() }
        caller.turn()
        #expect(lifetimes.alive == (caller.hasEnded ? 0 : 1))
        switch end {
        case .reply: slot.resume(returning: 1)
        case .error: slot.resume(throwing: APIError())
        case .cancellation: caller.wait.cancel()
        case .closing: slot.close()
        case .startThrows, .cancelledBefore: break
        }
        caller.turn()
        #expect(caller.hasEnded)
        #expect(lifetimes.alive == 0)
    }

    @Test(arguments: [ReplyOverlap.share, .reject])
    func `a reply is released with its last receiver`(_ overlap: ReplyOverlap) {
        let lifetimes = Lifetimes()
        let slot = ReplySlot<Lifetimes.Probe>(overlap: overlap)
        var waits = (0..<2).map { _ in HandDriven { try await slot.wait {} } }
        for wait in waits { wait.turn() }
        slot.resume(returning: lifetimes.probe())
        slot.resume(returning: lifetimes.probe())
        for wait in waits { wait.turn() }
        // The optimiser of Swift 6.2 would release them before.
        withExtendedLifetime(waits) { #expect(lifetimes.alive == 1) }
        waits = []
        #expect(lifetimes.alive == 0)
    }
}
