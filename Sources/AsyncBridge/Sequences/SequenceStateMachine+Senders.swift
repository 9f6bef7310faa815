// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension SequenceStateMachine {
    /// What the caller of ``send(_:)`` does next.
    @usableFromInline
    package enum SendAction: Sendable {
        /// The element is in; if there is a consumer, resume it.
        case sent(ParkedContinuation?)
        /// There is no room: park, with ``park(_:)``.
        case wait(Element)
        case refuse(Element)
    }

    /// A sender has an element, and can wait.
    @_alwaysEmitIntoClient
    package mutating func send(_ element: __owned Element) -> SendAction {
        guard case .open = self.phase else { return .refuse(element) }
        // First come, first served: not before the waiting senders.
        guard self.senders.isEmpty, self.bufferedCount < self.high else { return .wait(element) }
        self.buffer.append(element)
        let consumer = self.consumer
        self.consumer = nil
        return .sent(consumer)
    }

    /// What a sender does after it has asked to park.
    package enum ParkSenderAction: Sendable {
        case parked
        /// There was room after all; resume the sender, and the consumer.
        case sent(ParkedContinuation?)
        case refuse(Element)
    }

    /// A sender has made its continuation.
    package mutating func park(_ element: __owned Element, id: UInt64, _ continuation: SenderContinuation<Element>)
        -> ParkSenderAction
    {
        switch self.send(element) {
        case .sent(let consumer):
            return .sent(consumer)
        case .refuse(let element):
            return .refuse(element)
        case .wait(let element):
            switch self.demand {
            case .nobody: self.demand = .senders
            case .untoldSource: self.demand = .source
            case .senders, .source: break
            }
            self.senders.append(Sender(id: id, element: element, continuation: continuation), id: id)
            return .parked
        }
    }

    /// A sender's task was cancelled.
    ///
    /// - Returns: The sender, if it was still waiting.
    package mutating func cancelSender(id: UInt64) -> Sender? { self.senders.remove(id) }
}
