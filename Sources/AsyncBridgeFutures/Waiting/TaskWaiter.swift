// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a task needs to wait in a queue.
@usableFromInline
struct TaskWaiter<Slot> {
    @usableFromInline let parker: TaskParker
    @usableFromInline let memory = WaiterMemory<Slot>()

    @inlinable
    init() {
        self.parker = TaskParker()
        self.memory.enter(as: self.parker)
    }

    @inlinable var waiter: WaiterReference { self.memory.waiter }

    // Safe: the memory lives until `free`.
    @inlinable var slot: UnsafeMutablePointer<Slot> { unsafe self.memory.slot }

    /// Frees the memory; the slot is empty.
    @inlinable
    func free() {
        // Queues do not count their references to the parker, which must live until it has left them.
        withExtendedLifetime(self.parker) { self.memory.free() }
    }
}
