// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// A waiter of a channel that is neither a coroutine nor a task: when its wait is over, a closure is called.
///
/// Not generic: only the closure knows the element's type, and it is specialised where it is made.
///
/// It keeps itself alive while it waits, and with it everything that its closure holds.
///
/// Safe: the waiter and its slot are this object's own. The rest is written before the wait begins, and read by the
/// thread that ends it.
@safe @usableFromInline
final class ChannelCallback: _Parker, @unchecked Sendable {
    @usableFromInline let waiter: WaiterReference
    private var action: (@Sendable (ChannelCallback) -> Void)?
    private var future: AnyCoFuture?

    /// - Parameter type: What the slot is for.
    @inlinable
    convenience init<Slot>(roomFor type: Slot.Type) {
        self.init(slotSize: MemoryLayout<Slot>.size, alignment: MemoryLayout<Slot>.alignment)
    }

    @usableFromInline
    init(slotSize size: Int, alignment: Int) {
        let (address, slot) = unsafe Waiter.allocate(slotSize: size, alignment: alignment)
        self.waiter = unsafe WaiterReference(address)
        super.init()
        unsafe address.initialize(to: Waiter(ParkerReference(self), slot: slot))
    }

    deinit { unsafe UnsafeMutableRawPointer(self.waiter.address).deallocate() }

    /// Waits, enlisted, until it is woken or its wait is cancelled.
    ///
    /// - Parameters:
    ///   - future: The future that the closure settles; kept until then.
    ///   - action: Called once, at the end of the wait.
    @usableFromInline
    func stay(for future: AnyCoFuture? = nil, _ action: @escaping @Sendable (ChannelCallback) -> Void) {
        self.action = action
        self.future = future
        _ = unsafe Unmanaged.passRetained(self)
        if !self.park() { self.unpark() }
    }

    override func unpark() {
        // The closure may send to, or end, a channel where another such callback waits, and so on.
        if OtherStack.isNeeded { return OtherStack.run { self.comeBack() } }
        self.comeBack()
    }

    private func comeBack() {
        // Safe: balances the retain of `stay`, after which this is called once.
        let callback = unsafe Unmanaged.passUnretained(self).takeRetainedValue()
        guard let action = callback.action.take() else { preconditionFailure("BUG: a callback came back twice") }
        action(callback)
    }

    /// The future that is to be settled.
    @usableFromInline
    struct Recipient {
        let future: AnyCoFuture?
        /// Whether no code holds or observes the future: an element that it got would be lost.
        @usableFromInline let isGone: Bool

        /// Ends a future that gets no element: other code may still reach it, by a weak reference.
        @usableFromInline
        func endWithoutElement() { self.future?.settle(failure: CancellationError()) }
    }

    /// Gives the future to the thread that ends the wait.
    @usableFromInline
    func takeRecipient() -> Recipient {
        // If there is no other reference, none can appear.
        let isAlone = isKnownUniquelyReferenced(&self.future)
        // Reads below must see what the former owners did before they released it.
        if isAlone { atomicMemoryFence(ordering: .acquiring) }
        let future = self.future.take()
        return Recipient(future: future, isGone: isAlone && future?.isObserved == false)
    }
}
