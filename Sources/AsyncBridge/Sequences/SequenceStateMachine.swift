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
/// first served, each with its element), the source's teardown and its demand action.
///
/// The source's events are here, those of the consumer and of the senders in their own files. `Element` is a
/// ``Disconnected`` value, so that actions may leave the lock.
///
/// Invariant: a consumer is parked only while the buffer is empty and the phase is `open`. Invariant: senders wait only
/// in `open`. Invariant: every element that enters leaves once: by ``take()``, as part of a batch, or in an action's
/// `undelivered`. Invariant: `batchCount` is what the consumer took along when it last took, and 0 while it is parked;
/// all of that still fills the buffer. Invariant: a sender or source that waits for the low mark waits above it: a
/// batch never reaches it, and `low + batchSize < high`. Invariant: the teardown leaves once: in the action of the
/// event that leaves `open`, or at once if it comes later; but while an action of the source runs, only when that has
/// ended. No action of the source starts after `open`.
@usableFromInline
package struct SequenceStateMachine<Element: Sendable, Failure: Error>: ~Copyable {
    /// How a sequence ends.
    @usableFromInline
    package enum End: Sendable {
        case finished
        case failed(Failure)
        /// The bridge itself failed; a typed sequence cannot throw this.
        case fault(BridgeFault.Code)
    }

    @usableFromInline
    package enum Phase: Sendable {
        case open
        case draining(End)
        case closed
    }

    /// Which consumer is the one consumer.
    enum ConsumerStatus {
        case free
        case taken
        /// None: the consumer left before the end, which ended the sequence.
        case left
        /// None: the consumer got the end.
        case ended
    }

    /// What is to be woken when the buffer has fallen to the low mark.
    @usableFromInline
    package enum Demand: Sendable {
        case nobody
        /// Senders that wait for room.
        case senders
        /// The source, which was told to pause, and senders if there are any.
        case source
        /// The source, which was told to pause; but the buffer fell before there was an action to tell it with.
        case untoldSource
    }

    /// A sender that waits for room.
    @usableFromInline
    package struct Sender: Sendable {
        package let id: UInt64
        package let element: Element
        package let continuation: SenderContinuation<Element>
    }

    /// Everything that must be done outside the lock after an event that ends something.
    @usableFromInline
    package struct Ending: Sendable {
        package var consumer: ParkedContinuation?
        package var senders: [Sender] = []
        package var undelivered: [Element] = []
        package var teardown: [Teardown] = []
        package var reason = SequenceTermination.finished
        // Only to be released, which may run a user's `deinit`.
        package var demandAction: (@Sendable () -> Void)?
        package var pauseAction: (@Sendable () -> Void)?
        package var unseenEnd: End?
    }

    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let low: Int
    @usableFromInline let high: Int
    @usableFromInline let full: Int
    @usableFromInline let batchSize: Int
    @usableFromInline package var phase = Phase.open
    @usableFromInline package var buffer = RingBuffer<Element>()
    @usableFromInline package var batchCount = 0
    @usableFromInline package var consumer: ParkedContinuation?
    @usableFromInline package var demand = Demand.nobody
    @usableFromInline package var droppedCount = 0
    var consumerStatus = ConsumerStatus.free
    @usableFromInline package var senders = WaitingLine<Sender>()
    private var teardown: [Teardown] = []
    /// The number of the source's actions that run at this moment, on all threads.
    package var runningActions = 0
    var demandAction: (@Sendable () -> Void)?
    private var pauseAction: (@Sendable () -> Void)?
    var reason = SequenceTermination.finished

    package init(policy: BufferingPolicy) {
        self.policy = policy
        self.low = policy.low
        self.high = policy.high
        self.full = policy.full
        self.batchSize = policy.batchSize
    }
}

extension SequenceStateMachine {
    /// The number of elements not delivered, as far as the machine knows.
    @inlinable package var bufferedCount: Int { self.buffer.count + self.batchCount }
}

// MARK: - The source's events

extension SequenceStateMachine {
    /// What the caller of ``yield(_:)`` does next.
    @usableFromInline
    package enum YieldAction: Sendable {
        case accepted
        /// The element is in the buffer; run the action, if there is one, outside the lock, then call `actionEnded()`.
        case acceptedPleasePause((@Sendable () -> Void)?)
        /// Resume the consumer; the element is in the buffer.
        case resume(ParkedContinuation)
        /// Dispose of the element, outside the lock. The flag says whether it is the first one dropped.
        case drop(Element, isFirst: Bool)
        /// The buffer was full, and the sequence has ended by its policy: finish the ending, dispose of the element.
        case overflow(Element, Ending)
        /// Elements are no longer taken: dispose of this one.
        case refuse(Element)
    }

    /// The source has an element.
    @_alwaysEmitIntoClient
    package mutating func yield(_ element: __owned Element) -> YieldAction {
        guard case .open = self.phase else { return .refuse(element) }
        if let consumer = self.consumer {
            self.consumer = nil
            self.buffer.append(element)
            return .resume(consumer)
        }
        guard self.bufferedCount >= self.full else {
            self.buffer.append(element)
            return .accepted
        }
        return self.yieldWhenFull(element)
    }

    @usableFromInline
    mutating func yieldWhenFull(_ element: __owned Element) -> YieldAction {
        switch self.policy.overflow {
        case .keep:
            self.demand = .source
            self.buffer.append(element)
            if self.pauseAction != nil { self.runningActions += 1 }
            return .acceptedPleasePause(self.pauseAction)
        case .dropOldest:
            self.buffer.append(element)
            self.droppedCount += 1
            // Not empty: it was full, and a full buffer has at least one element.
            guard let oldest = self.buffer.popFirst() else { preconditionFailure("BUG: a full buffer was empty") }
            return .drop(oldest, isFirst: self.droppedCount == 1)
        case .dropNewest:
            self.droppedCount += 1
            return .drop(element, isFirst: self.droppedCount == 1)
        case .fail:
            self.droppedCount += 1
            // Race: if these were two events, a `finish` between them would end the sequence as if nothing had been
            // lost.
            return .overflow(element, self.end(.fault(.bufferOverflow)))
        }
    }

    /// The source ends.
    ///
    /// Elements in the buffer are still delivered.
    package mutating func end(_ end: End) -> Ending {
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

    /// What leaves the machine when the source is to stop, for any reason.
    mutating func stopSource() -> Ending {
        var ending = self.takeTeardown()
        ending.demandAction = self.demandAction
        ending.pauseAction = self.pauseAction
        self.demandAction = nil
        self.pauseAction = nil
        self.demand = .nobody
        ending.senders = self.senders.removeAll()
        return ending
    }

    /// Takes the teardown, unless an action of the source runs: then it leaves when the last one has ended.
    private mutating func takeTeardown() -> Ending {
        guard self.runningActions == 0 else { return Ending() }
        defer { self.teardown = [] }
        return Ending(teardown: self.teardown, reason: self.reason)
    }

    /// The caller wants to run an action of the source that no other event asked for.
    ///
    /// - Returns: Whether it may; then call `actionEnded()` after it.
    package mutating func beginAction() -> Bool {
        guard case .open = self.phase else { return false }
        self.runningActions += 1
        return true
    }

    /// An action of the source has returned.
    ///
    /// - Returns: The teardown, if the source has ended meanwhile and no other action runs.
    package mutating func actionEnded() -> Ending {
        self.runningActions -= 1
        if case .open = self.phase { return Ending() }
        return self.takeTeardown()
    }

    /// A teardown is installed.
    ///
    /// - Returns: The reason with which to run it at once, if the source has ended already and no action of it runs.
    package mutating func install(_ teardown: @escaping Teardown) -> SequenceTermination? {
        switch self.phase {
        case .draining where self.runningActions == 0, .closed where self.runningActions == 0:
            return self.reason
        case .open, .draining, .closed:
            self.teardown.append(teardown)
            return nil
        }
    }

    /// What the source must do at this moment; `nil` once it has ended.
    var wantedFlow: FlowSwitch.Flow? {
        guard case .open = self.phase else { return nil }
        if case .source = self.demand { return .paused }
        return .flowing
    }

    /// What the caller of ``installDemand(_:pause:)`` does next, beside releasing the actions that were replaced.
    package enum InstallDemandAction: Sendable {
        case keep(replaced: [(@Sendable () -> Void)?])
        /// The buffer fell before there was an action: run the new one, then call `actionEnded()`.
        case run
    }

    /// The source wants to be told of demand.
    ///
    /// - Parameters:
    ///   - action: Run when the buffer has fallen to the low mark after the source had been told to pause.
    ///   - pause: Run when the source is told to pause.
    /// - Returns: What to do next.
    package mutating func installDemand(
        _ action: @escaping @Sendable () -> Void,
        pause: (@Sendable () -> Void)? = nil
    ) -> InstallDemandAction {
        guard case .open = self.phase else { return .keep(replaced: []) }
        let replaced = [self.demandAction, self.pauseAction]
        self.demandAction = action
        self.pauseAction = pause
        guard case .untoldSource = self.demand else { return .keep(replaced: replaced) }
        self.demand = .nobody
        self.runningActions += 1
        return .run
    }
}
