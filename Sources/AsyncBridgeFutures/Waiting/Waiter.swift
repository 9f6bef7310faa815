// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An entry in the queue of a channel, future or lock; it lies on the waiting code's stack or in its own memory.
///
/// Used through a ``WaiterReference``.
@unsafe @usableFromInline
package struct Waiter {
    /// The outcome of the wait.
    @usableFromInline
    package enum Outcome: UInt8 {
        /// None: the parker was not claimed, or for another of its waiters.
        case none
        /// What it waited for has happened.
        case done
        /// What it waited for has ended instead.
        case ended
    }

    @usableFromInline package var next: WaiterReference?
    @usableFromInline package var previous: WaiterReference?
    @usableFromInline package let parker: ParkerReference
    /// What is handed over, or room for it.
    @usableFromInline package let slot: UnsafeMutableRawPointer?
    @usableFromInline package var isEnlisted = false
    @usableFromInline package var outcome = Outcome.none

    /// - Parameters:
    ///   - parker: The parker, which lives as long as this waiter is enlisted.
    ///   - slot: The value that is handed over, or room for it; it lives as long.
    @inlinable
    package init(_ parker: ParkerReference, slot: UnsafeMutableRawPointer?) {
        unsafe self.parker = parker
        unsafe self.slot = slot
    }
}

extension Waiter {
    /// Makes room for a waiter and for a slot behind it, in one block.
    ///
    /// - Parameters:
    ///   - size: The size of the slot, in bytes.
    ///   - alignment: The alignment of the slot, in bytes.
    /// - Returns: The waiter, at whose address the block is freed, and the slot; both uninitialised.
    @inlinable
    package static func allocate(
        slotSize size: Int,
        alignment: Int
    ) -> (waiter: UnsafeMutablePointer<Waiter>, slot: UnsafeMutableRawPointer) {
        let offset = unsafe (MemoryLayout<Waiter>.size + alignment - 1) / alignment * alignment
        let memory = unsafe UnsafeMutableRawPointer.allocate(
            byteCount: offset + size,
            alignment: max(alignment, MemoryLayout<Waiter>.alignment)
        )
        return unsafe (memory.bindMemory(to: Waiter.self, capacity: 1), memory + offset)
    }
}

/// The address of a waiter.
///
/// Safe: while the waiter is in a queue, it is touched only under that queue's lock, and its owner does not leave
/// before it, or a thread that claimed the parker, has taken it out. Between a claim and the wake that follows, it
/// belongs to the claimer; before and after, to its owner.
@safe @usableFromInline
package struct WaiterReference: @unchecked Sendable {
    @usableFromInline package let address: UnsafeMutablePointer<Waiter>

    @inlinable
    package init(_ address: UnsafeMutablePointer<Waiter>) { unsafe self.address = address }

    @inlinable package var parker: ParkerReference { unsafe self.address.pointee.parker }

    @inlinable package var outcome: Waiter.Outcome {
        get { unsafe self.address.pointee.outcome }
        nonmutating set { unsafe self.address.pointee.outcome = newValue }
    }

    /// Moves a value into the slot.
    @inlinable
    package func fill<Value>(with value: Value) {
        guard let slot = unsafe self.address.pointee.slot else { preconditionFailure("BUG: a waiter without room") }
        unsafe slot.initializeMemory(as: Value.self, to: value)
    }

    /// Moves the value out of the slot.
    @inlinable
    package func empty<Value>(_: Value.Type = Value.self) -> Value {
        guard let slot = unsafe self.address.pointee.slot else { preconditionFailure("BUG: a waiter without room") }
        return unsafe slot.assumingMemoryBound(to: Value.self).move()
    }
}

/// Waiters, first come, first served.
///
/// Used under the lock of its owner.
@usableFromInline
package struct WaiterQueue: ~Copyable {
    @usableFromInline package var first: WaiterReference?
    @usableFromInline package var last: WaiterReference?

    @inlinable
    package init() {}

    @inlinable package var isEmpty: Bool { self.first == nil }

    /// - Complexity: O(1).
    @inlinable
    package mutating func append(_ waiter: WaiterReference) {
        unsafe waiter.address.pointee.isEnlisted = true
        unsafe waiter.address.pointee.next = nil
        unsafe waiter.address.pointee.previous = self.last
        if let last = self.last { unsafe last.address.pointee.next = waiter } else { self.first = waiter }
        self.last = waiter
    }

    /// Takes a waiter out, from any position, if it is in the queue.
    ///
    /// - Complexity: O(1).
    @inlinable
    package mutating func remove(_ waiter: WaiterReference) {
        guard unsafe waiter.address.pointee.isEnlisted else { return }
        unsafe waiter.address.pointee.isEnlisted = false
        let (next, previous) = unsafe (waiter.address.pointee.next, waiter.address.pointee.previous)
        if let next { unsafe next.address.pointee.previous = previous } else { self.last = previous }
        if let previous { unsafe previous.address.pointee.next = next } else { self.first = next }
    }

    /// Claims the first waiter whose parker can still be claimed, and takes it out.
    ///
    /// The ones before it are taken out too: other threads have claimed or cancelled them, and wake them.
    ///
    /// - Complexity: O(1) amortised over the waiters.
    @inlinable
    package mutating func claimFirst() -> WaiterReference? {
        while let waiter = self.first {
            self.remove(waiter)
            if waiter.parker.claim() { return waiter }
        }
        return nil
    }
}
