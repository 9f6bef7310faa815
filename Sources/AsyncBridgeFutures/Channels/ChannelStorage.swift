// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import Synchronization

/// The lock around a channel's machine, and the actions that follow from its decisions.
///
/// Safe: the machine refers to waiters, which leave it under the lock before they are freed.
@safe @usableFromInline
package final class ChannelStorage<Element>: Sendable {
    @usableFromInline package typealias Machine = ChannelStateMachine<Disconnected<Element>>

    @usableFromInline package let machine: ManualMutex<Machine>
    @usableFromInline package let made: CallSite
    let buffering: BufferingPolicy

    @usableFromInline let onUndelivered: (@Sendable (sending Element) -> Void)?

    // The number of possible senders and receivers: each handle counts.
    private let senders = Atomic(0)
    private let receivers = Atomic(0)

    init(
        _ buffering: BufferingPolicy,
        first: Disconnected<Element>? = nil,
        made: CallSite,
        onUndelivered: (@Sendable (sending Element) -> Void)?
    ) {
        var machine = Machine(capacity: buffering.channelCapacity(made), overflow: buffering.overflow)
        if let first { _ = machine.send(first, orEnlist: nil) }
        self.machine = ManualMutex(machine)
        self.made = made
        self.buffering = buffering
        self.onUndelivered = onUndelivered
    }

    deinit { self.perform(self.machine.withLock { $0.goAway() }, end: nil) }

    // MARK: Actions

    /// Gives an element to `onUndelivered`, or lets it go.
    @usableFromInline
    package func dispose(of element: Disconnected<Element>) { self.onUndelivered?(element.take()) }

    private func perform(_ ending: Machine.Ending, end: ChannelEnd?) {
        for parker in ending.waiting { parker.wake() }
        for element in ending.undelivered { self.dispose(of: element) }
        for observer in ending.observers { observer(end) }
    }

    // MARK: The end

    /// - Returns: Whether this was the end.
    @discardableResult
    func finish(_ end: ChannelEnd, failure: (any Error)? = nil) -> Bool {
        guard let ending = self.machine.withLock({ $0.finish(end, failure: failure) }) else { return false }
        self.perform(ending, end: end)
        return true
    }

    // Never inlined, like everything here that locks and may be called on both sides of a wait: on Linux an inlined
    // lock remembers its thread (Scripts/check-thread-locals).
    @inline(never)
    @usableFromInline var end: ChannelEnd? { self.machine.withLock { $0.end } }

    /// The end that ended a wait, which counts for that wait: another one may have come before its code ran again.
    @inline(never)
    @usableFromInline var endOfWaits: ChannelEnd { self.machine.withLock { $0.firstEnd } ?? .closed }

    @inline(never)
    private func failure(_ end: ChannelEnd) -> (any Error)? {
        self.machine.withLock { machine in
            switch end {
            case .failed: machine.failure
            case .refused: machine.refusal
            case .closed, .cancelled, .sendersGone, .receiversGone: nil
            }
        }
    }

    /// The error for receivers and senders after an end.
    @usableFromInline
    func error(for end: ChannelEnd) -> any Error {
        self.failure(end) ?? CoChannelError.error(for: end, made: self.made)
    }

    /// Ends a channel that is full, and whose policy is to fail.
    ///
    /// - Returns: How it has ended.
    @usableFromInline
    func overflow() -> ChannelEnd {
        self.finish(.failed, failure: BridgeFault(.bufferOverflow, made: self.made))
        // Another end may have been first.
        return self.end ?? .failed
    }

    func observe(ofCancellation: Bool = false, _ observer: @escaping Machine.Observer) {
        let end = self.machine.withLock { $0.observe(observer, ofCancellation: ofCancellation) }
        if let end { observer(end) }
    }

    func addSender() { self.senders.add(1, ordering: .relaxed) }

    @usableFromInline
    func addReceiver() { self.receivers.add(1, ordering: .relaxed) }

    func removeSender() {
        if self.senders.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { self.finish(.sendersGone) }
    }

    @usableFromInline
    func removeReceiver() {
        if self.receivers.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { self.finish(.receiversGone) }
    }

    /// The handle that could do both was released.
    ///
    /// If it was the last one, the channel is released, and that ends it.
    func removeSenderAndReceiver() {
        let senders = self.senders.subtract(1, ordering: .acquiringAndReleasing).newValue
        let receivers = self.receivers.subtract(1, ordering: .acquiringAndReleasing).newValue
        switch (senders, receivers) {
        case (0, 0): return
        case (0, _): self.finish(.sendersGone)
        case (_, 0): self.finish(.receiversGone)
        case (_, _): return
        }
    }

    // MARK: Without waiting

    var count: Int { self.machine.withLock { $0.buffer.count } }

    /// The same; nothing if a receiver waits, which has been given no element.
    var countUnlessAwaited: Int? { self.machine.withLock { $0.receivers.isEmpty ? $0.buffer.count : nil } }

    /// The outcome of an attempt to send.
    @usableFromInline
    package enum Sent {
        case sent
        case refused
        case cancelled
        case ended(ChannelEnd)
    }

    /// The outcome of an attempt to receive.
    @usableFromInline
    enum Received {
        case element(Disconnected<Element>)
        case refused
        case cancelled
        case ended(ChannelEnd)
    }

    @inlinable @inline(never)
    package func sendNow(_ element: Disconnected<Element>) -> Sent {
        switch self.machine.withLock({ $0.send(element, orEnlist: nil) }) {
        case .stored: return .sent
        case .wake(let receiver): receiver.wake()
        case .dispose(let old): self.dispose(of: old)
        case .refuse: return .refused
        case .overflow: return .ended(self.overflow())
        case .ended(let end): return .ended(end)
        case .suspend, .cancelled: preconditionFailure("BUG: a waiter was enlisted without a wait")
        }
        return .sent
    }

    @inlinable @inline(never)
    func receiveNow() -> Received {
        switch self.machine.withLock({ $0.receive(orEnlist: nil) }) {
        case .take(let element, let sender):
            sender?.wake()
            return .element(element)
        case .refuse: return .refused
        case .ended(let end): return .ended(end)
        case .suspend, .cancelled: preconditionFailure("BUG: a waiter was enlisted without a wait")
        }
    }
}

// MARK: - Waiting

extension ChannelStorage {
    /// Tries to send, and enlists the waiter, with the element in its slot, if it cannot.
    ///
    /// - Returns: Nothing if the waiter is enlisted.
    @inlinable
    package func send(_ element: Disconnected<Element>, orEnlist waiter: WaiterReference) -> Sent? {
        switch self.machine.withLock({ $0.send(element, orEnlist: waiter) }) {
        case .stored: return .sent
        case .wake(let receiver): receiver.wake()
        case .dispose(let old): self.dispose(of: old)
        case .suspend: return nil
        case .cancelled: return .cancelled
        case .overflow: return .ended(self.overflow())
        case .ended(let end): return .ended(end)
        case .refuse: preconditionFailure("BUG: a waiter was not enlisted")
        }
        return .sent
    }

    /// Tries to receive, and enlists the waiter, whose slot has room for an element, if it cannot.
    ///
    /// - Returns: Nothing if the waiter is enlisted.
    @inlinable
    func receive(orEnlist waiter: WaiterReference) -> Received? {
        switch self.machine.withLock({ $0.receive(orEnlist: waiter) }) {
        case .take(let element, let sender):
            sender?.wake()
            return .element(element)
        case .suspend: return nil
        case .cancelled: return .cancelled
        case .ended(let end): return .ended(end)
        case .refuse: preconditionFailure("BUG: a waiter was not enlisted")
        }
    }

    /// A sender's wait is over: takes the waiter out, and any element left in its slot.
    @inlinable
    package func sent(_ waiter: WaiterReference) -> Sent {
        switch waiter.outcome {
        case .done:
            return .sent
        case .ended:
            _ = waiter.empty(Disconnected<Element>.self)
            return .ended(self.endOfWaits)
        case .none:
            self.withdraw(sender: waiter)
            _ = waiter.empty(Disconnected<Element>.self)
            return .cancelled
        }
    }

    /// A receiver's wait is over: takes the waiter out, and the element out of its slot.
    @inlinable
    func received(_ waiter: WaiterReference) -> Received {
        switch waiter.outcome {
        case .done:
            return .element(waiter.empty())
        case .ended:
            return .ended(self.endOfWaits)
        case .none:
            self.withdraw(receiver: waiter)
            return .cancelled
        }
    }

    @usableFromInline @inline(never)
    func withdraw(sender waiter: WaiterReference) {
        self.machine.withLock { $0.leave(sender: waiter) }
    }

    @usableFromInline @inline(never)
    func withdraw(receiver waiter: WaiterReference) {
        self.machine.withLock { $0.leave(receiver: waiter) }
    }
}

extension BufferingPolicy {
    /// The number of elements that may wait in a channel.
    package func channelCapacity(_ made: CallSite) -> Int {
        self.check(made, "channel")
        return switch self {
        case .bounded(let capacity): capacity
        case .unbounded, .newest, .oldest, .failing, .watermark: self.high
        }
    }
}
