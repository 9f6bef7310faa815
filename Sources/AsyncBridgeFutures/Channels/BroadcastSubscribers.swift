// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Subscribers in the order in which they were added; each of them may leave.
///
/// Invariant: keys ascend; at most half of the entries, and eight, are empty.
@usableFromInline
package struct BroadcastSubscribers<Subscriber> {
    @usableFromInline
    struct Entry {
        @usableFromInline let key: UInt64
        /// Empty where a subscriber has left.
        @usableFromInline var subscriber: Subscriber?
    }

    @usableFromInline var entries: [Entry] = []
    private var nextKey: UInt64 = 0
    package private(set) var count = 0

    package init() {}

    /// - Returns: The subscriber's key.
    /// - Complexity: O(1) amortised.
    package mutating func append(_ subscriber: Subscriber) -> UInt64 {
        defer { self.nextKey += 1 }
        self.entries.append(Entry(key: self.nextKey, subscriber: subscriber))
        self.count += 1
        return self.nextKey
    }

    /// - Returns: The subscriber that had the key.
    /// - Complexity: O(log *n*) amortised.
    package mutating func remove(_ key: UInt64) -> Subscriber? {
        let index = self.index(of: key)
        guard index < self.entries.count, self.entries[index].key == key else { return nil }
        guard let subscriber = self.entries[index].subscriber else { return nil }
        self.entries[index].subscriber = nil
        self.count -= 1
        if self.entries.count > 2 * self.count + 8 { self.entries.removeAll { $0.subscriber == nil } }
        return subscriber
    }

    /// The index of the key, or where it would be.
    private func index(of key: UInt64) -> Int {
        var (low, high) = (0, self.entries.count)
        while low < high {
            let middle = (low + high) / 2
            if self.entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// - Complexity: O(*n*).
    @inlinable
    package func forEach(_ body: (Subscriber) -> Void) {
        // By index: an iterator would count one more reference to the array.
        var index = 0
        while index < self.entries.count {
            if let subscriber = self.entries[index].subscriber { body(subscriber) }
            index += 1
        }
    }

    /// - Complexity: O(*n*).
    package var all: [Subscriber] { self.entries.compactMap(\.subscriber) }
}
