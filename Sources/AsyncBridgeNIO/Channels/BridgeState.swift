// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
/// The life of a channel's two halves: every decision, and nothing else.
///
/// The output, on which elements are sent:
///
/// | State       | Meaning                                                | Next                             |
/// |-------------|--------------------------------------------------------|----------------------------------|
/// | `notBegun`  | the channel is not active                              | `pumping`, `draining`, `closed`  |
/// | `pumping`   | elements are being written                             | any but `notBegun`               |
/// | `receiving` | a callback waits for the next element                  | `pumping`, `draining`, `closed`  |
/// | `blocked`   | the channel is not writable                            | `pumping`, `draining`, `closed`  |
/// | `draining`  | all senders are gone; what was written is being sent   | `closed`                         |
/// | `closed`    | all was sent, or the channel is closed                 | none                             |
///
/// The input is `open` until the peer has ended it, or the consumer is gone. When both halves are over, the channel is
/// to be closed.
///
/// Why it waits in `draining`: a channel that is closed drops what it has not sent yet, which a slow peer never gets.
package struct BridgeState: ~Copyable {
    private enum Output {
        case notBegun
        case pumping
        case receiving
        case blocked
        case draining
        case closed
    }

    private enum Input {
        case open
        case over
    }

    private var output = Output.notBegun
    private var input = Input.open

    package init() {}

    // MARK: The output

    /// The channel is active, or writable again, or an element has come.
    ///
    /// - Returns: Whether to write elements now; otherwise that is being done, or nothing is to be written any more.
    package mutating func beginPumping() -> Bool {
        switch self.output {
        case .notBegun, .receiving, .blocked:
            self.output = .pumping
            return true
        case .pumping, .draining, .closed:
            return false
        }
    }

    /// The channel is writable again.
    ///
    /// - Returns: Whether to write elements now.
    package mutating func becameWritable() -> Bool {
        guard case .blocked = self.output else { return false }
        self.output = .pumping
        return true
    }

    /// Nothing is there to be written.
    ///
    /// - Returns: Whether to wait for the next element.
    package mutating func beginReceiving() -> Bool {
        guard case .pumping = self.output else { return false }
        self.output = .receiving
        return true
    }

    /// The channel takes no more at the moment.
    package mutating func block() { if case .pumping = self.output { self.output = .blocked } }

    /// Whether elements are being written.
    package var isPumping: Bool { if case .pumping = self.output { true } else { false } }

    /// All senders are gone: everything was written.
    ///
    /// - Returns: Whether to wait until it was sent.
    package mutating func endOutput() -> Bool {
        switch self.output {
        case .notBegun, .pumping, .receiving, .blocked:
            self.output = .draining
            return true
        case .draining, .closed:
            return false
        }
    }

    /// What the end of a half asks for.
    package enum EndAction {
        case none
        /// Tell the peer that nothing more comes.
        case closeOutput
        case closeChannel
    }

    /// Everything was sent.
    package mutating func drained() -> EndAction {
        guard case .draining = self.output else { return .none }
        self.output = .closed
        switch self.input {
        case .open: return .closeOutput
        case .over: return .closeChannel
        }
    }

    /// Whether only a peer is left that has not read everything yet.
    package var isLingering: Bool {
        switch (self.output, self.input) {
        case (.draining, .over): true
        case (.draining, .open), (.notBegun, _), (.pumping, _), (.receiving, _), (.blocked, _), (.closed, _): false
        }
    }

    // MARK: The input

    /// The peer has ended it, or the consumer is gone.
    package mutating func endInput() -> EndAction {
        if case .over = self.input { return .none }
        self.input = .over
        if case .closed = self.output { return .closeChannel }
        return .none
    }

    /// The channel is gone.
    package mutating func endBoth() {
        self.output = .closed
        self.input = .over
    }
}
#endif
