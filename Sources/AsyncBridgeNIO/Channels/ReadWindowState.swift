// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
/// How much of a channel's inbound may be read ahead of its consumer: every decision, and nothing else.
///
/// | State     | `read`                       | `consumed`                          | `end`                |
/// |-----------|------------------------------|-------------------------------------|----------------------|
/// | `reading` | passes; `held` if it is full | counts                              | `over`               |
/// | `held`    | is held back                 | the read passes, if enough was read | `over`; it passes    |
/// | `over`    | passes, to discard elements  | nothing                             | nothing              |
///
/// A read may bring any number of elements, so there can be more of them than the window has room for.
///
/// Why it reads on when it is over: a socket that is closed with unread data is reset, and the peer loses what it has
/// not received yet.
package struct ReadWindowState: ~Copyable {
    private enum Phase {
        case reading
        case held
        case over
    }

    /// More than there is memory for, and sums of it do not overflow.
    private static var most: Int { 1 << (Int.bitWidth - 16) }

    private let low: Int
    private let high: Int
    package private(set) var buffered = 0
    private var phase = Phase.reading

    /// - Parameters:
    ///   - low: Reading goes on when what is left counts no more than this.
    ///   - high: Reading pauses when what waits counts this much.
    package init(low: Int, high: Int) {
        self.low = min(low, Self.most - 1)
        self.high = min(high, Self.most)
    }

    /// An element came.
    ///
    /// - Parameter size: What it counts.
    package mutating func received(_ size: Int = 1) { self.buffered += self.counted(size) }

    /// What a size counts: one element that fills the window is as good as any that is larger.
    private func counted(_ size: Int) -> Int { min(size, self.high) }

    /// The channel is to be read from.
    ///
    /// - Returns: Whether it may be, now.
    package mutating func read() -> Bool {
        switch self.phase {
        case .reading:
            if self.buffered < self.high { return true }
            self.phase = .held
            return false
        case .held:
            return false
        case .over:
            return true
        }
    }

    /// The consumer has taken an element, or it was given back because nobody gets it.
    ///
    /// - Parameter size: What it counts, as when it came.
    /// - Returns: Whether the read that was held back is to be made.
    package mutating func consumed(_ size: Int = 1) -> Bool {
        self.buffered -= self.counted(size)
        switch self.phase {
        case .held:
            guard self.buffered <= self.low else { return false }
            self.phase = .reading
            return true
        case .reading, .over:
            return false
        }
    }

    /// Nothing more is wanted.
    ///
    /// - Returns: Whether the read that was held back is to be made.
    package mutating func end() -> Bool {
        defer { self.phase = .over }
        if case .held = self.phase { return true }
        return false
    }
}
#endif
