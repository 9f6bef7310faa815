// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The memory that a few threads share, with every order that C11's acquire and release allow.
///
/// Each atomic place keeps all values that were ever stored, in their order. A thread may read any value that is not
/// older than what it knows of: an old one, where nothing has told it of a newer one. That it learns by reading, with
/// acquire, what another thread has stored with release. A plain place has one value, and may be used only by a thread
/// that knows of its last use: otherwise there is a race.
///
/// Left out, because the protocols under test do not use them: sequential consistency, fences, and stores that are
/// ordered before older ones.
package struct WeakMemory: Hashable, Sendable {
    /// What a thread knows: of each place, the newest value.
    private typealias Knowledge = [Int]

    private struct Value: Hashable, Sendable {
        let bits: UInt
        /// What a thread learns that reads it with acquire.
        let knowledge: Knowledge
    }

    private var values: [[Value]]
    private var knowledge: [Knowledge]

    /// - Parameters:
    ///   - threads: How many threads there are.
    ///   - initial: The first value of each place, which all threads know.
    package init(threads: Int, initial: [UInt]) {
        let nothing = Knowledge(repeating: 0, count: initial.count)
        self.values = initial.map { [Value(bits: $0, knowledge: nothing)] }
        self.knowledge = Knowledge(repeating: 0, count: threads).map { _ in nothing }
    }

    /// The numbers of the values that a thread may read at a place.
    package func readable(at place: Int, by thread: Int) -> Range<Int> {
        self.knowledge[thread][place]..<self.values[place].count
    }

    /// The newest value of a place.
    package func newest(at place: Int) -> UInt { self.values[place][self.values[place].count - 1].bits }

    /// Reads one of the readable values.
    package mutating func load(_ number: Int, at place: Int, by thread: Int, acquires: Bool) -> UInt {
        self.learn(number, of: place, by: thread, acquires: acquires)
        return self.values[place][number].bits
    }

    /// Replaces the newest value, as one step.
    package mutating func replace(at place: Int, with bits: UInt, by thread: Int, acquires: Bool, releases: Bool) {
        let newest = self.values[place].count - 1
        self.learn(newest, of: place, by: thread, acquires: acquires)
        self.knowledge[thread][place] = newest + 1
        // Whoever reads it also learns what the replaced value told (a release sequence).
        let told = self.values[place][newest].knowledge
        let own = releases ? self.knowledge[thread] : Knowledge(repeating: 0, count: self.values.count)
        self.values[place].append(Value(bits: bits, knowledge: zip(told, own).map { max($0, $1) }))
    }

    /// Reads or writes a plain place.
    ///
    /// - Returns: The value that was there; nil if there is a race.
    package mutating func usePlain(_ place: Int, by thread: Int, writing bits: UInt? = nil) -> UInt? {
        let newest = self.values[place].count - 1
        guard self.knowledge[thread][place] == newest else { return nil }
        // A use counts as a value of its own: the next one must know of it, even of a read.
        let old = self.values[place][newest]
        self.values[place].append(Value(bits: bits ?? old.bits, knowledge: old.knowledge))
        self.knowledge[thread][place] = newest + 1
        return old.bits
    }

    /// Tells a thread what another one knows, as a resumed continuation does.
    package mutating func tell(_ thread: Int, whatIsKnownTo other: Int) {
        self.knowledge[thread] = zip(self.knowledge[thread], self.knowledge[other]).map { max($0, $1) }
    }

    private mutating func learn(_ number: Int, of place: Int, by thread: Int, acquires: Bool) {
        self.knowledge[thread][place] = max(self.knowledge[thread][place], number)
        guard acquires else { return }
        let told = self.values[place][number].knowledge
        self.knowledge[thread] = zip(self.knowledge[thread], told).map { max($0, $1) }
    }
}

/// How the loop that applies an event to a word orders memory.
package struct WordOrders: Sendable {
    package var loadAcquires = true
    package var exchangeAcquires = true
    package var exchangeReleases = true

    /// As in the package: loads acquire, exchanges acquire and release.
    package init() {}
}

extension WeakMemory {
    /// One round of that loop: a read value, and what it came to.
    package enum Round<Action: Sendable>: Sendable {
        /// The event was applied.
        case applied(Action, WeakMemory)
        /// Another thread was faster: go on with the value seen.
        case again(seen: UInt, WeakMemory)
    }

    /// All that may happen in one round.
    ///
    /// - Parameters:
    ///   - place: The word.
    ///   - thread: Who applies the event.
    ///   - seen: What the round before has seen; nil in the first, which loads.
    ///   - orders: How the loop orders memory.
    ///   - event: The next state and the caller's action.
    /// - Returns: One round for each value that can be read.
    package func rounds<Action: Sendable>(
        at place: Int,
        by thread: Int,
        seen: UInt?,
        orders: WordOrders,
        _ event: (UInt) -> (next: UInt, action: Action)
    ) -> [Round<Action>] {
        guard let seen else {
            return self.readable(at: place, by: thread).map { number in
                var memory = self
                let bits = memory.load(number, at: place, by: thread, acquires: orders.loadAcquires)
                let (next, action) = event(bits)
                return next == bits ? .applied(action, memory) : .again(seen: bits, memory)
            }
        }
        let (next, action) = event(seen)
        if next == seen { return [.applied(action, self)] }
        var result: [Round<Action>] = []
        if self.newest(at: place) == seen {
            var memory = self
            memory.replace(
                at: place,
                with: next,
                by: thread,
                acquires: orders.exchangeAcquires,
                releases: orders.exchangeReleases
            )
            result.append(.applied(action, memory))
        }
        // It fails if it reads another value, which need not be the newest.
        for number in self.readable(at: place, by: thread) {
            var memory = self
            let bits = memory.load(number, at: place, by: thread, acquires: orders.exchangeAcquires)
            if bits != seen { result.append(.again(seen: bits, memory)) }
        }
        return result
    }
}

/// Goes through all states that can be reached.
///
/// - Parameters:
///   - start: The first one.
///   - next: All states that one step can lead to; none at the end.
///   - visit: Gets each state once, and whether it is an end.
/// - Returns: The number of states.
package func exploreAll<State: Hashable>(
    from start: State,
    next: (State) throws -> [State],
    visit: (State, _ isEnd: Bool) throws -> Void
) rethrows -> Int {
    var known: Set<State> = [start]
    var open = [start]
    while let state = open.popLast() {
        let following = try next(state)
        try visit(state, following.isEmpty)
        for each in following where known.insert(each).inserted { open.append(each) }
    }
    return known.count
}
