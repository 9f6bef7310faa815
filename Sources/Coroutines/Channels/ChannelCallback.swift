// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// A party in a channel that waits nowhere: when it is its turn, something is called.
///
/// It keeps itself alive while it is enlisted, and takes itself out when its wait is cancelled.
///
/// Safe: the waiter and its slot are this object's own; see ``WaiterPlace``.
class ChannelCallback<Element>: Parker, @unchecked Sendable {
    typealias Slot = Disconnected<Element>

    // Weak, so that a channel that nobody uses any more goes away, and tells those who still wait.
    private(set) weak var storage: ChannelStorage<Element>?
    private let place = WaiterPlace<Slot>()

    final var waiter: WaiterReference { self.place.waiter }

    init(in storage: ChannelStorage<Element>) {
        self.storage = storage
        super.init()
        self.place.enter(as: self)
    }

    deinit { self.place.free() }

    /// Stays enlisted, alive, until it is its turn.
    func stay() {
        _ = unsafe Unmanaged.passRetained(self)
        if !self.park() { self.unpark() }
    }

    override final func unpark() {
        // Safe: balances the retain of `stay`, after which this is called once.
        let callback = unsafe Unmanaged.passUnretained(self).takeRetainedValue()
        callback.come()
    }

    /// Its turn has come, or the end: for subclasses to define.
    func come() { preconditionFailure("BUG: a callback of no kind") }
}

/// Receives the next element for a closure.
final class ReceiveCallback<Element>: ChannelCallback<Element>, @unchecked Sendable {
    private let callback: @Sendable (sending Result<Element, any Error>) -> Void
    private let made: CallSite

    init(
        in storage: ChannelStorage<Element>,
        _ callback: @escaping @Sendable (sending Result<Element, any Error>) -> Void
    ) {
        self.callback = callback
        self.made = storage.made
        super.init(in: storage)
    }

    func begin(in storage: ChannelStorage<Element>) {
        guard let received = storage.receive(orEnlist: self.waiter) else { return self.stay() }
        self.answer(received, storage.error(for:))
    }

    override func come() {
        let made = self.made
        let received: ChannelStorage<Element>.Received =
            switch self.waiter.outcome {
            case .done: .element(self.waiter.empty())
            case .ended: .ended(self.storage?.end ?? .sendersGone)
            case .none: self.withdraw()
            }
        self.answer(received) { CoChannelError.error(for: $0, made: made) }
    }

    private func withdraw() -> ChannelStorage<Element>.Received {
        self.storage?.withdraw(receiver: self.waiter)
        return .cancelled
    }

    private func answer(_ received: ChannelStorage<Element>.Received, _ error: (ChannelEnd) -> any Error) {
        switch received {
        case .element(let element): self.callback(.success(element.take()))
        case .cancelled: self.callback(.failure(CancellationError()))
        case .ended(let end): self.callback(.failure(error(end)))
        case .refused: preconditionFailure("BUG: somebody who waits was refused")
        }
    }
}

/// Sends one element, however long that takes.
final class SendCallback<Element>: ChannelCallback<Element>, @unchecked Sendable {
    func begin(_ element: Disconnected<Element>, in storage: ChannelStorage<Element>) {
        guard let sent = storage.send(element, orEnlist: self.waiter) else { return self.stay() }
        if case .sent = sent { return }
        storage.dispose(of: element)
    }

    override func come() {
        if self.waiter.outcome == .done { return }
        let element: Slot = self.waiter.empty()
        self.storage?.dispose(of: element)
    }
}

extension ChannelStorage {
    /// Calls a closure with the next element.
    ///
    /// - Returns: What gives the place in the queue up, if it is called before: then the closure gets `CancellationError`.
    @discardableResult
    func whenReceive(
        _ callback: @escaping @Sendable (sending Result<Element, any Error>) -> Void
    ) -> @Sendable () -> Void {
        let receiver = ReceiveCallback(in: self, callback)
        receiver.begin(in: self)
        return { [weak receiver] in receiver?.cancelWait() }
    }

    func send(_ future: CoFuture<Element>) where Element: Sendable {
        future.whenSuccess { [weak self] value in
            guard let self else { return }
            SendCallback(in: self).begin(Disconnected(unchecked: value), in: self)
        }
    }
}

extension CoFuture {
    /// A future of what comes to a callback, which is given up when the future is cancelled.
    convenience init(
        receiving start: (@escaping @Sendable (sending Result<Value, any Error>) -> Void) -> @Sendable () -> Void
    ) {
        self.init()
        self.whenCanceled(start { [self] in self.settle($0) })
    }
}
