// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
package import NIOCore

/// How long bridged channels write before their event loop must look at its sockets: every decision, and nothing else.
///
/// | State     | `mayWrite`                           | `sawInput`  | `wait`                          | `begin`   |
/// |-----------|--------------------------------------|-------------|---------------------------------|-----------|
/// | `writing` | yes; `over` when the time is used up | from now on | plan the next turn              | `writing` |
/// | `over`    | no                                   | nothing     | plan it, unless that was done   | `writing` |
///
/// One for all channels of a loop: if each had its own time, there would always be one with time left.
package struct LoopTurnState: ~Copyable {
    private enum Phase {
        /// Since the first look at the clock.
        case writing(since: NIODeadline?)
        /// What the turn took.
        case over(after: TimeAmount)
    }

    /// Short for the waiting connections, long compared with the pause.
    package static var length: TimeAmount { .microseconds(500) }

    /// The share of a turn that the pause after it is, at least.
    package static var pauseShare: Int64 { 10 }

    /// How many elements are written between two looks at the clock.
    package static var stride: Int { 16 }

    private var phase = Phase.writing(since: nil)
    private var count = 0
    private var isPlanned = false

    package init() {}

    /// An element is to be written.
    ///
    /// - Parameter now: The time.
    /// - Returns: Whether it may be, in this turn.
    package mutating func mayWrite(at now: () -> NIODeadline) -> Bool {
        switch self.phase {
        case .over:
            return false
        case .writing(let start):
            self.count += 1
            guard self.count % Self.stride == 0 else { return true }
            let now = now()
            guard let start else {
                self.phase = .writing(since: now)
                return true
            }
            if now - start < Self.length { return true }
            self.phase = .over(after: now - start)
            return false
        }
    }

    /// Whether the time is used up.
    package var isOver: Bool { if case .over = self.phase { true } else { false } }

    /// The loop has looked at its sockets: the turn begins anew.
    package mutating func sawInput() {
        if case .writing = self.phase { self.phase = .writing(since: nil) }
    }

    /// A channel waits for the next turn.
    ///
    /// The loop polls its sockets only if the queued work ends before the pause does. So the pause is longer where
    /// everything is slow: on a busy machine, under a sanitizer.
    ///
    /// - Returns: How long to pause before it begins; nothing if it is planned.
    package mutating func wait() -> TimeAmount? {
        guard !self.isPlanned else { return nil }
        self.isPlanned = true
        let length = if case .over(let length) = self.phase { length } else { Self.length }
        return .nanoseconds(length.nanoseconds / Self.pauseShare)
    }

    /// The next turn begins.
    package mutating func begin() {
        self.isPlanned = false
        self.phase = .writing(since: nil)
    }
}
#endif
