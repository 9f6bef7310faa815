// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Waiters, earliest deadline first: a binary heap.
///
/// Each waiter's slot holds its index in the heap, or -1, so that it can leave from the middle.
package struct TimerHeap: ~Copyable {
    private struct Entry {
        let deadline: Duration
        let waiter: WaiterReference
    }

    private var entries: [Entry] = []

    package init() {}

    package var count: Int { self.entries.count }

    /// The earliest deadline.
    package var first: Duration? { self.entries.first?.deadline }

    /// - Complexity: O(log *n*).
    package mutating func insert(_ waiter: WaiterReference, at deadline: Duration) {
        self.entries.append(Entry(deadline: deadline, waiter: waiter))
        self.moveUp(self.entries.count - 1)
    }

    /// Takes a waiter out, if it is there.
    ///
    /// - Complexity: O(log *n*).
    package mutating func remove(_ waiter: WaiterReference) {
        let index = waiter.timerIndex
        if index >= 0 { self.removeEntry(at: index) }
    }

    /// Takes the first waiter out, if its deadline has come.
    ///
    /// - Complexity: O(log *n*).
    package mutating func removeFirst(dueAt now: Duration) -> WaiterReference? {
        guard let first = self.entries.first, first.deadline <= now else { return nil }
        self.removeEntry(at: 0)
        return first.waiter
    }

    private mutating func removeEntry(at index: Int) {
        self.entries[index].waiter.timerIndex = -1
        let last = self.entries.removeLast()
        if index == self.entries.count { return }
        self.put(last, at: index)
        self.moveUp(index)
        self.moveDown(last.waiter.timerIndex)
    }

    private mutating func put(_ entry: Entry, at index: Int) {
        self.entries[index] = entry
        entry.waiter.timerIndex = index
    }

    private mutating func moveUp(_ start: Int) {
        let entry = self.entries[start]
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            if self.entries[parent].deadline <= entry.deadline { break }
            self.put(self.entries[parent], at: index)
            index = parent
        }
        self.put(entry, at: index)
    }

    private mutating func moveDown(_ start: Int) {
        let entry = self.entries[start]
        var index = start
        while true {
            var child = 2 * index + 1
            if child >= self.entries.count { break }
            if child + 1 < self.entries.count, self.entries[child + 1].deadline < self.entries[child].deadline {
                child += 1
            }
            if entry.deadline <= self.entries[child].deadline { break }
            self.put(self.entries[child], at: index)
            index = child
        }
        self.put(entry, at: index)
    }
}

extension WaiterReference {
    /// Its index in a ``TimerHeap``.
    ///
    /// Safe: the slot of a waiter for a timer has room for it.
    fileprivate var timerIndex: Int {
        get {
            guard let slot = unsafe self.address.pointee.slot else { preconditionFailure("BUG: a waiter without room") }
            return unsafe slot.load(as: Int.self)
        }
        nonmutating set { self.fill(with: newValue) }
    }
}
