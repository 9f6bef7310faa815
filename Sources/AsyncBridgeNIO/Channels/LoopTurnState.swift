// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import NIOCore

/// How long bridged channels write before their event loop must look at its sockets: every decision, and nothing else.
///
/// | State     | `mayWrite`                          | `sawInput`    | `wait`                 | `begin`   |
/// |-----------|-------------------------------------|---------------|------------------------|-----------|
/// | `writing` | yes; `over` when the time is used up | from now on   | plan the next turn     | `writing` |
/// | `over`    | no                                  | nothing       | the turn is planned    | `writing` |
///
/// One for all channels of a loop: if each had its own time, there would always be one with time left.
struct LoopTurnState: ~Copyable {
    private enum Phase {
        /// Until the deadline, which is set by the first look at the clock.
        case writing(until: NIODeadline?)
        case over
    }

    /// Short for those who wait, long beside the pause.
    static var length: TimeAmount { .microseconds(500) }

    /// How many elements are written between two looks at the clock.
    static var stride: Int { 16 }

    private var phase = Phase.writing(until: nil)
    private var count = 0
    private var isPlanned = false

    /// An element is to be written.
    ///
    /// - Parameter now: The time.
    /// - Returns: Whether it may be, in this turn.
    mutating func mayWrite(at now: () -> NIODeadline) -> Bool {
        switch self.phase {
        case .over:
            return false
        case .writing(let end):
            self.count += 1
            guard self.count % Self.stride == 0 else { return true }
            guard let end else {
                self.phase = .writing(until: now() + Self.length)
                return true
            }
            if now() < end { return true }
            self.phase = .over
            return false
        }
    }

    /// Whether the time is used up.
    var isOver: Bool { if case .over = self.phase { true } else { false } }

    /// The loop has looked at its sockets: the turn begins anew.
    mutating func sawInput() {
        if case .writing = self.phase { self.phase = .writing(until: nil) }
    }

    /// A channel waits for the next turn.
    ///
    /// - Returns: Whether to plan it.
    mutating func wait() -> Bool {
        defer { self.isPlanned = true }
        return !self.isPlanned
    }

    /// The next turn begins.
    mutating func begin() {
        self.isPlanned = false
        self.phase = .writing(until: nil)
    }
}
#endif
