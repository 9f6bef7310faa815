// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A waiter and its slot, in memory of their own: for parties that have no frame which may be pointed to.
///
/// Safe: the party that made it uses it until ``free()``, and is enlisted no longer then.
@safe @usableFromInline
struct WaiterPlace<Slot> {
    @usableFromInline let slot: UnsafeMutablePointer<Slot>
    @usableFromInline let waiter: WaiterReference

    @inlinable
    init() {
        // One block for both: the waiter, and the slot behind it.
        let alignment = MemoryLayout<Slot>.alignment
        let offset = unsafe (MemoryLayout<Waiter>.size + alignment - 1) / alignment * alignment
        let memory = unsafe UnsafeMutableRawPointer.allocate(
            byteCount: offset + MemoryLayout<Slot>.size,
            alignment: max(alignment, MemoryLayout<Waiter>.alignment)
        )
        unsafe self.slot = (memory + offset).bindMemory(to: Slot.self, capacity: 1)
        self.waiter = unsafe WaiterReference(memory.bindMemory(to: Waiter.self, capacity: 1))
    }

    /// Makes the waiter the party's, once, before it is used.
    @inlinable
    func enter(as parker: Parker) {
        let slot = unsafe UnsafeMutableRawPointer(self.slot)
        unsafe self.waiter.address.initialize(to: Waiter(ParkerReference(parker), slot: slot))
    }

    /// Gives the memory back; the slot is empty.
    @inlinable
    func free() {
        unsafe UnsafeMutableRawPointer(self.waiter.address).deallocate()
    }
}
