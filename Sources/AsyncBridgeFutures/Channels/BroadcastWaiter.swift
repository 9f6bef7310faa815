// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// The waiter of one send in the queue of a subscriber that has no room for the element.
///
/// It keeps the element, and itself alive, until the subscriber takes the element or ends, or the sender gives up.
///
/// Safe: the waiter and its slot are this object's own; see ``WaiterMemory``.
@usableFromInline
final class BroadcastWaiter<Element: Sendable>: _Parker, @unchecked Sendable {
    typealias Slot = Disconnected<Element>

    private let storage: ChannelStorage<Element>
    private let tally: BroadcastTally
    private let memory = WaiterMemory<Slot>()

    init(in storage: ChannelStorage<Element>, _ tally: BroadcastTally) {
        self.storage = storage
        self.tally = tally
        super.init()
        self.memory.enter(as: self)
    }

    deinit { self.memory.free() }

    var waiter: WaiterReference { self.memory.waiter }

    /// Stays in the queue, alive, until its wait is over.
    ///
    /// - Returns: False if that has happened: then the caller calls ``unpark()``, after its lock.
    func stay() -> Bool {
        _ = unsafe Unmanaged.passRetained(self)
        return self.park()
    }

    override func unpark() {
        // Safe: balances the retain of `stay`, after which this is called once.
        let waiter = unsafe Unmanaged.passUnretained(self).takeRetainedValue()
        waiter.settle()
    }

    private func settle() {
        switch self.waiter.outcome {
        case .done:
            self.tally.settle(isClosed: false)
        case .ended:
            let isOver = self.storage.endOfWaits.isOfBroadcast
            self.dispose()
            self.tally.settle(isClosed: isOver)
        case .none:
            self.storage.withdraw(sender: self.waiter)
            self.dispose()
            self.tally.settle(isClosed: false)
        }
    }

    // Before the sender is told: code that gets the sender's error can rely on `onUndelivered` having been called.
    private func dispose() { self.storage.dispose(of: self.waiter.empty()) }

    /// What happened to a waiter whose sender stopped waiting.
    enum Outcome {
        /// The element is undelivered.
        case withdrawn
        /// The subscriber has taken the element, or has left.
        case settled
        /// The broadcast has ended.
        case ended
    }

    /// The sender stops waiting.
    func giveUp() -> Outcome {
        if self.noteCancellation() {
            self.unpark()
            return .withdrawn
        }
        return self.storage.wasEndedByBroadcast(self.waiter) ? .ended : .settled
    }
}
