// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What the paths of one scope do with a token: the body of a function, or of a closure that is called later.
package struct Trace: Sendable {
    /// A path's end.
    package struct End: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case end
            case `return`
            case `throw`
        }

        package var kind: Kind
        package var position: Int
        package var state: PathState
    }

    /// Two deliveries on one path.
    package struct Double: Hashable, Sendable {
        package var first: Delivery
        package var second: Delivery
        /// The second is in a later turn of a loop.
        package var isInLoop: Bool
    }

    /// A delivery while a lock is held.
    package struct UnderLock: Hashable, Sendable {
        package var delivery: Delivery
        /// Whether the only lock is a queue that is waited for.
        package var isOnlyQueue: Bool
    }

    /// A closure with the token, and what its paths do.
    package struct Inner: Sendable {
        package var carrier: Carrier
        package var trace: Trace
    }

    /// A change of a stored token.
    package struct Store: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case overwritten
            case dropped
        }

        package var kind: Kind
        package var position: Int
    }

    package var ends: [End] = []
    package var doubles: [Double] = []
    package var underLock: [UnderLock] = []
    package var stores: [Store] = []
    package var inner: [Inner] = []
    /// The closures that a loop makes again in its next turn.
    package var repeated: Set<Int> = []
    /// Whether there were too many paths for all of them to be looked at.
    package var isIncomplete = false
    /// Whether any step of the scope delivers, or lets the token escape.
    package var isUsed = false

    /// Whether the token escapes by other ways than in a closure that becomes part of an object.
    package var isHandedOn = false

    package init() {}

    /// Whether it delivers only on paths on which a flag has been asked.
    package var deliversByAFlag: Bool {
        ends.allSatisfy { $0.state.count == .none || $0.state.excuses.contains(.latch) }
    }

    /// Whether some path ends with this delivery as its only one.
    package func endsOnce(with delivery: Delivery) -> Bool {
        ends.contains { $0.state.count == .once(delivery) }
    }
}

/// How often a scope delivers, for those who call it.
package enum Frequency: Hashable, Sendable {
    case always
    case sometimes
    case never
    /// It hands the token on, out of sight.
    case unknown
}

extension Trace {
    package var frequency: Frequency {
        let relevant = ends.map(\.state).filter { !$0.isVoid && !$0.excuses.contains(.accepted) }
        let counted = relevant.filter { $0.count != .none }
        if relevant.contains(where: \.hasEscaped) { return .unknown }
        if counted.isEmpty { return isUsed ? .unknown : .never }
        let isConditional = counted.contains {
            if case .once(let delivery) = $0.count { delivery.isConditional } else { false }
        }
        if counted.count < relevant.count || isConditional { return .sometimes }
        return relevant.contains { $0.excuses.contains(.latch) } ? .sometimes : .always
    }
}
