// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Entries, earliest deadline first: a binary heap.
///
/// Each entry holds its index in the heap, or -1, so that it can leave from the middle.
package struct TimerHeap: ~Copyable {
    private struct Place {
        let deadline: Duration
        let entry: TimerEntryReference
    }

    private var places: [Place] = []

    package init() {}

    package var count: Int { self.places.count }

    /// The earliest deadline.
    package var first: Duration? { self.places.first?.deadline }

    /// - Complexity: O(log *n*).
    package mutating func insert(_ entry: TimerEntryReference, at deadline: Duration) {
        self.places.append(Place(deadline: deadline, entry: entry))
        self.moveUp(self.places.count - 1)
    }

    /// Takes an entry out, if it is there.
    ///
    /// - Returns: Whether it was there.
    /// - Complexity: O(log *n*).
    package mutating func remove(_ entry: TimerEntryReference) -> Bool {
        let index = entry.index
        if index >= 0 { self.removePlace(at: index) }
        return index >= 0
    }

    /// Takes the first entry out, if its deadline has come.
    ///
    /// - Complexity: O(log *n*).
    package mutating func removeFirst(dueAt now: Duration) -> TimerEntryReference? {
        guard let first = self.places.first, first.deadline <= now else { return nil }
        self.removePlace(at: 0)
        return first.entry
    }

    private mutating func removePlace(at index: Int) {
        self.places[index].entry.index = -1
        let last = self.places.removeLast()
        if index == self.places.count { return }
        self.put(last, at: index)
        self.moveUp(index)
        self.moveDown(last.entry.index)
    }

    private mutating func put(_ place: Place, at index: Int) {
        self.places[index] = place
        place.entry.index = index
    }

    private mutating func moveUp(_ start: Int) {
        let place = self.places[start]
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            if self.places[parent].deadline <= place.deadline { break }
            self.put(self.places[parent], at: index)
            index = parent
        }
        self.put(place, at: index)
    }

    private mutating func moveDown(_ start: Int) {
        let place = self.places[start]
        var index = start
        while true {
            var child = 2 * index + 1
            if child >= self.places.count { break }
            if child + 1 < self.places.count, self.places[child + 1].deadline < self.places[child].deadline {
                child += 1
            }
            if place.deadline <= self.places[child].deadline { break }
            self.put(self.places[child], at: index)
            index = child
        }
        self.put(place, at: index)
    }
}
