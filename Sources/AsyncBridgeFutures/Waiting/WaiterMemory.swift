// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A waiter and its slot, in their own memory: for waiters without a frame that may be pointed to.
///
/// Safe: the code that made it uses it until ``free()``, and is no longer enlisted then.
@safe @usableFromInline
package struct WaiterMemory<Slot> {
    @usableFromInline package let slot: UnsafeMutablePointer<Slot>
    @usableFromInline package let waiter: WaiterReference

    @inlinable
    package init() {
        let (waiter, slot) = unsafe Waiter.allocate(
            slotSize: MemoryLayout<Slot>.size,
            alignment: MemoryLayout<Slot>.alignment
        )
        unsafe self.slot = slot.bindMemory(to: Slot.self, capacity: 1)
        self.waiter = unsafe WaiterReference(waiter)
    }

    /// Initialises the waiter for its parker, once, before it is used.
    @inlinable
    package func enter(as parker: _Parker) {
        let slot = unsafe UnsafeMutableRawPointer(self.slot)
        unsafe self.waiter.address.initialize(to: Waiter(ParkerReference(parker), slot: slot))
    }

    /// Frees the memory; the slot is empty.
    @inlinable
    package func free() {
        unsafe UnsafeMutableRawPointer(self.waiter.address).deallocate()
    }
}
