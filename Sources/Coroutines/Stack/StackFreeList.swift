// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The stacks of one size that no thread keeps: which are free, and which lose their memory.
///
/// Decides, and does nothing.
///
/// | A stack is | Its memory   | Where                                                              |
/// |------------|--------------|--------------------------------------------------------------------|
/// | fresh      | was never used, no guard | a slab's from `used` on                                |
/// | cold       | was freed, guarded       | a slab's `cold`                                        |
/// | warm       | is resident              | `warmAndLeft`, the warmest last                        |
/// | out        | in use                   | in a coroutine, or kept by a thread; counted in ``out`` |
///
/// Invariant: there are at most as many warm stacks as stacks out, or ``floor``, whichever is more. So the memory of
/// the free ones follows that of the used ones, down as well as up.
/// Invariant: at most one slab is wholly fresh or cold.
package struct StackFreeList<Stack: Sendable>: ~Copyable {
    /// One mapping, cut into stacks.
    package struct Slab: Sendable {
        package let memory: UInt
        package let count: Int
        package var used = 0
        package var cold: [Int] = []
        /// Stacks that could not be guarded: free, and still without a guard.
        package var unguarded: [Int] = []
        /// The number of stacks whose guard takes mappings.
        package var protectedCount = 0

        package var room: Int { self.count - self.used + self.cold.count + self.unguarded.count }
        package var isUnused: Bool { self.room == self.count }

        /// Takes a stack; there must be room.
        package mutating func take(number: Int) -> Found {
            if let index = self.cold.popLast() { return .cold(slab: number, index: index, memory: self.memory) }
            if let index = self.unguarded.popLast() { return .fresh(slab: number, index: index, memory: self.memory) }
            self.used += 1
            return .fresh(slab: number, index: self.used - 1, memory: self.memory)
        }
    }

    /// The number of warm stacks that are kept in any case.
    package static var floor: Int { 64 }

    package private(set) var slabs: [Slab?] = []
    // From `firstWarm` on; earlier ones have left.
    private var warmAndLeft: [Stack] = []
    private var firstWarm = 0
    package private(set) var out = 0
    /// The slabs that have room, the next one to use last.
    private var withRoom: [Int] = []

    package init() {}

    /// How a stack was found.
    package enum Found: Sendable {
        case warm(Stack)
        case cold(slab: Int, index: Int, memory: UInt)
        case fresh(slab: Int, index: Int, memory: UInt)
        /// Reserve a slab for this many stacks, add it, and ask again.
        case nothing(stacksToReserve: Int)
    }

    /// A stack is needed.
    package mutating func acquire() -> Found {
        if self.warmCount > 0 {
            self.out += 1
            return .warm(self.warmAndLeft.removeLast())
        }
        guard let number = self.withRoom.last else { return .nothing(stacksToReserve: self.nextSlabCount) }
        // In its place: a copy of a slab copies the list of what is cold in it.
        guard let found = self.slabs[number]?.take(number: number) else {
            preconditionFailure("BUG: an unmapped slab had room")
        }
        self.out += 1
        if self.slabs[number]?.room == 0 { self.withRoom.removeLast() }
        return found
    }

    /// As many as exist already, within limits: a million stacks need some 250 slabs.
    private var nextSlabCount: Int { min(4096, max(16, self.total)) }

    /// A slab was reserved.
    package mutating func add(memory: UInt, count: Int) {
        let slab = Slab(memory: memory, count: count)
        if let free = self.slabs.firstIndex(where: { $0 == nil }) {
            self.slabs[free] = slab
            self.withRoom.append(free)
        } else {
            self.slabs.append(slab)
            self.withRoom.append(self.slabs.count - 1)
        }
    }

    /// A stack that was to be handed out could not be guarded.
    package mutating func failed(slab: Int, index: Int) {
        self.out -= 1
        self.noteRoom(in: slab)
        self.slabs[slab]?.unguarded.append(index)
    }

    /// A stack that was to be handed out got a guard that takes mappings.
    package mutating func protected(slab: Int) { self.slabs[slab]?.protectedCount += 1 }

    /// Stacks come back.
    ///
    /// - Returns: The stacks whose memory must be freed; then report each with ``cooled(slab:index:)``.
    package mutating func release(_ stacks: [Stack]) -> [Stack] {
        self.out -= stacks.count
        self.warmAndLeft += stacks
        return self.takeColdest(max(0, self.warmCount - max(self.out, Self.floor)))
    }

    private mutating func takeColdest(_ count: Int) -> [Stack] {
        let coldest = Array(self.warmAndLeft[self.firstWarm...].prefix(count))
        self.firstWarm += count
        // Half of the array at a time, so that each stack is moved only once on average.
        if self.firstWarm * 2 >= self.warmAndLeft.count {
            self.warmAndLeft.removeFirst(self.firstWarm)
            self.firstWarm = 0
        }
        return coldest
    }

    /// How many are warm.
    package var warmCount: Int { self.warmAndLeft.count - self.firstWarm }

    /// All warm stacks are to be freed.
    package mutating func trim() -> [Stack] { self.takeColdest(self.warmCount) }

    /// A stack's memory was freed.
    ///
    /// - Returns: A slab to unreserve, if more than one is unused.
    package mutating func cooled(slab number: Int, index: Int) -> Slab? {
        self.noteRoom(in: number)
        self.slabs[number]?.cold.append(index)
        guard let slab = self.slabs[number], slab.isUnused else { return nil }
        let unused = self.slabs.reduce(0) { $0 + ($1?.isUnused == true ? 1 : 0) }
        guard unused > 1 else { return nil }
        self.slabs[number] = nil
        self.withRoom.removeAll { $0 == number }
        return slab
    }

    /// A slab gets room.
    private mutating func noteRoom(in number: Int) {
        guard let slab = self.slabs[number] else { preconditionFailure("BUG: a stack outlived its slab") }
        if slab.room == 0 { self.withRoom.append(number) }
    }

    /// How many are cold or fresh.
    package var room: Int { self.slabs.reduce(0) { $0 + ($1?.room ?? 0) } }

    /// How many there are in all.
    package var total: Int { self.slabs.reduce(0) { $0 + ($1?.count ?? 0) } }
}
