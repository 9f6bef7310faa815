// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension SequenceStateMachine {
    /// What the consumer got.
    @usableFromInline
    package enum TakeAction: Sendable {
        /// An element; no sender or source is to be woken.
        case element(Element)
        /// An element, and there is room for more: finish the wake-up after leaving the lock.
        case elementAndDemand(Element, Wake)
        /// Nothing yet: park, with ``park(_:)``.
        case empty
        /// The end, once; then `finished`.
        case end(End)
    }

    /// What a consumer wakes because there is room again.
    @usableFromInline
    package struct Wake: Sendable {
        package var senders: [SenderContinuation<Element>]
        /// Run it, then call `actionEnded()`.
        package var demandAction: (@Sendable () -> Void)?
    }

    /// The consumer wants an element, if there is one, and has used up its batch.
    @_alwaysEmitIntoClient
    package mutating func take() -> TakeAction {
        self.batchCount = 0
        guard let element = self.buffer.popFirst() else { return self.takeWhenEmpty() }
        switch self.demand {
        case .nobody, .untoldSource:
            return .element(element)
        case .senders, .source:
            guard self.buffer.count <= self.low else { return .element(element) }
            return .elementAndDemand(element, self.refill())
        }
    }

    /// The consumer has taken an element, and gets a batch of those that follow, to deliver without the lock.
    ///
    /// Two threads that take turns at a lock for each element spend more time on the turns than on the elements. The
    /// batch ends before the low mark, where senders or the source would be woken, so it changes nothing for them. Call
    /// after ``take()``, which ends the previous batch.
    @_alwaysEmitIntoClient
    package mutating func takeBatch(into batch: inout RingBuffer<Element>) {
        var count = min(self.batchSize, self.buffer.count)
        switch self.demand {
        case .nobody, .untoldSource: break
        case .senders, .source: count = min(count, self.buffer.count - self.low - 1)
        }
        while self.batchCount < count, let element = self.buffer.popFirst() {
            batch.append(element)
            self.batchCount += 1
        }
        self.buffer.giveBackRoom()
    }

    @usableFromInline
    mutating func takeWhenEmpty() -> TakeAction {
        switch self.phase {
        case .open:
            return .empty
        case .draining(let end):
            self.phase = .closed
            self.consumerStatus = .ended
            return .end(end)
        case .closed:
            return .end(.finished)
        }
    }

    /// The consumer, which has delivered its batch, was cancelled.
    ///
    /// - Returns: The end of the source, once, if it came before that and nothing is left to deliver: nothing was lost
    ///   then, and the first end is the one that counts.
    package mutating func takeEndIfNothingIsLeft() -> End? {
        self.batchCount = 0
        guard self.buffer.isEmpty, case .draining = self.phase, case .end(let end) = self.takeWhenEmpty() else {
            return nil
        }
        return end
    }

    /// Moves waiting senders' elements in, and checks whether the source is to go on.
    @usableFromInline
    mutating func refill() -> Wake {
        var wake = Wake(senders: [], demandAction: nil)
        while self.buffer.count < self.high, let sender = self.senders.popFirst() {
            self.buffer.append(sender.element)
            wake.senders.append(sender.continuation)
        }
        guard self.senders.isEmpty else { return wake }
        switch self.demand {
        case .nobody, .untoldSource:
            break
        case .senders:
            self.demand = .nobody
        case .source:
            // The senders may have filled the buffer again; then the source goes on waiting.
            guard self.buffer.count <= self.low else { break }
            guard let action = self.demandAction else {
                self.demand = .untoldSource
                break
            }
            self.demand = .nobody
            self.runningActions += 1
            wake.demandAction = action
        }
        return wake
    }

    /// What the consumer does after it has asked to park.
    package enum ParkConsumerAction: Sendable {
        /// Stay suspended; the next event resumes the continuation.
        case parked
        /// Something has come: go on and take it.
        case goOn
        /// Another consumer is parked here.
        case secondConsumer
    }

    /// The consumer has made its continuation.
    package mutating func park(_ continuation: ParkedContinuation) -> ParkConsumerAction {
        guard case .open = self.phase, self.buffer.isEmpty else { return .goOn }
        guard self.consumer == nil else { return .secondConsumer }
        self.consumer = continuation
        return .parked
    }

    /// The parked consumer's task was cancelled; it wakes to find that out.
    package mutating func wakeConsumer() -> ParkedContinuation? {
        defer { self.consumer = nil }
        return self.consumer
    }

    /// The outcome when a consumer asks to be the one consumer.
    package enum TakePlaceAction: Sendable {
        /// It is the consumer.
        case consume
        /// Another consumer has the sequence.
        case refuse
        /// An earlier consumer left before the end, which ended the sequence.
        case refuseAfterLeaving
        /// An earlier consumer got the end: there is nothing more.
        case end
    }

    /// A consumer asks to be the one consumer.
    package mutating func takePlace() -> TakePlaceAction {
        switch self.consumerStatus {
        case .free:
            self.consumerStatus = .taken
            return .consume
        case .taken: return .refuse
        case .left: return .refuseAfterLeaving
        case .ended: return .end
        }
    }

    /// The sequence was released; without a consumer now, there will never be one.
    package mutating func sequenceGone() -> Ending {
        switch self.consumerStatus {
        case .free: self.consumerGone()
        case .taken, .left, .ended: Ending()
        }
    }

    /// The consumer was released or cancelled.
    ///
    /// - Parameter batch: What is left of its batch.
    /// - Returns: What to do outside the lock.
    package mutating func consumerGone(returning batch: [Element] = []) -> Ending {
        var ending = Ending()
        switch self.phase {
        case .open:
            self.phase = .closed
            self.consumerStatus = .left
            self.reason = .cancelled
            ending = self.stopSource()
        case .draining(let end):
            self.phase = .closed
            ending.unseenEnd = end
            self.consumerStatus = .left
        case .closed:
            break
        }
        ending.undelivered = batch + self.buffer.removeAll()
        self.batchCount = 0
        ending.consumer = self.consumer
        self.consumer = nil
        return ending
    }
}
