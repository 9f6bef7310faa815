// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The life of a sequence between one source and one consumer: every decision, and nothing else.
///
/// | Phase      | Meaning                                          | Next                 |
/// |------------|--------------------------------------------------|----------------------|
/// | `open`     | the source may yield                             | `draining`, `closed` |
/// | `draining` | the source has ended; the buffer has elements    | `closed`             |
/// | `closed`   | nothing will be delivered any more               | none                 |
///
/// Beside the phase there are the buffer, at most one parked consumer, the senders that wait for room (first come,
/// first served, each with its element), the teardown of the source and its wish to hear of demand.
///
/// Invariant: a consumer is parked only while the buffer is empty and the phase is `open`.
/// Invariant: senders wait only in `open`.
/// Invariant: every element that enters leaves once: by ``take()``, or in an action's `undelivered`.
/// `Element` is a ``Disconnected`` value, so that actions may leave the lock.
///
/// Invariant: the teardown leaves once, in the action of the event that leaves `open`, or at once if it comes later.
@usableFromInline
struct SequenceStateMachine<Element: Sendable, Failure: Error>: ~Copyable {
    /// How a sequence ends.
    @usableFromInline
    enum End: Sendable {
        case finished
        case failed(Failure)
        /// The bridge itself failed; a typed sequence cannot throw this.
        case fault(BridgeFault.Code)
    }

    @usableFromInline
    enum Phase: Sendable {
        case open
        case draining(End)
        case closed
    }

    /// Whether the place of the one consumer has been given away.
    enum ConsumerPlace {
        case free
        case taken
    }

    /// Whether somebody is to be woken when the buffer has fallen to the low mark.
    @usableFromInline
    enum Demand: Sendable {
        case flowing
        /// The source was told to pause, or senders wait.
        case paused
    }

    /// A sender that waits for room.
    struct Sender: Sendable {
        let id: UInt64
        let element: Element
        let continuation: SenderContinuation<Element>
    }

    /// Everything that somebody outside the lock must do after an event that ends something.
    @usableFromInline
    struct Ending: Sendable {
        var consumer: ParkedContinuation?
        var senders: [Sender] = []
        var undelivered: [Element] = []
        var teardown: [Teardown] = []
        var reason = SequenceTermination.finished
    }

    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let low: Int
    @usableFromInline let high: Int
    @usableFromInline var phase = Phase.open
    @usableFromInline var buffer = RingBuffer<Element>()
    @usableFromInline var consumer: ParkedContinuation?
    @usableFromInline var demand = Demand.flowing
    @usableFromInline var droppedCount = 0
    private var place = ConsumerPlace.free
    private var senders: [Sender] = []
    private var teardown: [Teardown] = []
    private var demandAction: (@Sendable () -> Void)?
    private var reason = SequenceTermination.finished

    init(policy: BufferingPolicy) {
        self.policy = policy
        self.low = policy.low
        self.high = policy.high
    }
}

// MARK: - The source's events

extension SequenceStateMachine {
    /// What the caller of ``yield(_:)`` does next.
    @usableFromInline
    enum YieldAction: Sendable {
        case accepted
        case acceptedPleasePause
        /// Resume the consumer; the element is in the buffer.
        case resume(ParkedContinuation)
        /// Dispose of the element, outside the lock. The flag says whether it is the first one dropped.
        case drop(Element, isFirst: Bool)
        /// The buffer is full and the policy is to fail: dispose of the element and end the sequence.
        case overflow(Element)
        /// Nobody takes elements any more: dispose of this one.
        case refuse(Element)
    }

    /// The source has an element.
    @inlinable
    mutating func yield(_ element: __owned Element) -> YieldAction {
        guard case .open = self.phase else { return .refuse(element) }
        if let consumer = self.consumer {
            self.consumer = nil
            self.buffer.append(element)
            return .resume(consumer)
        }
        guard self.buffer.count >= self.high else {
            self.buffer.append(element)
            return .accepted
        }
        return self.yieldWhenFull(element)
    }

    @usableFromInline
    mutating func yieldWhenFull(_ element: __owned Element) -> YieldAction {
        switch self.policy {
        case .unbounded, .watermark:
            self.demand = .paused
            self.buffer.append(element)
            return .acceptedPleasePause
        case .bounded(_, .dropOldest):
            self.buffer.append(element)
            self.droppedCount += 1
            // Not empty: it was full, and a full buffer has at least one element.
            guard let oldest = self.buffer.popFirst() else { preconditionFailure("BUG: a full buffer was empty") }
            return .drop(oldest, isFirst: self.droppedCount == 1)
        case .bounded(_, .dropNewest):
            self.droppedCount += 1
            return .drop(element, isFirst: self.droppedCount == 1)
        case .bounded(_, .fail):
            self.droppedCount += 1
            return .overflow(element)
        }
    }

    /// The source ends. Elements in the buffer are still delivered.
    mutating func end(_ end: End) -> Ending {
        guard case .open = self.phase else { return Ending() }
        self.reason =
            switch end {
            case .finished: .finished
            case .failed, .fault: .failed
            }
        self.phase = .draining(end)
        var ending = self.stopSource()
        ending.consumer = self.consumer
        self.consumer = nil
        return ending
    }

    /// What leaves the machine when the source is to stop, whoever wished it.
    private mutating func stopSource() -> Ending {
        var ending = Ending()
        ending.teardown = self.teardown
        ending.reason = self.reason
        self.teardown = []
        self.demandAction = nil
        ending.senders = self.senders
        self.senders = []
        return ending
    }

    /// A teardown is installed.
    ///
    /// - Returns: The reason with which to run it at once, if the source has ended already.
    mutating func install(_ teardown: @escaping Teardown) -> SequenceTermination? {
        guard case .open = self.phase else { return self.reason }
        self.teardown.append(teardown)
        return nil
    }

    var hasTeardown: Bool {
        guard case .open = self.phase else { return true }
        return !self.teardown.isEmpty
    }

    /// The source wants to hear of demand.
    ///
    /// - Returns: The action that it replaces, to be released outside the lock.
    mutating func installDemand(_ action: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        let old = self.demandAction
        if case .open = self.phase { self.demandAction = action }
        return old
    }
}

// MARK: - Senders

extension SequenceStateMachine {
    /// What the caller of ``send(_:)`` does next.
    enum SendAction: Sendable {
        /// The element is in; if there is a consumer, resume it.
        case sent(ParkedContinuation?)
        /// There is no room: park, with ``park(_:)``.
        case wait(Element)
        case refuse(Element)
    }

    /// Somebody sends an element and is willing to wait.
    mutating func send(_ element: __owned Element) -> SendAction {
        guard case .open = self.phase else { return .refuse(element) }
        // First come, first served: not past those who wait.
        guard self.senders.isEmpty, self.buffer.count < self.high else { return .wait(element) }
        self.buffer.append(element)
        let consumer = self.consumer
        self.consumer = nil
        return .sent(consumer)
    }

    /// What a sender does after it has asked to park.
    enum ParkSenderAction: Sendable {
        case parked
        /// There was room after all; resume the sender, and the consumer.
        case sent(ParkedContinuation?)
        case refuse(Element)
    }

    /// A sender has made its continuation.
    mutating func park(_ element: __owned Element, id: UInt64, _ continuation: SenderContinuation<Element>) -> ParkSenderAction {
        switch self.send(element) {
        case .sent(let consumer):
            return .sent(consumer)
        case .refuse(let element):
            return .refuse(element)
        case .wait(let element):
            self.demand = .paused
            self.senders.append(Sender(id: id, element: element, continuation: continuation))
            return .parked
        }
    }

    /// A sender's task was cancelled.
    ///
    /// - Returns: The sender, if it was still waiting.
    mutating func cancelSender(id: UInt64) -> Sender? {
        guard let index = self.senders.firstIndex(where: { $0.id == id }) else { return nil }
        return self.senders.remove(at: index)
    }
}

// MARK: - The consumer's events

extension SequenceStateMachine {
    /// What the consumer got.
    @usableFromInline
    enum TakeAction: Sendable {
        case element(Element)
        /// An element, and room for more: finish the wake-up after leaving the lock.
        case elementAndDemand(Element, Wake)
        case empty
        case end(End)
    }

    /// Whom a consumer wakes because there is room again.
    @usableFromInline
    struct Wake: Sendable {
        var senders: [SenderContinuation<Element>]
        var demandAction: (@Sendable () -> Void)?
    }

    /// The consumer wants an element, if there is one.
    @inlinable
    mutating func take() -> TakeAction {
        guard let element = self.buffer.popFirst() else { return self.takeWhenEmpty() }
        guard case .paused = self.demand, self.buffer.count <= self.low else { return .element(element) }
        return .elementAndDemand(element, self.refill())
    }

    @usableFromInline
    mutating func takeWhenEmpty() -> TakeAction {
        switch self.phase {
        case .open:
            return .empty
        case .draining(let end):
            self.phase = .closed
            return .end(end)
        case .closed:
            return .end(.finished)
        }
    }

    /// Moves waiting senders' elements in, and sees whether the source is to go on.
    @usableFromInline
    mutating func refill() -> Wake {
        let admitted = min(self.senders.count, self.high - self.buffer.count)
        var wake = Wake(senders: [], demandAction: nil)
        for sender in self.senders.prefix(admitted) {
            self.buffer.append(sender.element)
            wake.senders.append(sender.continuation)
        }
        self.senders.removeFirst(admitted)
        if self.senders.isEmpty {
            self.demand = .flowing
            wake.demandAction = self.demandAction
        }
        return wake
    }

    /// What the consumer does after it has asked to park.
    enum ParkConsumerAction: Sendable {
        case parked
        /// Something has come: go on and take it.
        case goOn
        /// Somebody else is parked here.
        case secondConsumer
    }

    /// The consumer has made its continuation.
    mutating func park(_ continuation: ParkedContinuation) -> ParkConsumerAction {
        guard case .open = self.phase, self.buffer.isEmpty else { return .goOn }
        guard self.consumer == nil else { return .secondConsumer }
        self.consumer = continuation
        return .parked
    }

    /// A consumer asks for the place of the one consumer.
    ///
    /// - Returns: Whether it has it now.
    mutating func takePlace() -> Bool {
        switch self.place {
        case .free:
            self.place = .taken
            return true
        case .taken:
            return false
        }
    }

    /// The sequence went away; if nobody consumes it, nobody ever will.
    mutating func sequenceGone() -> Ending {
        switch self.place {
        case .free: self.consumerGone()
        case .taken: Ending()
        }
    }

    /// The consumer went away or was cancelled.
    mutating func consumerGone() -> Ending {
        var ending = Ending()
        if case .open = self.phase {
            self.reason = .cancelled
            ending = self.stopSource()
        }
        self.phase = .closed
        ending.undelivered = self.buffer.removeAll()
        ending.consumer = self.consumer
        self.consumer = nil
        return ending
    }
}
