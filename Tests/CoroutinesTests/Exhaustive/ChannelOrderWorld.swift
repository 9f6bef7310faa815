// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines

/// A channel and those who use it, each driven by hand, step by step.
struct ChannelOrderWorld {
    typealias Element = LifetimeTracker.Tracked<Int>

    /// Who takes part; each of those who send and receive does so twice.
    enum Role: Hashable, Sendable {
        /// A coroutine that sends.
        case sender
        /// Sends without waiting.
        case offerer
        /// Sends what futures bring; each step is a call or a value.
        case futureSender
        /// A coroutine that receives.
        case receiver
        /// Receives without waiting.
        case poller
        /// Receives with a callback.
        case callbackReceiver
        /// Receives with futures.
        case futureReceiver
        /// Cancels the coroutine or the futures of the player with this index, once.
        case canceller(of: Int)
        /// Drops one step of the coroutine with this index, which is unwound then.
        case dropper(of: Int)
        case closer
        /// Cancels the channel.
        case ender

        var isCoroutine: Bool { self == .sender || self == .receiver }

        var isCallback: Bool { self == .callbackReceiver || self == .futureReceiver }

        var steps: Int {
            switch self {
            case .sender, .receiver: 0
            case .offerer, .poller, .callbackReceiver, .futureReceiver: 2
            case .futureSender: 4
            case .canceller, .dropper, .closer, .ender: 1
            }
        }
    }

    enum Event: Hashable, Sendable {
        /// A sender begins to send an element, or a future brings it.
        case began(Int)
        case sent(Int)
        case refused(Int)
        case failed(Int)
        case received(Int, by: Int)
        /// A receiver got an error.
        case ended(Int)
    }

    /// One that takes part, and how far it is.
    private struct Player {
        let role: Role
        let scheduler = ManualScheduler()
        var stepsLeft: Int
        var coroutine: CoroutineHandle?
        var promises: [CoPromise<Element>] = []
        var futures: [CoFuture<Element>] = []
    }

    let channel: CoChannel<Element>
    private let undelivered: Collected<Int>
    private let events = Collected<Event>()
    private let coroutineEnds = Collected<Int>()
    private let tracker: LifetimeTracker
    private let capacity: Int
    private var players: [Player]
    private var trace: [String] = []
    private(set) var violations: [String] = []

    init(_ roles: [Role], _ type: BufferingPolicy, _ tracker: LifetimeTracker) {
        let undelivered = Collected<Int>()
        self.undelivered = undelivered
        self.channel = CoChannel(buffering: type, onUndelivered: { undelivered.append($0.value) })
        self.capacity = type.channelCapacity(CallSite())
        self.tracker = tracker
        self.players = roles.map { Player(role: $0, stepsLeft: $0.steps) }
        for (index, role) in roles.enumerated() where role.isCoroutine { self.startCoroutine(index, role) }
    }

    private mutating func startCoroutine(_ index: Int, _ role: Role) {
        let (channel, tracker, events) = (self.channel, self.tracker, self.events)
        let coroutine = self.players[index].scheduler.startCoroutine {
            for round in 0..<2 {
                if role == .receiver {
                    do { events.append(.received(try channel.awaitReceive().value, by: index)) } catch {
                        events.append(.ended(index))
                        return
                    }
                } else {
                    let number = index * 10 + round
                    events.append(.began(number))
                    do { try channel.awaitSend(tracker.track(number)) } catch {
                        events.append(.failed(number))
                        return
                    }
                    events.append(.sent(number))
                }
            }
        }
        coroutine.whenComplete { [coroutineEnds] in coroutineEnds.append(index) }
        self.players[index].coroutine = coroutine
    }

    // MARK: Steps

    /// Who could take the next step.
    var movers: [Int] {
        self.players.indices.filter { index in
            let player = self.players[index]
            switch player.role {
            case .sender, .receiver: return player.scheduler.count > 0
            case .dropper(let other): return player.stepsLeft > 0 && self.players[other].scheduler.count > 0
            case .offerer, .futureSender, .poller, .callbackReceiver, .futureReceiver, .canceller, .closer, .ender:
                return player.stepsLeft > 0
            }
        }
    }

    mutating func move(_ index: Int) {
        let role = self.players[index].role
        self.trace.append("\(role) \(index)")
        self.players[index].stepsLeft -= 1
        let number = index * 10 + self.players[index].stepsLeft
        let events = self.events
        switch role {
        case .sender, .receiver:
            self.players[index].scheduler.runOne()
        case .offerer:
            events.append(.began(number))
            events.append(self.channel.offer(self.tracker.track(number)) ? .sent(number) : .refused(number))
        case .futureSender:
            self.sendFuture(index)
        case .poller:
            if let element = self.channel.poll() { events.append(.received(element.value, by: index)) }
        case .callbackReceiver:
            self.channel.whenReceive { Self.record($0, index, events) }
        case .futureReceiver:
            let future = self.channel.receiveFuture()
            future.whenComplete { Self.record($0, index, events) }
            self.players[index].futures.append(future)
        case .canceller(let other):
            self.players[other].coroutine?.cancel()
            for future in self.players[other].futures { future.cancel() }
        case .dropper(let other): self.players[other].scheduler.dropOne()
        case .closer: self.channel.close()
        case .ender: self.channel.cancel()
        }
    }

    private static func record(_ result: Result<Element, any Error>, _ index: Int, _ events: Collected<Event>) {
        switch result {
        case .success(let element): events.append(.received(element.value, by: index))
        case .failure: events.append(.ended(index))
        }
    }

    private mutating func sendFuture(_ index: Int) {
        // Two calls, then two values.
        let left = self.players[index].stepsLeft
        if left >= 2 {
            let promise = CoPromise<Element>()
            self.players[index].promises.append(promise)
            return self.channel.sendFuture(promise)
        }
        let number = index * 10 + 1 - left
        self.events.append(.began(number))
        self.players[index].promises[1 - left].success(self.tracker.track(number))
    }

    // MARK: What must hold

    private mutating func violate(_ what: String) {
        self.violations.append("\(what): \(self.trace), \(self.events.all)")
    }

    /// Checks who waits when nobody can take a step any more.
    mutating func checkWaiting() {
        let done = Set(self.coroutineEnds.all)
        let waiting = self.players.indices.filter { self.players[$0].role.isCoroutine && !done.contains($0) }
        for index in waiting where self.players[index].coroutine?.isCancelled == true {
            self.violate("\(index) was cancelled, and waits")
        }
        let hasEnded = self.channel.isClosed || self.channel.isCancelled
        if hasEnded, !waiting.isEmpty { self.violate("somebody waits for a channel that has ended") }
        let senders = waiting.filter { self.players[$0].role == .sender }
        let receivers = waiting.filter { self.players[$0].role == .receiver }
        if !receivers.isEmpty, !self.channel.isEmpty { self.violate("a receiver waits, and there are elements") }
        if !receivers.isEmpty, !senders.isEmpty { self.violate("a receiver waits for a sender that waits") }
        if !senders.isEmpty, self.channel.count < self.capacity { self.violate("a sender waits, and there is room") }
        let callbacks = self.players.filter { $0.role.isCallback }.count * 2
        let answered = self.events.all.filter { event in
            switch event {
            case .received(_, let index), .ended(let index): self.players[index].role.isCallback
            case .began, .sent, .refused, .failed: false
            }
        }.count
        if answered > callbacks { self.violate("a callback was called twice") }
        if answered < callbacks {
            if hasEnded { self.violate("a callback waits for a channel that has ended") }
            if !senders.isEmpty { self.violate("a callback waits for a sender that waits") }
            if !self.channel.isEmpty { self.violate("a callback waits, and there are elements") }
        }
    }

    /// Ends everything, and checks where each element has come.
    mutating func conclude() -> Set<String> {
        self.channel.cancel()
        for player in self.players { player.scheduler.run() }
        if Set(self.coroutineEnds.all).count != self.players.filter(\.role.isCoroutine).count {
            self.violate("somebody was left behind")
        }
        let (events, undelivered) = (self.events.all, self.undelivered.all)
        var fates: Set<String> = []
        for case .began(let number) in events {
            let receivers = events.count { if case .received(number, _) = $0 { true } else { false } }
            let places = receivers + undelivered.count { $0 == number }
            fates.insert(receivers > 0 ? "received" : places > 0 ? "undelivered" : "refused")
            if events.contains(.failed(number)) {
                fates.insert("failed")
                // Only one that nobody hears any more may have sent what it throws an error for.
                let mayBeReceived = self.players.contains { $0.role == .dropper(of: number / 10) }
                if receivers > 0, !mayBeReceived { self.violate("\(number) failed, and was received") }
            }
            let expected = events.contains(.refused(number)) ? 0 : 1
            if places != expected { self.violate("\(number) is in \(places) places, \(undelivered)") }
        }
        self.checkOrder(events)
        return fates
    }

    /// Each receiver gets the elements of each sender in their order.
    private mutating func checkOrder(_ events: [Event]) {
        for receiver in self.players.indices where self.players[receiver].role.isCoroutine {
            for sender in self.players.indices {
                let numbers = events.compactMap { event -> Int? in
                    guard case .received(let number, receiver) = event, number / 10 == sender else { return nil }
                    return number
                }
                let began = events.compactMap { if case .began(let number) = $0 { number } else { nil } }
                let expected = began.filter { numbers.contains($0) }
                if numbers != expected { self.violate("\(receiver) got \(numbers) in this order") }
            }
        }
    }
}
