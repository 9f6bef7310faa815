// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a task needs to wait in a queue: in memory of its own, since its frames may not be pointed to.
///
/// Safe: the task that made it uses it until ``free()``, and is enlisted no longer then.
@safe @usableFromInline
struct TaskPlace<Slot> {
    @usableFromInline let parker: TaskParker
    @usableFromInline let slot: UnsafeMutablePointer<Slot>
    @usableFromInline let waiter: WaiterReference

    @inlinable
    init() {
        self.parker = TaskParker()
        unsafe self.slot = .allocate(capacity: 1)
        let waiter = UnsafeMutablePointer<Waiter>.allocate(capacity: 1)
        unsafe waiter.initialize(to: Waiter(ParkerReference(self.parker), slot: UnsafeMutableRawPointer(self.slot)))
        self.waiter = unsafe WaiterReference(waiter)
    }

    /// Gives the memory back; the slot is empty.
    @inlinable
    func free() {
        unsafe self.waiter.address.deallocate()
        unsafe self.slot.deallocate()
    }
}
