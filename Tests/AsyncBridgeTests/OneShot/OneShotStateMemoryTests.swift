// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import TestSupport
import Testing

/// One result with two deliverers and a cancellation, in every order of their steps and with every order of memory that
/// acquire and release allow: also what no processor here shows.
@Suite("OneShotState in every order of memory", .timeLimit(.minutes(10)))
struct OneShotStateMemoryTests {
    /// What went wrong.
    private enum Fault: Error {
        case raceFor(String)
        case resumedWithoutParking
        case resumedTwice
        case neverResumed
        case lost
    }

    /// What cancelling the task does, and whether the waiter waits at all.
    enum Kind: CaseIterable {
        case cancellationEnds
        case cancellationWakes
        case waiterLeaves
    }

    /// The places in memory.
    private enum Place {
        static let word = 0
        static let continuation = 1
        static let payload = 2
    }

    /// What a thread does next.
    private enum Step: Hashable {
        case storesContinuation
        case parks
        case isParked
        case looks
        case takes
        case leaves
        case claims
        case writes
        case publishes
        case takesBack
        case cancels
        case resumes
        case isDone
    }

    private struct World: SteppedWorld {
        static let waiter = 0

        var memory = WeakMemory(threads: 4, initial: [OneShotState.idle.rawValue, 0, 0])
        var steps: [Step]
        var seen: [UInt?] = [nil, nil, nil, nil]
        var isResumed = false
        var written = 0
        var taken = 0

        init(_ kind: Kind) {
            self.steps = [kind == .waiterLeaves ? .leaves : .storesContinuation, .claims, .claims, .cancels]
        }

        /// All that a thread may do next.
        func following(_ thread: Int, _ kind: Kind, _ orders: WordOrders) throws(Fault) -> [World] {
            switch self.steps[thread] {
            case .storesContinuation: return [try self.use(Place.continuation, "continuation", thread, 1, .parks)]
            case .parks:
                return self.apply(thread, orders, { $0.park() }) { world, action in
                    world.isResumed = false
                    return action == .suspend ? .isParked : .looks
                }
            case .isParked:
                guard self.isResumed else { return [] }
                return [self.with(.looks, of: thread)]
            case .looks:
                return self.memory.readable(at: Place.word, by: thread).map { number in
                    var world = self
                    let acquires = orders.loadAcquires
                    let bits = world.memory.load(number, at: Place.word, by: thread, acquires: acquires)
                    switch OneShotState(rawValue: bits) {
                    case .full: world.steps[thread] = .takes
                    case .idle, .claimed, .wakeRequested: world.steps[thread] = .storesContinuation
                    case .parked, .claimedParked, .closed, .closedAnswered, .cancelled, .cancelledAnswered, .timedOut,
                        .timedOutAnswered, .dropped, nil:
                        world.steps[thread] = .isDone
                    }
                    return world
                }
            case .takes, .takesBack:
                var world = try self.use(Place.payload, "payload", thread, 0, .isDone)
                world.taken += 1
                return [world]
            case .leaves:
                return self.apply(thread, orders, { $0.close() }) { _, action in
                    action == .dispose ? .takes : .isDone
                }
            case .claims:
                return self.apply(thread, orders, { $0.claim() }) { _, action in
                    action == .write ? .writes : .isDone
                }
            case .writes:
                var world = try self.use(Place.payload, "payload", thread, UInt(thread), .publishes)
                world.written += 1
                return [world]
            case .publishes:
                return self.apply(thread, orders, { $0.publish() }) { _, action in
                    switch action {
                    case .keep: .isDone
                    case .resume: .resumes
                    case .takeBack: .takesBack
                    }
                }
            case .cancels:
                let event: (OneShotState) -> (next: OneShotState, action: OneShotState.Action) =
                    kind == .cancellationWakes ? { $0.wakeForCancellation() } : { $0.end(.cancelled) }
                return self.apply(thread, orders, event) { _, action in action == .resume ? .resumes : .isDone }
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

        private func apply<Action: Sendable>(
            _ thread: Int,
            _ orders: WordOrders,
            _ event: (OneShotState) -> (next: OneShotState, action: Action),
            then: (inout World, Action) -> Step
        ) -> [World] {
            self.applying(
                at: Place.word,
                by: thread,
                orders,
                {
                    guard let state = OneShotState(rawValue: $0) else { preconditionFailure("BUG: no state: \($0)") }
                    let (next, action) = event(state)
                    return (next.rawValue, action)
                },
                then: then
            )
        }
    }

    /// Explores all states.
    private func explore(_ kind: Kind, _ orders: WordOrders = WordOrders()) throws -> Int {
        try exploreAll(from: World(kind)) { world in
            try (0..<4).flatMap { try world.following($0, kind, orders) }
        } visit: { world, isEnd in
            guard isEnd else { return }
            if world.steps[World.waiter] != .isDone { throw Fault.neverResumed }
            if world.written != world.taken { throw Fault.lost }
        }
    }

    @Test(arguments: Kind.allCases)
    func `each result has one taker, who sees it`(kind: Kind) throws {
        #expect(try self.explore(kind) > 500)
    }

    @Test(arguments: Kind.allCases)
    func `without release the result is not seen`(kind: Kind) throws {
        var orders = WordOrders()
        orders.exchangeReleases = false
        #expect(throws: Fault.self) { try self.explore(kind, orders) }
    }

    @Test(arguments: Kind.allCases, [true, false])
    func `without acquire neither, in the load or in the exchange`(kind: Kind, inTheLoad: Bool) throws {
        var orders = WordOrders()
        orders.loadAcquires = !inTheLoad
        orders.exchangeAcquires = inTheLoad
        #expect(throws: Fault.self) { try self.explore(kind, orders) }
    }
}
