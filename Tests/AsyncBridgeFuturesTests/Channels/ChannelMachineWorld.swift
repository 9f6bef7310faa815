// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import Testing

/// A channel's machine, and waiters that do what it tells them, and say so.
///
/// Numbers below 10 are waiters; others are elements.
struct ChannelMachineWorld: ~Copyable {
    /// What happens to a channel.
    enum Event: Hashable, Sendable, CustomStringConvertible {
        case send(Int, by: Int?)
        case receive(by: Int?)
        /// A waiter is cancelled, and has not left the queue yet.
        case cancel(Int)
        /// A cancelled waiter leaves the queue.
        case leave(Int)
        case finish(ChannelEnd)

        var description: String {
            switch self {
            case .send(let element, nil): "offer \(element)"
            case .send(let element, let waiter?): "\(waiter) sends \(element)"
            case .receive(nil): "poll"
            case .receive(let waiter?): "\(waiter) receives"
            case .cancel(let waiter): "cancel \(waiter)"
            case .leave(let waiter): "\(waiter) leaves"
            case .finish(let end): "\(end)"
            }
        }
    }

    var machine: ChannelStateMachine<Int>
    private(set) var waiters: [Int: HandMadeWaiter] = [:]
    private var isSender: [Int: Bool] = [:]
    /// What became of those who waited, in the order in which they were woken.
    private(set) var wakes: [String] = []
    private(set) var answers: [Int: ChannelModel.Answer] = [:]
    private(set) var undelivered: [Int] = []
    private let ends = Collected<String>()

    init(_ type: BufferingPolicy) {
        self.machine = ChannelStateMachine(capacity: type.channelCapacity(CallSite()), overflow: type.overflow)
    }

    /// A waiter that begins its one wait; 9 has been cancelled before.
    private mutating func waiter(_ name: Int?, isSender: Bool) -> HandMadeWaiter? {
        guard let name else { return nil }
        let waiter = name == 9 ? HandMadeWaiter.cancelled(9) : HandMadeWaiter(name)
        precondition(self.waiters[name] == nil, "each waits once")
        self.waiters[name] = waiter
        self.isSender[name] = isSender
        return waiter
    }

    private mutating func wake(_ reference: ParkerReference) {
        let waiter = reference.handMade
        switch (waiter.outcome, self.isSender[waiter.name]) {
        case (.done, true?):
            self.answers[waiter.name] = .sent
            self.wakes.append("\(waiter.name) has sent")
        case (.done, _):
            let element = waiter.element
            self.answers[waiter.name] = .received(element)
            self.wakes.append("\(waiter.name) gets \(element)")
        case (.ended, let isSender):
            if let end = self.machine.end { self.answers[waiter.name] = .ended(end) }
            // A sender has its element back.
            self.wakes.append(isSender == true ? "\(waiter.name) keeps \(waiter.element)" : "\(waiter.name) has ended")
        case (.none, _):
            self.wakes.append("\(waiter.name) was woken for nothing")
        }
        reference.wake()
    }

    /// Lets something happen.
    ///
    /// - Returns: What the machine says, and who is woken, in words.
    mutating func perform(_ event: Event) -> String {
        self.wakes = []
        let (said, _) = self.apply(event)
        return ([said] + self.wakes).joined(separator: ", ")
    }

    /// - Returns: What the machine says, in words, and the answer; none for one who waits.
    mutating func apply(_ event: Event) -> (String, ChannelModel.Answer?) {
        switch event {
        case .send(let element, let name): return self.send(element, by: self.waiter(name, isSender: true))
        case .receive(let name): return self.receive(by: self.waiter(name, isSender: false))
        case .cancel(let name):
            self.waiters[name]?.cancelWait()
            return ("", nil)
        case .leave(let name):
            guard let waiter = self.waiters[name] else { return ("", nil) }
            if self.isSender[name] == true {
                self.machine.leave(sender: waiter.reference)
            } else {
                self.machine.leave(receiver: waiter.reference)
            }
            return ("", nil)
        case .finish(let end): return self.finish(end)
        }
    }

    private mutating func send(_ element: Int, by waiter: HandMadeWaiter?) -> (String, ChannelModel.Answer?) {
        switch self.machine.send(element, orEnlist: waiter?.reference) {
        case .stored: return ("stored", .sent)
        case .wake(let receiver):
            self.wake(receiver)
            return ("sent", .sent)
        case .dispose(let old):
            self.undelivered.append(old)
            return ("dispose of \(old)", .sent)
        case .refuse: return ("refuse", .refused)
        case .overflow: return ("overflow", .ended(.failed))
        case .suspend: return ("suspend", nil)
        case .cancelled: return ("cancelled", .cancelled)
        case .ended(let end): return ("ended: \(end)", .ended(end))
        }
    }

    private mutating func receive(by waiter: HandMadeWaiter?) -> (String, ChannelModel.Answer?) {
        switch self.machine.receive(orEnlist: waiter?.reference) {
        case .take(let element, let sender):
            if let sender { self.wake(sender) }
            return ("take \(element)", .received(element))
        case .refuse: return ("refuse", .refused)
        case .suspend: return ("suspend", nil)
        case .cancelled: return ("cancelled", .cancelled)
        case .ended(let end): return ("ended: \(end)", .ended(end))
        }
    }

    private mutating func finish(_ end: ChannelEnd) -> (String, ChannelModel.Answer?) {
        guard let ending = self.machine.finish(end) else { return ("nothing", nil) }
        for waiter in ending.waiting { self.wake(waiter) }
        self.undelivered += ending.undelivered
        for observer in ending.observers { observer(end) }
        return ("dispose of \(ending.undelivered)", nil)
    }

    mutating func observe(_ name: String, ofCancellation: Bool = false) {
        let ends = self.ends
        let observer: @Sendable (ChannelEnd?) -> Void = { ends.append("\(name): \($0.map { "\($0)" } ?? "gone")") }
        if let end = self.machine.observe(observer, ofCancellation: ofCancellation) {
            ends.append("\(name) at once: \(end)")
        }
    }

    /// What observers were told, in order.
    var told: [String] { self.ends.all }

    /// What the channel holds, in words; the buffer is empty afterwards.
    consuming func contents() -> String {
        var words: [String] = []
        let buffer = self.machine.buffer.removeAll()
        if !buffer.isEmpty { words.append("holds \(buffer)") }
        if !self.machine.senders.isEmpty { words.append("senders \(self.machine.senders.names)") }
        if !self.machine.receivers.isEmpty { words.append("receivers \(self.machine.receivers.names)") }
        return words.isEmpty ? "empty" : words.joined(separator: ", ")
    }
}
