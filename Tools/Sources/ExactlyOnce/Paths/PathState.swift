// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What is true on one path, at one place.
///
/// | count    | Meaning                                                     | Next            |
/// |----------|-------------------------------------------------------------|-----------------|
/// | `none`   | not delivered yet                                           | `once`          |
/// | `once`   | delivered by this delivery                                  | `twice`,`raced` |
/// | `twice`  | delivered again after this one: that has been recorded      |                 |
/// | `raced`  | several closures have it, of which one delivers             |                 |
package struct PathState: Hashable, Sendable {
    package enum Count: Hashable, Sendable {
        case none
        case once(Delivery)
        case twice(first: Delivery)
        case raced
    }

    package var count = Count.none
    /// It is also somewhere else, out of sight.
    package var hasEscaped = false
    /// The token is `nil`: nothing to deliver.
    package var isVoid = false
    /// The code has looked whether the token is there, and it is.
    package var isSeen = false
    package var excuses: Excuse = []
    package var drop: Drop?
    /// In a later turn of a loop: whether this path exists depends on data.
    package var isLaterTurn = false
    package var locks: [Lock] = []
    package var facts: [Fact: Bool] = [:]
    /// The branch that left this path without delivery.
    package var blame: Blame?

    package init() {}

    /// Whether closures have it of which not every path delivers.
    var isDeliveredConditionally: Bool {
        switch count {
        case .once(let delivery): delivery.isConditional
        case .raced: true
        case .none, .twice: false
        }
    }

    /// Whether a scope that ends in this state has lost the token.
    package var isMissing: Bool {
        count == .none && !hasEscaped && !isVoid && !excuses.contains(.latch) && !excuses.contains(.accepted)
    }
}

/// The place where a path parted from those that deliver.
package struct Blame: Hashable, Sendable {
    package enum Way: Hashable, Sendable {
        case whenFalse
        case whenTrue
        case `case`
        /// A `catch` clause.
        case caught
        /// A loop that ends, or never begins.
        case loopEnds
    }

    package var position: Int
    package var way: Way
}

/// The states in which the paths that reach one place are.
///
/// A set, not a join: each path keeps its own story.
package struct States: Sendable {
    /// More are not told apart: facts are dropped first, then paths.
    static let limit = 48

    package private(set) var all: [PathState] = []
    private var known: Set<PathState> = []
    /// Whether paths were left out.
    package private(set) var isIncomplete = false

    package init(_ states: [PathState] = []) {
        for state in states { insert(state) }
    }

    package var isEmpty: Bool { all.isEmpty }

    package mutating func insert(_ state: PathState) {
        guard known.insert(state).inserted else { return }
        all.append(state)
        if all.count > States.limit { widen() }
    }

    package mutating func formUnion(_ other: States) {
        isIncomplete = isIncomplete || other.isIncomplete
        for state in other.all { insert(state) }
    }

    package func map(_ change: (PathState) -> PathState) -> States {
        var result = States()
        result.isIncomplete = isIncomplete
        for state in all { result.insert(change(state)) }
        return result
    }

    package func filter(_ isIncluded: (PathState) -> Bool) -> States {
        var result = States()
        result.isIncomplete = isIncomplete
        for state in all where isIncluded(state) { result.insert(state) }
        return result
    }

    private mutating func widen() {
        var wider: [PathState] = []
        var seen: Set<PathState> = []
        for var state in all {
            state.facts = [:]
            if seen.insert(state).inserted { wider.append(state) }
        }
        if wider.count > States.limit / 2 {
            isIncomplete = true
            // Those without delivery are few, and what they say is worth most.
            let undelivered = wider.filter { $0.count == .none }.prefix(States.limit / 4)
            wider = Array(undelivered) + wider.filter { $0.count != .none }.prefix(States.limit / 4)
        }
        all = wider
        known = Set(wider)
    }
}
