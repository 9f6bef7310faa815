// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A first-in, first-out queue in one allocation that grows by doubling, and shrinks on request.
///
/// Invariant: the `count` slots from `head` on, modulo the capacity, are initialised, and no others.
@safe @usableFromInline
package struct RingBuffer<Element>: ~Copyable {
    // Safe: allocated here, freed in `deinit`, reached through no other pointer; the invariant says what is
    // initialised.
    @usableFromInline var slots: UnsafeMutablePointer<Element>?
    // A power of two, or 0.
    @usableFromInline package var capacity = 0
    @usableFromInline var head = 0
    @usableFromInline package var count = 0

    @_alwaysEmitIntoClient
    package init() { unsafe self.slots = nil }

    // Inlinable because the compiler (6.3.1) asserts when it inlines it into the inlinable accessors of a property.
    @inlinable
    deinit {
        guard let slots = unsafe self.slots else { return }
        for offset in 0..<self.count {
            unsafe (slots + ((self.head + offset) & (self.capacity - 1))).deinitialize(count: 1)
        }
        unsafe slots.deallocate()
    }

    @inlinable package var isEmpty: Bool { self.count == 0 }

    /// Adds an element at the end.
    ///
    /// - Complexity: O(1) amortised.
    @_alwaysEmitIntoClient
    package mutating func append(_ element: __owned Element) {
        if self.count == self.capacity { self.grow() }
        // Safe: `grow` made room, so this slot exists and is not initialised.
        guard let slots = unsafe self.slots else { preconditionFailure("BUG: a ring buffer did not grow") }
        unsafe (slots + ((self.head + self.count) & (self.capacity - 1))).initialize(to: element)
        self.count += 1
    }

    /// Removes the first element.
    ///
    /// - Complexity: O(1).
    @_alwaysEmitIntoClient
    package mutating func popFirst() -> Element? {
        guard self.count > 0, let slots = unsafe self.slots else { return nil }
        // Safe: the first of `count` initialised slots; moving out leaves it uninitialised, and `head` passes it.
        let element = unsafe (slots + self.head).move()
        self.head = (self.head + 1) & (self.capacity - 1)
        self.count -= 1
        return element
    }

    /// Frees memory that a burst left behind.
    ///
    /// A buffer that uses less than an eighth of its capacity frees three quarters of it, so that it must fill half of
    /// the rest before it grows again. Small buffers keep what they have.
    ///
    /// - Complexity: O(1) amortised.
    @_alwaysEmitIntoClient
    package mutating func giveBackRoom() {
        if self.capacity > 1_024, self.count < self.capacity >> 3 { self.shrink() }
    }

    @usableFromInline
    mutating func shrink() { self.move(to: self.capacity / 4) }

    /// The elements, oldest first: for the tests.
    ///
    /// - Complexity: O(*n*).
    package var all: [Element] {
        guard let slots = unsafe self.slots else { return [] }
        // Safe: `count` slots from `head` on are initialised.
        return (0..<self.count).map { unsafe slots[(self.head + $0) & (self.capacity - 1)] }
    }

    /// Removes all elements.
    ///
    /// - Complexity: O(*n*).
    package mutating func removeAll() -> [Element] {
        var all: [Element] = []
        all.reserveCapacity(self.count)
        while let element = self.popFirst() { all.append(element) }
        return all
    }

    @usableFromInline
    mutating func grow() { self.move(to: max(4, self.capacity * 2)) }

    private mutating func move(to newCapacity: Int) {
        let newSlots = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
        if let slots = unsafe self.slots {
            let firstRun = min(self.count, self.capacity - self.head)
            // Safe: moves the two initialised runs to the start of fresh memory that is large enough.
            unsafe newSlots.moveInitialize(from: slots + self.head, count: firstRun)
            unsafe (newSlots + firstRun).moveInitialize(from: slots, count: self.count - firstRun)
            unsafe slots.deallocate()
        }
        unsafe self.slots = newSlots
        self.capacity = newCapacity
        self.head = 0
    }
}

// Safe: its memory is its own, and it cannot be copied, so it has a single owner.
extension RingBuffer: @unchecked Sendable where Element: Sendable {}
