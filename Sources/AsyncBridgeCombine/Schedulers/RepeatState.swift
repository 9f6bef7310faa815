// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// The timer of an action that runs again and again, one for each round: every decision, and nothing else.
///
/// | State     | Meaning                        | `begin`, newer round    | `begin`, older round  | `stop`            |
/// |-----------|--------------------------------|-------------------------|-----------------------|-------------------|
/// | `going`   | holds the newest round's timer | `going`, with its timer | its timer is unneeded | `stopped`: cancel |
/// | `stopped` | no round begins                | its timer is unneeded   | the same              | nothing           |
///
/// Race: a round may end, and the next one begin, on another thread, before the first is known here.
package struct RepeatState<Timer: Sendable>: ~Copyable {
    private enum Phase {
        case going(round: Int, Timer?)
        case stopped
    }

    private var phase = Phase.going(round: -1, nil)

    package init() {}

    /// Whether a round may still run.
    package var isGoing: Bool {
        switch self.phase {
        case .going: true
        case .stopped: false
        }
    }

    /// A round's timer was started.
    ///
    /// - Returns: The timer that is no longer needed, for the caller to cancel: of a round that has ended, or its own.
    package mutating func begin(_ round: Int, with timer: Timer) -> Timer? {
        guard case .going(let newest, let old) = self.phase, newest < round else { return timer }
        self.phase = .going(round: round, timer)
        return old
    }

    /// The action is no longer wanted.
    ///
    /// - Returns: The timer to cancel.
    package mutating func stop() -> Timer? {
        guard case .going(_, let timer) = self.phase else { return nil }
        self.phase = .stopped
        return timer
    }
}
#endif
