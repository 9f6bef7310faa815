// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

// Waits by callback or future. Such a waiter counts as a sender or receiver while it waits. So the channel ends when
// the other side is gone, and that ends the wait. Never inlined, because of the locks; see `ChannelStorage.end`.

extension ChannelStorage {
    // MARK: Receiving

    /// Calls a closure with the next element, or with the error with which the channel has ended.
    ///
    /// - Parameters:
    ///   - future: The future that the closure settles. If no code holds it when the element comes, the element is
    ///     undelivered.
    ///   - callback: Called once.
    /// - Returns: The waiter; nothing if the closure has been called. Cancelling its wait calls the closure with
    ///   `CancellationError`, unless it gets an element.
    @inlinable @inline(never) @discardableResult
    func whenReceive(
        for future: AnyCoFuture? = nil,
        _ callback: @escaping @Sendable (sending Result<Element, any Error>) -> Void
    ) -> ChannelCallback? {
        let received = self.receiveNow()
        guard case .refused = received else {
            self.answerNow(received, for: future, callback)
            return nil
        }
        let waiting = ChannelCallback(roomFor: Disconnected<Element>.self)
        if let received = self.enlist(receiver: waiting.waiter) {
            self.answerNow(received, for: future, callback)
            return nil
        }
        // Before it can be woken; the caller holds a handle until then.
        self.addReceiver()
        waiting.stay(for: future) { waiting in
            let received = self.received(waiting.waiter)
            let recipient = waiting.takeRecipient()
            if recipient.isGone, case .element(let element) = received {
                recipient.endWithoutElement()
                self.dispose(of: element)
            } else {
                self.answer(received, callback)
            }
            withExtendedLifetime(recipient) {}
            self.removeReceiver()
        }
        return waiting
    }

    /// Calls the closure in the call that receives: it may receive again, and so on.
    ///
    /// The closure need not keep the future that it settles.
    @inlinable
    func answerNow(
        _ received: Received,
        for future: AnyCoFuture?,
        _ callback: @escaping @Sendable (sending Result<Element, any Error>) -> Void
    ) {
        guard OtherStack.isNeeded else { return self.answer(received, callback) }
        // Safe: the element has left the channel, and the closure runs once.
        nonisolated(unsafe) let received = received
        OtherStack.run {
            unsafe self.answer(received, callback)
            withExtendedLifetime(future) {}
        }
    }

    @inlinable
    func answer(_ received: Received, _ callback: (sending Result<Element, any Error>) -> Void) {
        switch received {
        case .element(let element): callback(.success(element.take()))
        case .cancelled: callback(.failure(CancellationError()))
        case .ended(let end): callback(.failure(self.error(for: end)))
        case .refused: preconditionFailure("BUG: a waiter was refused")
        }
    }

    @inlinable
    func receiveFuture() -> CoFuture<Element> where Element: Sendable { ReceivingFuture(from: self) }

    // MARK: Sending

    /// Sends the value of a future.
    @inlinable
    func send(_ future: CoFuture<Element>) where Element: Sendable {
        let sender = CoChannel<Element>.Sender(self)
        // The future drops its observers when it has a result or is released: that releases this sender, unless it
        // waits.
        future.whenSuccess { sender.storage.send(Disconnected(unchecked: $0), keeping: sender) }
    }

    /// Sends an element, waiting as long as necessary.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - sender: The handle that counts as a sender until then.
    @inlinable @inline(never)
    func send(_ element: Disconnected<Element>, keeping sender: CoChannel<Element>.Sender) {
        var sent = self.sendNow(element)
        if case .refused = sent {
            let waiting = ChannelCallback(roomFor: Disconnected<Element>.self)
            guard let outcome = self.enlist(sender: waiting.waiter, element) else {
                return waiting.stay { waiting in
                    if waiting.waiter.outcome == .ended { self.dispose(of: waiting.waiter.empty()) }
                    withExtendedLifetime(sender) {}
                }
            }
            sent = outcome
        }
        if case .sent = sent { return }
        self.dispose(of: element)
    }

    // MARK: Locks

    @inlinable @inline(never)
    func enlist(receiver waiter: WaiterReference) -> Received? { self.receive(orEnlist: waiter) }

    @inlinable @inline(never)
    func enlist(sender waiter: WaiterReference, _ element: Disconnected<Element>) -> Sent? {
        self.send(element, orEnlist: waiter)
    }
}
