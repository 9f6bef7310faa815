// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
package import NIOCore

/// How long bridged channels write before their event loop must look at its sockets: every decision, and nothing else.
///
/// | State     | `mayWrite`                           | `sawInput`  | `wait`                        | `begin`   |
/// |-----------|--------------------------------------|-------------|-------------------------------|-----------|
/// | `writing` | yes; `over` when the time is used up | from now on | plan the next turn            | `writing` |
/// | `over`    | no                                   | nothing     | plan it, unless that was done | `writing` |
///
/// `passedQueue` changes neither: it says when the pause before the next turn begins.
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

    /// How often the queued work may be waited for: others may queue more for ever.
    package static var maxPasses: Int { 16 }

    private var phase = Phase.writing(since: nil)
    private var count = 0
    /// How often the queued work has been waited for since the next turn was planned; nothing if none is.
    private var passes: Int?

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
    /// - Returns: Whether it is to be planned: the work that is queued by now is done first, then a pause follows.
    package mutating func wait() -> Bool {
        if self.passes != nil { return false }
        self.passes = 0
        return true
    }

    /// The work that was queued is done.
    ///
    /// The loop polls its sockets only if all queued work ends before the pause does. So the pause begins when there is
    /// little left, and it is longer where everything is slow: on a busy machine, under a sanitizer.
    ///
    /// - Parameter time: How long it took.
    /// - Returns: How long to pause; nothing if what was queued meanwhile is to be done first.
    package mutating func passedQueue(in time: TimeAmount) -> TimeAmount? {
        let length = if case .over(let length) = self.phase { length } else { Self.length }
        let pause = TimeAmount.nanoseconds(length.nanoseconds / Self.pauseShare)
        let passes = (self.passes ?? 0) + 1
        self.passes = passes
        guard time >= pause else { return pause }
        return passes < Self.maxPasses ? nil : time
    }

    /// The next turn begins.
    package mutating func begin() {
        self.passes = nil
        self.phase = .writing(since: nil)
    }
}
#endif
