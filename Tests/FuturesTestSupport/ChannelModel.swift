// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridge
package import AsyncBridgeFutures

/// What a channel is, in plain arrays: the yardstick for the channel itself.
package struct ChannelModel: Hashable, Sendable {
    /// What becomes of one who sends or receives.
    package enum Answer: Hashable, Sendable {
        case sent
        case received(Int)
        /// It was not to wait, and would have had to.
        case refused
        case cancelled
        case ended(ChannelEnd)
    }

    private struct Sender: Hashable, Sendable {
        let waiter: Int
        let element: Int
    }

    private let capacity: Int
    private let overflow: BufferingPolicy.Overflow
    package private(set) var buffer: [Int] = []
    private var senders: [Sender] = []
    package private(set) var waitingReceivers: [Int] = []
    package private(set) var end: ChannelEnd?
    /// What those were told whose wait somebody else has ended.
    package private(set) var answers: [Int: Answer] = [:]
    /// What nobody will receive, and no sender has kept.
    package private(set) var undelivered: [Int] = []

    package init(_ type: BufferingPolicy) {
        self.capacity = type.channelCapacity(CallSite())
        self.overflow = type.overflow
    }

    package var waitingSenders: [Int] { self.senders.map(\.waiter) }

    /// The waiter, if there is one, waits if there is no room: then there is no answer yet.
    package mutating func send(_ element: Int, as waiter: Int?) -> Answer? {
        if let end = self.end { return .ended(end) }
        if !self.waitingReceivers.isEmpty {
            self.answers[self.waitingReceivers.removeFirst()] = .received(element)
            return .sent
        }
        if self.buffer.count < self.capacity {
            self.buffer.append(element)
            return .sent
        }
        switch self.overflow {
        case .keep:
            break
        case .dropOldest:
            self.undelivered.append(self.buffer.removeFirst())
            self.buffer.append(element)
            return .sent
        case .dropNewest:
            self.undelivered.append(element)
            return .sent
        case .fail:
            return .ended(.failed)
        }
        guard let waiter else { return .refused }
        self.senders.append(Sender(waiter: waiter, element: element))
        return nil
    }

    /// The waiter, if there is one, waits if there is no element: then there is no answer yet.
    package mutating func receive(as waiter: Int?) -> Answer? {
        // A sender that waits is behind what is in the buffer, and moves up.
        var elements = self.buffer
        if let sender = self.senders.first {
            self.senders.removeFirst()
            self.answers[sender.waiter] = .sent
            elements.append(sender.element)
        }
        if let first = elements.first {
            self.buffer = Array(elements.dropFirst())
            return .received(first)
        }
        if let end = self.end { return .ended(end) }
        guard let waiter else { return .refused }
        self.waitingReceivers.append(waiter)
        return nil
    }

    /// A waiter waits no longer.
    package mutating func leave(_ waiter: Int) {
        self.senders.removeAll { $0.waiter == waiter }
        self.waitingReceivers.removeAll { $0 == waiter }
    }

    /// - Returns: Whether this was the end, or the end of what was left.
    @discardableResult
    package mutating func finish(_ end: ChannelEnd) -> Bool {
        if let before = self.end, !before.keepsElements || end.keepsElements { return false }
        self.end = end
        for waiter in self.waitingReceivers + self.waitingSenders { self.answers[waiter] = .ended(end) }
        (self.senders, self.waitingReceivers) = ([], [])
        if !end.keepsElements {
            self.undelivered += self.buffer
            self.buffer = []
        }
        return true
    }
}

extension BufferingPolicy {
    /// One of each kind.
    package static var kinds: [BufferingPolicy] {
        [
            .rendezvous, .bounded(capacity: 1), .bounded(capacity: 2), .unbounded, .newest(capacity: 1),
            .newest(capacity: 2),
            .oldest(capacity: 1),
        ]
    }
}
