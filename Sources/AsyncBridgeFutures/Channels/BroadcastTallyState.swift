// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How many subscribers one send still waits for.
///
/// | State      | Holds                                                        | Next              |
/// |------------|--------------------------------------------------------------|-------------------|
/// | `offering` | the number of subscribers settled already                    | `pending`, `over` |
/// | `pending`  | the number not settled yet; the sender, while it is parked   | `over`            |
/// | `over`     | nothing                                                      | none              |
///
/// Invariants: it is over once, when each subscriber without room was served, has left, was closed or was given up. The
/// sender leaves this machine once, claimed or by itself.
package struct BroadcastTallyState {
    private enum Stage {
        case offering(settled: Int)
        case pending(Int, sender: ParkerReference?)
        case over
    }

    private var stage = Stage.offering(settled: 0)

    /// Whether the broadcast ended before a subscriber took the element.
    package private(set) var wasClosed = false

    package init() {}

    package var isOver: Bool {
        switch self.stage {
        case .offering, .pending: false
        case .over: true
        }
    }

    /// A subscriber is settled.
    ///
    /// - Parameter isClosed: Whether it did not get the element because the broadcast has ended.
    /// - Returns: The sender, if it is to be woken: all subscribers are settled.
    package mutating func settle(isClosed: Bool) -> ParkerReference? {
        if isClosed { self.wasClosed = true }
        switch self.stage {
        case .offering(let settled):
            self.stage = .offering(settled: settled + 1)
            return nil
        case .pending(1, let sender):
            self.stage = .over
            guard let sender, sender.claim() else { return nil }
            return sender
        case .pending(let count, let sender):
            self.stage = .pending(count - 1, sender: sender)
            return nil
        case .over:
            preconditionFailure("BUG: a subscriber was settled twice")
        }
    }

    /// The element was offered to all.
    ///
    /// - Parameter count: How many subscribers had no room, those that are settled already included.
    package mutating func begin(_ count: Int) {
        switch self.stage {
        case .offering(let settled) where settled == count: self.stage = .over
        case .offering(let settled): self.stage = .pending(count - settled, sender: nil)
        case .pending, .over: preconditionFailure("BUG: an element was offered twice")
        }
    }

    /// What happens to a sender that wants to wait.
    package enum Enlistment {
        /// Park.
        case enlisted
        /// Go on: all subscribers are settled.
        case over
        /// Go on: the sender was cancelled.
        case cancelled
    }

    /// The sender wants to wait.
    package mutating func enlist(_ sender: ParkerReference) -> Enlistment {
        switch self.stage {
        case .pending(let count, nil):
            guard sender.begin() else { return .cancelled }
            self.stage = .pending(count, sender: sender)
            return .enlisted
        case .over:
            return .over
        case .offering, .pending:
            preconditionFailure("BUG: two senders of one element")
        }
    }

    /// The sender stops waiting.
    package mutating func leave() {
        switch self.stage {
        case .pending(let count, _): self.stage = .pending(count, sender: nil)
        case .offering, .over: break
        }
    }
}
