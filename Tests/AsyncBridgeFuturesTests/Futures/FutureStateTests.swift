// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

/// Every event in every state, against a table written by hand, with no thread.
@Suite("The state of a future", .timeLimit(.minutes(10)))
struct FutureStateTests {
    // An object's address, and what the list makes of the first observer.
    private static let (entry, newEntry, first): (UInt, UInt, UInt) = (0x1000, 0x2000, 8)
    private static let claimed: UInt = 1

    /// What becomes of a state; nothing if the event is refused.
    struct Row: CustomTestStringConvertible {
        let before: UInt
        let claim: UInt?
        let adding: (next: UInt, link: UInt)?
        let reservingFirst: UInt?
        let publishingFirst: UInt?

        var testDescription: String { "0x\(String(self.before, radix: 16))" }
    }

    static let table: [Row] = [
        // Pending: without observers, with some, with the first one in the future, with both.
        Row(before: 0, claim: 1, adding: (newEntry, 0), reservingFirst: 2, publishingFirst: first),
        Row(
            before: entry,
            claim: entry | claimed,
            adding: (newEntry, entry),
            reservingFirst: nil,
            publishingFirst: entry | first
        ),
        Row(
            before: first,
            claim: first | claimed,
            adding: (newEntry | first, 0),
            reservingFirst: nil,
            publishingFirst: first
        ),
        Row(
            before: entry | first,
            claim: entry | first | claimed,
            adding: (newEntry | first, entry),
            reservingFirst: nil,
            publishingFirst: entry | first
        ),
        // The first observer is being written; what comes meanwhile is linked to a list without entries.
        Row(before: 2, claim: 3, adding: (newEntry, 2), reservingFirst: nil, publishingFirst: 2 | first),
        // Claimed, each of them: observers still come.
        Row(before: 1, claim: nil, adding: (newEntry | claimed, 0), reservingFirst: nil, publishingFirst: 1 | first),
        Row(
            before: entry | claimed,
            claim: nil,
            adding: (newEntry | claimed, entry),
            reservingFirst: nil,
            publishingFirst: entry | first | claimed
        ),
        Row(
            before: entry | first | claimed,
            claim: nil,
            adding: (newEntry | first | claimed, entry),
            reservingFirst: nil,
            publishingFirst: entry | first | claimed
        ),
        Row(before: 3, claim: nil, adding: (newEntry | claimed, 2), reservingFirst: nil, publishingFirst: 3 | first),
        // Settled: forever.
        Row(before: 4, claim: nil, adding: nil, reservingFirst: nil, publishingFirst: nil),
    ]

    @Test(arguments: table)
    func every(_ row: Row) {
        let state = FutureState(rawValue: row.before)
        #expect(state.claim()?.rawValue == row.claim)
        let added = state.adding(Self.newEntry)
        #expect(added?.next.rawValue == row.adding?.next)
        #expect(added?.link == row.adding?.link)
        #expect(state.reservingFirst()?.rawValue == row.reservingFirst)
        #expect(state.publishingFirst()?.rawValue == row.publishingFirst)
        // What a claim adds, withdrawing it takes away.
        #expect(state.withdrawingClaim()?.rawValue == (state.isClaimed ? row.before - Self.claimed : nil))
        #expect(state.isSettled == (row.before == 4))
        #expect(state.isClaimed == (row.before & Self.claimed != 0))
    }

    @Test
    func `the observers are the word without the claim`() {
        #expect(FutureState(rawValue: 3).observers.isEmpty)
        #expect(FutureState.reserved.observers.isEmpty)
        #expect(FutureState.pending.observers.isEmpty)
        #expect(FutureState(rawValue: Self.first | Self.claimed).observers.hasFirst)
        #expect(FutureState(rawValue: Self.entry | Self.claimed).observers.word == Self.entry)
    }
}

/// Every event in every state, likewise.
@Suite("What a future observes", .timeLimit(.minutes(10)))
struct FutureSourceTests {
    private static let (source, other): (UInt, UInt) = (0x1000, 0x2000)

    @Test func observing() {
        let state = FutureSource(rawValue: Self.source)
        #expect(state.address == Self.source)
        #expect(state.forgetting() == .nothing)
        #expect(state.following(Self.other) == nil)
        #expect(state.exchanging(Self.source, for: Self.other)?.address == Self.other)
        #expect(state.exchanging(Self.other, for: Self.source) == nil)
        #expect(state.cancelling() == .cancelled)
    }

    @Test func nothing() {
        let state = FutureSource.nothing
        #expect(state.address == 0)
        #expect(state.forgetting() == nil)
        #expect(state.following(Self.other)?.address == Self.other)
        #expect(state.exchanging(Self.source, for: Self.other) == nil)
        #expect(state.cancelling() == .cancelled)
    }

    @Test func cancelled() {
        let state = FutureSource.cancelled
        #expect(state.address == 0)
        #expect(state.forgetting() == nil)
        #expect(state.following(Self.other) == nil)
        #expect(state.exchanging(Self.source, for: Self.other) == nil)
        #expect(state.cancelling() == .cancelled)
    }
}

/// Every event in every state, likewise.
@Suite("Those who wait for a future", .timeLimit(.minutes(10)))
struct FutureWaitersStateTests {
    @Test func open() {
        var state = FutureWaitersState()
        let (first, second, cancelled) = (HandMadeWaiter.kept(), HandMadeWaiter.kept(), HandMadeWaiter.cancelled())
        let entries = (state.enter(first.reference), state.enter(second.reference), state.enter(cancelled.reference))
        #expect(entries == (.enlisted, .enlisted, .cancelled))
        state.leave(first.reference)
        state.leave(first.reference)
        let isEmptyBefore = state.isEmpty
        let woken = state.settle()
        let (isOver, isEmpty) = (state.isOver, state.isEmpty)
        #expect(!isEmptyBefore && isOver && isEmpty)
        #expect(woken.parkers.count == 1)
        #expect(second.outcome == .done && first.outcome == .none && cancelled.outcome == .none)
    }

    @Test
    func `a waiter of a selection was begun before; one that was cancelled since is not woken`() {
        var state = FutureWaitersState()
        let (chosen, cancelled) = (HandMadeWaiter.kept(), HandMadeWaiter.kept())
        for waiter in [chosen, cancelled] {
            #expect(waiter.begin())
            state.enterBegun(waiter.reference)
        }
        cancelled.cancelWait()
        let woken = state.settle()
        #expect(woken.parkers.count == 1)
        #expect(chosen.outcome == .done && cancelled.outcome == .none)
    }

    @Test func over() {
        var state = FutureWaitersState()
        let first = state.settle()
        let late = HandMadeWaiter.kept()
        let entry = state.enter(late.reference)
        state.leave(late.reference)
        let second = state.settle()
        let (isOver, isEmpty) = (state.isOver, state.isEmpty)
        #expect(first.parkers.isEmpty && second.parkers.isEmpty && isOver && isEmpty)
        #expect(entry == .over && late.outcome == .none)
    }
    @Test
    func `callbacks are called in the order in which they came, but for those that left`() {
        var state = FutureWaitersState()
        let called = Collected<Int>()
        let numbers = (0..<9).map { number in state.enter { _ in called.append(number) } }
        #expect(Set(numbers).count == 9 && !numbers.contains(nil))
        for number in numbers[3..<5] {
            let (left, again) = (state.leave(number ?? 0), state.leave(number ?? 0))
            #expect(left != nil && again == nil)
        }
        let isEmptyBefore = state.isEmpty
        let settling = state.settle()
        let promise = CoPromise<Int>()
        for callback in settling.callbacks { callback(promise) }
        #expect(called.all == [0, 1, 2, 5, 6, 7, 8])
        let (isEmpty, late, left) = (state.isEmpty, state.enter { _ in }, state.leave(numbers[0] ?? 0))
        #expect(!isEmptyBefore && isEmpty && late == nil && left == nil)
        let again = state.settle()
        #expect(again.callbacks.isEmpty)
    }
}
