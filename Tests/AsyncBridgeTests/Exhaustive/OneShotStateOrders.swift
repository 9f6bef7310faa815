// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// Everybody who takes part in a one-shot exchange, each with its own program of atomic steps.
enum Participant: Hashable, Sendable {
    /// Claims, and publishes if it may.
    case deliverer(Int)
    /// Parks until it knows how the wait ended; parks anew after a wake for cancellation.
    case waiter
    /// Leaves without waiting.
    case leaver
    /// Cancels the task once, which ends a prompt wait.
    case promptCanceller
    /// Cancels the task once, which wakes a cooperative wait.
    case cooperativeCanceller
    /// Lets the time be up, once.
    case timer
    /// Goes away when all deliverers have ended.
    case lastReference
}

/// A world that obeys the actions of ``OneShotState`` and notes whatever must not be.
struct OneShotWorld {
    enum Waiter: Equatable {
        case running
        case suspended
        /// Resumed, but it has not looked yet.
        case woken
        case ended(Outcome)
    }

    enum Outcome: Hashable {
        case result(Int)
        case left
        case cancelled
        case timedOut
        case dropped
    }

    enum Delivery: Equatable {
        case notBegun
        case writing
        case published
        case handedBack
    }

    let participants: [Participant]
    private(set) var state = OneShotState.idle
    private(set) var waiter = Waiter.running
    private(set) var violations: [String] = []
    private(set) var trace: [String] = []
    private var deliveries: [Int: Delivery] = [:]
    private var payload: Int?
    private var hasActed: Set<Participant> = []
    private var parks = 0
    private var resumes = 0
    private var wakes = 0
    private var duplicates = 0
    private var disposals: [Int] = []

    init(participants: [Participant]) {
        self.participants = participants
        for case .deliverer(let number) in participants { self.deliveries[number] = .notBegun }
    }

    /// Who could take the next step.
    var movers: [Participant] { self.participants.filter(self.canMove) }

    private func canMove(_ participant: Participant) -> Bool {
        switch participant {
        case .deliverer(let number):
            return self.deliveries[number] == .notBegun || self.deliveries[number] == .writing
        case .waiter:
            return self.waiter == .running || self.waiter == .woken
        case .leaver:
            return self.waiter == .running
        case .promptCanceller, .cooperativeCanceller, .timer:
            return !self.hasActed.contains(participant)
        case .lastReference:
            let isLast = self.deliveries.values.allSatisfy { $0 == .published || $0 == .handedBack }
            // The waiter gives its own reference up when it parks.
            return !self.hasActed.contains(participant) && isLast && self.parks > 0
        }
    }

    mutating func move(_ participant: Participant) {
        self.trace.append("\(participant)")
        switch participant {
        case .deliverer(let number): self.deliver(number)
        case .waiter: self.waiter == .running ? self.park() : self.wake()
        case .leaver: self.leave()
        case .promptCanceller: self.end(.cancelled, by: participant)
        case .timer: self.end(.timedOut, by: participant)
        case .lastReference: self.end(.dropped, by: participant)
        case .cooperativeCanceller: self.wakeForCancellation()
        }
    }

    // MARK: Steps

    private mutating func deliver(_ number: Int) {
        guard self.deliveries[number] == .writing else {
            let (next, action) = self.state.claim()
            self.state = next
            switch action {
            case .write:
                if self.payload != nil { self.violate("a result was written over another") }
                self.payload = number
                self.deliveries[number] = .writing
            case .late:
                self.deliveries[number] = .handedBack
            case .duplicate:
                self.duplicates += 1
                self.deliveries[number] = .handedBack
            }
            return
        }
        let (next, action) = self.state.publish()
        self.state = next
        switch action {
        case .keep:
            self.deliveries[number] = .published
        case .resume:
            self.deliveries[number] = .published
            self.resume()
        case .takeBack:
            if self.payload != number { self.violate("\(number) took back what it had not written") }
            self.payload = nil
            self.deliveries[number] = .handedBack
        }
    }

    private mutating func park() {
        let (next, action) = self.state.park()
        self.state = next
        self.parks += 1
        self.waiter = .suspended
        if action == .goOn { self.resume() }
    }

    private mutating func wake() {
        switch self.state {
        case .full:
            guard let number = self.payload else { return self.violate("full, but nothing was written") }
            self.payload = nil
            self.waiter = .ended(.result(number))
        case .cancelled, .cancelledAnswered: self.waiter = .ended(.cancelled)
        case .timedOut, .timedOutAnswered: self.waiter = .ended(.timedOut)
        case .dropped: self.waiter = .ended(.dropped)
        case .idle, .claimed, .wakeRequested:
            self.wakes += 1
            self.waiter = .running
            if self.wakes > 1 { self.violate("the cancel actions ran twice") }
            if !self.hasActed.contains(.cooperativeCanceller) { self.violate("woken for nothing") }
        case .parked, .claimedParked, .closed, .closedAnswered: self.violate("woke in \(self.state)")
        }
    }

    private mutating func leave() {
        let (next, action) = self.state.close()
        self.state = next
        self.waiter = .ended(.left)
        guard action == .dispose else { return }
        guard let number = self.payload else { return self.violate("nothing there to dispose of") }
        self.payload = nil
        self.disposals.append(number)
    }

    private mutating func end(_ end: OneShotState.End, by participant: Participant) {
        self.hasActed.insert(participant)
        let (next, action) = self.state.end(end)
        self.state = next
        if action == .resume { self.resume() }
    }

    private mutating func wakeForCancellation() {
        self.hasActed.insert(.cooperativeCanceller)
        // The handler of the task's cancellation is gone then.
        if case .ended = self.waiter { return }
        let (next, action) = self.state.wakeForCancellation()
        self.state = next
        if action == .resume { self.resume() }
    }

    private mutating func resume() {
        self.resumes += 1
        if self.waiter != .suspended { self.violate("resumed while \(self.waiter)") }
        self.waiter = .woken
    }

    private mutating func violate(_ what: String) { self.violations.append(what) }

    // MARK: The end

    /// Checks what must hold when nobody can take a step any more.
    mutating func conclude() {
        let delivered: [Int] = if case .ended(.result(let number)) = self.waiter { [number] } else { [] }
        if let payload { self.violate("the result of \(payload) was left lying") }
        for (number, delivery) in self.deliveries {
            let isDelivered = delivered.contains(number) || self.disposals.contains(number)
            if isDelivered != (delivery == .published) {
                self.violate("\(number) was told \(delivery), and the waiter \(self.waiter)")
            }
        }
        if case .ended = self.waiter {} else if self.somebodyEnds { self.violate("the waiter was forgotten") }
        let expectedResumes = self.waiter == .suspended ? self.parks - 1 : self.parks
        if self.resumes != expectedResumes { self.violate("\(self.parks) parks, but \(self.resumes) resumes") }
        if self.duplicates > 0, self.deliveries.count < 2 { self.violate("a first answer was called a second") }
        self.concludeCancellation()
    }

    private mutating func concludeCancellation() {
        let wasCancelled = self.participants.contains(.promptCanceller)
        if self.waiter == .ended(.cancelled), !wasCancelled { self.violate("cancelled by nobody") }
        if self.waiter == .ended(.timedOut), !self.participants.contains(.timer) { self.violate("no time was up") }
        if self.waiter == .ended(.dropped), !self.participants.contains(.lastReference) {
            self.violate("nothing dropped")
        }
        if self.waiter == .ended(.dropped), !self.deliveries.isEmpty { self.violate("dropped after an answer") }
    }

    private var somebodyEnds: Bool {
        self.participants.contains { participant in
            switch participant {
            case .deliverer, .leaver, .promptCanceller, .timer, .lastReference: true
            case .waiter, .cooperativeCanceller: false
            }
        }
    }
}

/// Tries every order of the steps of all participants.
///
/// - Returns: How many orders there are, the ends that were seen, and the violations with their orders.
func exploreOrders(of participants: [Participant]) -> Exploration {
    var exploration = Exploration()
    explore(OneShotWorld(participants: participants), &exploration)
    return exploration
}

struct Exploration {
    var orders = 0
    var outcomes: Set<OneShotWorld.Outcome> = []
    var violations: [String] = []
}

private func explore(_ world: OneShotWorld, _ exploration: inout Exploration) {
    let movers = world.movers
    guard !movers.isEmpty, world.violations.isEmpty else {
        var world = world
        world.conclude()
        exploration.orders += 1
        if case .ended(let outcome) = world.waiter { exploration.outcomes.insert(outcome) }
        exploration.violations += world.violations.map { "\($0): \(world.trace.joined(separator: ", "))" }
        return
    }
    for mover in movers {
        var next = world
        next.move(mover)
        explore(next, &exploration)
    }
}
