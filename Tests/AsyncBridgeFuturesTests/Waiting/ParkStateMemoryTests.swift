// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import TestSupport
import Testing

/// One wait with two claimers and a cancellation, in every order of their steps and with every order of memory that
/// acquire and release allow: also what no processor here shows.
@Suite("ParkState in every order of memory", .timeLimit(.minutes(10)))
struct ParkStateMemoryTests {
    /// What went wrong.
    private enum Fault: Error, Equatable {
        case raceFor(String)
        case resumedWithoutParking
        case resumedTwice
        case neverResumed
        case claimedTwice
    }

    /// The places in memory.
    private enum Place {
        static let word = 0
        static let continuation = 1
        static let parcel = 2
    }

    /// What a thread does next.
    private enum Step: Hashable {
        case begins
        case storesContinuation
        case parks
        case isParked
        case takesParcel
        case claims
        case writesParcel
        case wakes
        case cancels
        case resumes
        case isDone
    }

    private struct World: SteppedWorld {
        static let waiter = 0

        var memory = WeakMemory(threads: 4, initial: [ParkState(.running).rawValue, 0, 0])
        var steps: [Step] = [.begins, .claims, .claims, .cancels]
        var seen: [UInt?] = [nil, nil, nil, nil]
        var isEnlisted = false
        var isResumed = false
        var claims = 0

        /// All that a thread may do next.
        func following(_ thread: Int, _ orders: WordOrders) throws(Fault) -> [World] {
            switch self.steps[thread] {
            case .begins:
                return self.apply(thread, orders, { $0.begin() }) { world, mayWait in
                    // Under the lock of the queue, which the claimers take too.
                    world.isEnlisted = mayWait
                    for claimer in 1...2 { world.memory.tell(claimer, whatIsKnownTo: thread) }
                    return mayWait ? .storesContinuation : .isDone
                }
            case .storesContinuation: return [try self.use(Place.continuation, "continuation", thread, 1, .parks)]
            case .parks:
                return self.apply(thread, orders, { $0.park() }) { _, stays in stays ? .isParked : .takesParcel }
            case .isParked:
                guard self.isResumed else { return [] }
                return [self.with(.takesParcel, of: thread)]
            case .takesParcel: return [try self.use(Place.parcel, "parcel", thread, nil, .isDone)]
            case .claims:
                guard self.isEnlisted else { return [] }
                return self.apply(thread, orders, { $0.claim() }) { world, isMine in
                    if isMine { world.claims += 1 }
                    return isMine ? .writesParcel : .isDone
                }
            case .writesParcel: return [try self.use(Place.parcel, "parcel", thread, UInt(thread), .wakes)]
            case .wakes: return self.apply(thread, orders, { $0.wake() }) { _, must in must ? .resumes : .isDone }
            case .cancels: return self.apply(thread, orders, { $0.cancel() }) { _, must in must ? .resumes : .isDone }
            case .resumes:
                var world = try self.use(Place.continuation, "continuation", thread, nil, .isDone)
                guard self.steps[World.waiter] == .isParked else { throw .resumedWithoutParking }
                guard !self.isResumed else { throw .resumedTwice }
                world.isResumed = true
                world.memory.tell(World.waiter, whatIsKnownTo: thread)
                return [world]
            case .isDone: return []
            }
        }

        private func use(
            _ place: Int,
            _ name: String,
            _ thread: Int,
            _ bits: UInt?,
            _ next: Step
        ) throws(Fault) -> World {
            guard let world = self.using(place, by: thread, writing: bits, then: next) else { throw .raceFor(name) }
            return world
        }

        private func apply(
            _ thread: Int,
            _ orders: WordOrders,
            _ event: (ParkState) -> (next: ParkState, action: Bool),
            then: (inout World, Bool) -> Step
        ) -> [World] {
            self.applying(
                at: Place.word,
                by: thread,
                orders,
                {
                    let (next, action) = event(ParkState(rawValue: $0))
                    return (next.rawValue, action)
                },
                then: then
            )
        }
    }

    /// Explores all states.
    private func explore(_ orders: WordOrders) throws -> Int {
        try exploreAll(from: World()) { world in
            try (0..<4).flatMap { try world.following($0, orders) }
        } visit: { world, isEnd in
            if world.claims > 1 { throw Fault.claimedTwice }
            if isEnd, world.steps[World.waiter] != .isDone { throw Fault.neverResumed }
        }
    }

    @Test func `one wakes it, and it sees what that one wrote`() throws {
        #expect(try self.explore(WordOrders()) > 1000)
    }

    @Test func `without release the waiter misses what was written`() throws {
        var orders = WordOrders()
        orders.exchangeReleases = false
        #expect(throws: Fault.self) { try self.explore(orders) }
    }

    @Test(arguments: [true, false])
    func `without acquire too, in the load or in the exchange`(inTheLoad: Bool) throws {
        var orders = WordOrders()
        orders.loadAcquires = !inTheLoad
        orders.exchangeAcquires = inTheLoad
        #expect(throws: Fault.self) { try self.explore(orders) }
    }
}
