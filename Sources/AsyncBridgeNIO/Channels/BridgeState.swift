// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
/// The life of a channel's two halves: every decision, and nothing else.
///
/// The output, on which elements are sent:
///
/// | State       | Meaning                                                | Next                   |
/// |-------------|--------------------------------------------------------|------------------------|
/// | `notBegun`  | the channel is not active                              | `pumping`, `closed`    |
/// | `pumping`   | elements are being written                             | any but `notBegun`     |
/// | `receiving` | a callback waits for the next element                  | `pumping`, `closed`    |
/// | `blocked`   | the channel is not writable                            | `pumping`, `closed`    |
/// | `closed`    | all senders are gone, or the channel is                | none                   |
///
/// The input is `open` until the peer has ended it, or the consumer is gone. When both halves are over, the channel is
/// to be closed.
struct BridgeState: ~Copyable {
    private enum Output {
        case notBegun
        case pumping
        case receiving
        case blocked
        case closed
    }

    private enum Input {
        case open
        case over
    }

    private var output = Output.notBegun
    private var input = Input.open

    /// Whether both halves are over.
    private var isOver: Bool {
        switch (self.output, self.input) {
        case (.closed, .over): true
        case (.closed, .open), (.notBegun, _), (.pumping, _), (.receiving, _), (.blocked, _): false
        }
    }

    // MARK: The output

    /// The channel is active, or writable again, or an element has come.
    ///
    /// - Returns: Whether to write elements now; otherwise that is being done, or nothing is to be written any more.
    mutating func beginPumping() -> Bool {
        switch self.output {
        case .notBegun, .receiving, .blocked:
            self.output = .pumping
            return true
        case .pumping, .closed:
            return false
        }
    }

    /// The channel is writable again.
    ///
    /// - Returns: Whether to write elements now.
    mutating func becameWritable() -> Bool {
        guard case .blocked = self.output else { return false }
        self.output = .pumping
        return true
    }

    /// Nothing is there to be written.
    ///
    /// - Returns: Whether to wait for the next element.
    mutating func beginReceiving() -> Bool {
        guard case .pumping = self.output else { return false }
        self.output = .receiving
        return true
    }

    /// The channel takes no more at the moment.
    mutating func block() { if case .pumping = self.output { self.output = .blocked } }

    /// Whether elements are being written.
    var isPumping: Bool { if case .pumping = self.output { true } else { false } }

    /// What the end of a half asks for.
    enum EndAction {
        case none
        /// Tell the peer that nothing more comes.
        case closeOutput
        /// Close the channel; what was written is sent first.
        case closeChannel
    }

    /// All senders are gone: everything was written.
    mutating func endOutput() -> EndAction {
        if case .closed = self.output { return .none }
        self.output = .closed
        return self.isOver ? .closeChannel : .closeOutput
    }

    // MARK: The input

    /// The peer has ended it, or the consumer is gone.
    mutating func endInput() -> EndAction {
        if case .over = self.input { return .none }
        self.input = .over
        return self.isOver ? .closeChannel : .none
    }

    /// The channel is gone.
    mutating func endBoth() {
        self.output = .closed
        self.input = .over
    }
}
#endif
