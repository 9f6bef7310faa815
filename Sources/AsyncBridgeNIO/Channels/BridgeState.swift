// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
/// The life of a channel's two halves: every decision, and nothing else.
///
/// The output, on which elements are sent. In each state one event, and no other, lets the pump go on; so there is one
/// pump, and elements keep their order:
///
/// | State       | Meaning                                                | Goes on with     | Next                  |
/// |-------------|--------------------------------------------------------|------------------|-----------------------|
/// | `notBegun`  | the channel is not active                              | `begin`          | `pumping`, `over`     |
/// | `pumping`   | elements are being written                             |                  | any but `notBegun`    |
/// | `paused`    | other channels of the loop, or other tasks, have their turn | `goOn`      | `pumping`, `over`     |
/// | `receiving` | a callback waits for the next element                  | `received`       | `pumping`, `over`     |
/// | `blocked`   | the channel is not writable                            | `becameWritable` | `pumping`, `over`     |
/// | `draining`  | everything was written, and is being sent              | `drained`        | `over`                |
/// | `over`      | all was sent, or the channel is closed, or the bridge is removed |        | none                  |
///
/// The senders are `sending`, until they are `gone`, or `leaving`: the bridge is to be removed, when what they sent was
/// written. The input is `open`; `unwanted` when an error came, or the consumer is gone; `ended` when the peer has
/// ended it. When the output is over and the input has ended, the channel is to be closed.
///
/// Why it waits in `draining`: a channel that is closed drops what it has not sent yet, which a slow peer never gets.
///
/// Why it waits for the end of input that nobody wants: a socket that is closed while there is some, or gets some
/// later, is reset, and the peer loses what it has not read yet.
package struct BridgeState: ~Copyable {
    private enum Output {
        case notBegun
        case pumping
        case paused
        case receiving
        case blocked
        case draining
        case over
    }

    private enum Senders {
        case sending
        case gone
        case leaving
    }

    private enum Input {
        case open
        case unwanted
        case ended
    }

    private var output = Output.notBegun
    private var senders = Senders.sending
    private var input = Input.open

    package init() {}

    // MARK: The pump

    /// The channel is active.
    ///
    /// - Returns: Whether to write elements now. The same for the next three.
    package mutating func begin() -> Bool {
        guard case .notBegun = self.output else { return false }
        self.output = .pumping
        return true
    }

    /// It is this channel's turn again.
    package mutating func goOn() -> Bool {
        guard case .paused = self.output else { return false }
        self.output = .pumping
        return true
    }

    /// The wait for an element is over.
    package mutating func received() -> Bool {
        guard case .receiving = self.output else { return false }
        self.output = .pumping
        return true
    }

    /// The channel is writable again.
    package mutating func becameWritable() -> Bool {
        guard case .blocked = self.output else { return false }
        self.output = .pumping
        return true
    }

    /// Others have their turn.
    package mutating func pause() { if case .pumping = self.output { self.output = .paused } }

    /// The channel takes no more at the moment.
    package mutating func block() { if case .pumping = self.output { self.output = .blocked } }

    /// Nothing is there to be written.
    ///
    /// - Returns: Whether to wait for the next element.
    package mutating func beginReceiving() -> Bool {
        guard case .pumping = self.output else { return false }
        self.output = .receiving
        return true
    }

    /// Whether elements are being written.
    package var isPumping: Bool { if case .pumping = self.output { true } else { false } }

    /// Whether elements wait until the channel is writable.
    package var isBlocked: Bool { if case .blocked = self.output { true } else { false } }

    // MARK: Single writes

    /// What to do with an element that does not come from the senders' channel.
    package enum WriteAction {
        /// Write it: all that was sent before is written.
        case write
        /// The pump will write it, after what was sent before.
        case enqueue
        /// Nothing can be sent any more.
        case refuse
    }

    /// An element is to be written by itself, which was begun before the senders' end.
    ///
    /// That may have been seen before: the output does not end until all such elements are here.
    ///
    /// Race: thread A sends an element, and is on the way to the loop with it. Thread B sends another one, which waits
    /// in the channel behind it, and then makes this write, which is at the loop before A is. The state is `receiving`,
    /// but two elements come before the write.
    ///
    /// - Parameter isAwaited: Whether the callback waits in the channel for an element: none is on its way.
    /// - Returns: What to do with the element.
    package func writing(isAwaited: Bool) -> WriteAction {
        switch self.output {
        case .receiving: isAwaited ? .write : .enqueue
        case .notBegun, .pumping, .paused, .blocked: .enqueue
        case .draining, .over: .refuse
        }
    }

    // MARK: The end of the output

    /// Nothing more can be sent; what was sent is still written.
    package mutating func endSending() { if case .sending = self.senders { self.senders = .gone } }

    /// The bridge is to be removed, when what was sent is written.
    ///
    /// - Returns: Whether it will be.
    package mutating func beginRemoving() -> Bool {
        switch (self.senders, self.output) {
        case (.sending, .notBegun), (.sending, .pumping), (.sending, .paused), (.sending, .receiving),
            (.sending, .blocked):
            self.senders = .leaving
            return true
        case (.sending, .draining), (.sending, .over), (.gone, _), (.leaving, _):
            return false
        }
    }

    /// What to do when everything was written.
    package enum WrittenAction {
        case none
        /// Wait until it was sent.
        case drain
        case removeBridge
    }

    /// Everything was written, and nothing more can be sent.
    package mutating func endOutput() -> WrittenAction {
        switch (self.output, self.senders) {
        case (.draining, _), (.over, _):
            return .none
        case (.notBegun, .sending), (.pumping, .sending), (.paused, .sending), (.receiving, .sending),
            (.blocked, .sending), (.notBegun, .gone), (.pumping, .gone), (.paused, .gone), (.receiving, .gone),
            (.blocked, .gone):
            self.senders = .gone
            self.output = .draining
            return .drain
        case (.notBegun, .leaving), (.pumping, .leaving), (.paused, .leaving), (.receiving, .leaving),
            (.blocked, .leaving):
            self.endBoth()
            return .removeBridge
        }
    }

    /// What the end of a half asks for.
    package enum EndAction {
        case none
        /// Tell the peer that nothing more comes.
        case closeOutput
        /// The same, unless that was done; then read what nobody wants, until the peer ends it.
        case discardInput
        case closeChannel
    }

    /// Everything was sent.
    package mutating func drained() -> EndAction {
        guard case .draining = self.output else { return .none }
        self.output = .over
        switch self.input {
        case .open: return .closeOutput
        case .unwanted: return .discardInput
        case .ended: return .closeChannel
        }
    }

    /// Whether only a peer is waited for, that has not read everything yet, or has not ended its half: nobody sends or
    /// receives here any more, or the bridge is to be removed.
    ///
    /// Not before the channel is active: a connection that is being made has a limit of its own.
    package var isLingering: Bool {
        switch (self.senders, self.input) {
        case (.sending, _), (.gone, .open):
            return false
        case (.gone, .unwanted), (.gone, .ended), (.leaving, _):
            switch self.output {
            case .pumping, .paused, .receiving, .blocked, .draining: return true
            case .over: return self.isDiscarding
            case .notBegun: return false
            }
        }
    }

    /// Whether input is read that nobody wants.
    package var isDiscarding: Bool {
        switch (self.output, self.input) {
        case (.over, .unwanted):
            return true
        case (.over, .open), (.over, .ended), (.notBegun, _), (.pumping, _), (.paused, _), (.receiving, _),
            (.blocked, _), (.draining, _):
            return false
        }
    }

    // MARK: The input

    /// An error came, or the consumer is gone.
    package mutating func endInput() -> EndAction {
        guard case .open = self.input else { return .none }
        self.input = .unwanted
        return self.isDiscarding ? .discardInput : .none
    }

    /// The peer has ended it: nothing more comes.
    package mutating func peerHasEnded() -> EndAction {
        if case .ended = self.input { return .none }
        self.input = .ended
        switch self.output {
        case .over: return .closeChannel
        case .notBegun, .pumping, .paused, .receiving, .blocked, .draining: return .none
        }
    }

    /// The channel is closed, or the bridge is removed.
    package mutating func endBoth() {
        self.output = .over
        self.senders = .gone
        self.input = .ended
    }
}
#endif
