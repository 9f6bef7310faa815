// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

@Suite("The state of one that waits: every order of steps", .timeLimit(.minutes(10)))
struct ParkStateOrderTests {
    /// All sets of others, beside the waiter itself.
    static let casts: [[ParkWorld.Actor]] = [
        [], [.waker(1)], [.canceller], [.waker(1), .waker(2)], [.waker(1), .canceller],
        [.waker(1), .waker(2), .canceller], [.waker(1), .waker(2), .waker(3)],
    ]

    @Test(arguments: casts, [1, 2])
    func `one ends each wait`(others: [ParkWorld.Actor], waits: Int) {
        let exploration = ParkExploration(of: others, waits: waits)
        #expect(exploration.violations.isEmpty, "\(exploration.violations.prefix(3))")
        #expect(exploration.orders > 0)
    }

    /// Guards the explorer: it reaches every end that there is.
    @Test func `every end is reached`() {
        #expect(ParkExploration(of: [], waits: 1).ends == [.stillParked])
        #expect(ParkExploration(of: [.canceller], waits: 1).ends == [.cancelled, .refused])
        #expect(
            ParkExploration(of: [.waker(1), .waker(2), .canceller], waits: 1).ends
                == [.woken(1), .woken(2), .cancelled, .refused]
        )
        // A cancellation after the claim is for the next wait.
        #expect(ParkExploration(of: [.waker(1), .canceller], waits: 2).ends == [.cancelled, .refused])
    }

    @Test func `every order is tried`() {
        #expect(ParkExploration(of: [], waits: 1).orders == 1)
        // Cancelled before begin, before park, and after it.
        #expect(ParkExploration(of: [.canceller], waits: 1).orders == 3)
        // The claim comes before the waiter parks, or after it; the wake before it parks, or after it.
        #expect(ParkExploration(of: [.waker(1)], waits: 1).orders == 3)
    }
}

/// A waiter, its wakers and its canceller; notes what must not be.
struct ParkWorld {
    enum Actor: Hashable {
        /// Begins a wait, parks, and sees how it ended.
        case waiter
        /// Claims, when the waiter is enlisted, and wakes it if it may.
        case waker(Int)
        case canceller
    }

    /// How the last wait ended.
    enum End: Hashable {
        case stillParked
        case woken(Int)
        case cancelled
        /// It was cancelled before it could wait.
        case refused
    }

    private enum Place: Equatable {
        case onItsThread
        case enlisted
        case away
        /// Has been brought back, or did not have to leave.
        case back
        case gone(End)
    }

    private enum Waker: Equatable {
        case idle
        case claimed
        case done
    }

    private let waits: Int
    private let others: [Actor]
    private var state = ParkState(.running)
    private var place = Place.onItsThread
    private var waitsBegun = 0
    private var wakers: [Int: Waker] = [:]
    private var hasCancelled = false
    // What the claimer writes before it wakes the waiter.
    private var claimedBy: Int?
    private var cancelEndedIt = false
    private(set) var violations: [String] = []
    private(set) var trace: [String] = []

    init(others: [Actor], waits: Int) {
        self.others = others
        self.waits = waits
        for case .waker(let number) in others { self.wakers[number] = .idle }
    }

    var end: End? {
        switch self.place {
        case .gone(let end): end
        case .away: .stillParked
        case .onItsThread, .enlisted, .back: nil
        }
    }

    /// Who could take the next step.
    var movers: [Actor] { ([.waiter] + self.others).filter(self.canMove) }

    private func canMove(_ actor: Actor) -> Bool {
        switch actor {
        case .waiter:
            switch self.place {
            case .onItsThread, .enlisted, .back: true
            case .away, .gone: false
            }
        case .waker(let number):
            // It finds the waiter in a queue: from the begin of a wait until it has left the queue.
            self.wakers[number] == .claimed || self.wakers[number] == .idle && self.isEnlisted
        case .canceller:
            !self.hasCancelled && !self.isGone
        }
    }

    private var isEnlisted: Bool { self.place == .enlisted || self.place == .away || self.place == .back }

    private var isGone: Bool { if case .gone = self.place { true } else { false } }

    mutating func move(_ actor: Actor) {
        self.trace.append("\(actor)")
        switch actor {
        case .waiter: self.moveWaiter()
        case .waker(let number): self.moveWaker(number)
        case .canceller:
            self.hasCancelled = true
            let before = self.state.phase
            if self.apply({ $0.cancel() }) { self.bringBack() }
            if before == .open || before == .parked { self.cancelEndedIt = true }
        }
    }

    private mutating func moveWaiter() {
        switch self.place {
        case .onItsThread:
            self.waitsBegun += 1
            self.claimedBy = nil
            self.cancelEndedIt = false
            let mayWait = self.apply { $0.begin() }
            if mayWait, self.hasCancelled { self.violate("a cancelled waiter began to wait") }
            if !mayWait, !self.hasCancelled { self.violate("a waiter could not wait, and was not cancelled") }
            self.place = mayWait ? .enlisted : .gone(.refused)
        case .enlisted:
            self.place = self.apply { $0.park() } ? .away : .back
        case .back:
            self.see()
        case .away, .gone:
            self.violate("a waiter went on that is not there")
        }
    }

    private mutating func see() {
        switch (self.claimedBy, self.cancelEndedIt) {
        case (nil, false): self.violate("a waiter went on, and nobody had ended its wait")
        case (.some, true): self.violate("two have ended one wait")
        case (let number?, false):
            if self.wakers[number] != .done { self.violate("a waiter went on while \(number) was writing") }
            self.place = self.waitsBegun < self.waits ? .onItsThread : .gone(.woken(number))
        case (nil, true):
            self.place = self.waitsBegun < self.waits ? .onItsThread : .gone(.cancelled)
        }
    }

    private mutating func moveWaker(_ number: Int) {
        guard self.wakers[number] == .claimed else {
            let isMine = self.apply { $0.claim() }
            // Who comes too late goes away, and would find the waiter in its next wait.
            self.wakers[number] = isMine ? .claimed : .done
            guard isMine else { return }
            if self.claimedBy != nil || self.cancelEndedIt { self.violate("\(number) claimed what was over") }
            self.claimedBy = number
            return
        }
        self.wakers[number] = .done
        if self.apply({ $0.wake() }) { self.bringBack() }
    }

    private mutating func bringBack() {
        if self.place != .away { self.violate("brought back while \(self.place)") }
        self.place = .back
    }

    private mutating func apply(_ event: (ParkState) -> (next: ParkState, action: Bool)) -> Bool {
        let (next, action) = event(self.state)
        self.state = next
        if ParkStateTests.unreachable.contains(next) { self.violate("a cancelled waiter waits") }
        return action
    }

    private mutating func violate(_ what: String) { self.violations.append(what) }

    /// Checks what must hold when nobody can take a step any more.
    mutating func conclude() {
        guard self.end == .stillParked else { return }
        if self.hasCancelled { self.violate("cancelled, and left behind") }
        if self.claimedBy != nil { self.violate("claimed, and left behind") }
        if self.wakers.values.contains(where: { $0 == .claimed }) { self.violate("claimed, and not woken") }
    }
}

/// What comes of every order of the steps of all actors.
struct ParkExploration {
    private(set) var orders = 0
    private(set) var ends: Set<ParkWorld.End> = []
    private(set) var violations: [String] = []

    init(of others: [ParkWorld.Actor], waits: Int) { self.explore(ParkWorld(others: others, waits: waits)) }

    private mutating func explore(_ world: ParkWorld) {
        let movers = world.movers
        guard !movers.isEmpty, world.violations.isEmpty else {
            var world = world
            world.conclude()
            self.orders += 1
            if let end = world.end { self.ends.insert(end) } else { self.violations.append("no end: \(world.trace)") }
            self.violations += world.violations.map { "\($0): \(world.trace.joined(separator: ", "))" }
            return
        }
        for mover in movers {
            var next = world
            next.move(mover)
            self.explore(next)
        }
    }
}
