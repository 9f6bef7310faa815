// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a task needs to wait in a queue.
@usableFromInline
struct TaskPlace<Slot> {
    @usableFromInline let parker: TaskParker
    @usableFromInline let place = WaiterPlace<Slot>()

    @inlinable
    init() {
        self.parker = TaskParker()
        self.place.enter(as: self.parker)
    }

    @inlinable var waiter: WaiterReference { self.place.waiter }

    @inlinable var slot: UnsafeMutablePointer<Slot> { unsafe self.place.slot }

    /// Frees the memory; the slot is empty.
    @inlinable
    func free() {
        // Queues do not count their references to the parker, which must live until it has left them.
        withExtendedLifetime(self.parker) { self.place.free() }
    }
}
