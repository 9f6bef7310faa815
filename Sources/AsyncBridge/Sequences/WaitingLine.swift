// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Waiting callers or senders, first come, first served; any of them may leave at any moment.
///
/// Each has its own number. A member that leaves is taken out of the table at once; its number stays in the order of
/// arrival until it comes to the front, or until as many numbers are void as are not.
///
/// Invariant: every number in `members` is in `order` once; there are at most as many void numbers as others, and 16.
@usableFromInline
package struct WaitingLine<Member: Sendable>: ~Copyable {
    private var order = RingBuffer<UInt64>()
    @usableFromInline var members: [UInt64: Member] = [:]
    /// How many numbers were checked to find void ones: the cost of leaving, for the tests.
    package private(set) var steps = 0

    package init() {}

    @inlinable package var isEmpty: Bool { self.members.isEmpty }

    package var count: Int { self.members.count }

    /// All, in their order: for the tests.
    ///
    /// - Complexity: O(*n*).
    package var all: [Member] { self.order.all.compactMap { self.members[$0] } }

    /// Adds a member at the end, with a number that no other member has.
    ///
    /// - Complexity: O(1) amortised.
    package mutating func append(_ member: Member, id: UInt64) {
        self.order.append(id)
        self.members[id] = member
    }

    /// Removes the first in the line.
    ///
    /// - Complexity: O(1) amortised.
    package mutating func popFirst() -> Member? {
        while let id = self.order.popFirst() {
            if let member = self.take(id) { return member }
        }
        return nil
    }

    /// Removes the member with a number, from any position.
    ///
    /// - Returns: The removed member, if it was in the line.
    /// - Complexity: O(1) amortised.
    package mutating func remove(_ id: UInt64) -> Member? {
        guard let member = self.take(id) else { return nil }
        if self.order.count > 2 * self.members.count + 16 { self.forgetVoidNumbers() }
        return member
    }

    /// Removes all, in their order.
    ///
    /// - Complexity: O(*n*).
    package mutating func removeAll() -> [Member] {
        var all: [Member] = []
        all.reserveCapacity(self.members.count)
        while let member = self.popFirst() { all.append(member) }
        return all
    }

    private mutating func take(_ id: UInt64) -> Member? {
        let member = self.members.removeValue(forKey: id)
        // A table that a burst made large is freed with its last member.
        if self.members.isEmpty, self.members.capacity > 1_024 { self.members = [:] }
        return member
    }

    private mutating func forgetVoidNumbers() {
        let numbers = self.order.count
        self.steps += numbers
        for _ in 0..<numbers {
            guard let id = self.order.popFirst() else { break }
            if self.members[id] != nil { self.order.append(id) }
        }
        self.order.giveBackRoom()
    }
}
