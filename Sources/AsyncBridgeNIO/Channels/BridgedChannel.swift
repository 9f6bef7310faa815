// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import AsyncBridgeFutures
public import NIOCore

/// A channel whose handler is straight-line code: a task, or a coroutine, that receives and sends, and waits for both.
///
/// ```swift
/// func serve(_ lines: BridgedChannel<String, String>) async throws {
///     for try await line in lines.inbound { try await lines.outbound.send(line) }
/// }
/// ```
///
/// The same in a coroutine, on the channel's event loop:
///
/// ```swift
/// func serveInACoroutine(_ lines: BridgedChannel<String, String>) {
///     lines.channel.eventLoop.scheduler.startCoroutine {
///         while let line = try lines.inbound.awaitNext() { try lines.outbound.awaitSend(line) }
///     }
/// }
/// ```
///
/// Codecs and other handlers of the pipeline stay as they are; this is its last handler.
///
/// ## Back-pressure
/// The channel is read from as long as fewer than ``BridgedChannelBuffering/high`` elements wait for the consumer, and
/// again when ``BridgedChannelBuffering/low`` are left. One read may bring more. Senders wait while the channel is not
/// writable and ``BridgedChannelBuffering/outbound`` elements wait for it. Elements that come one by one are flushed
/// together, when the event loop has done its other work.
///
/// Channels of one event loop take turns: after half a millisecond of writing the loop looks at its sockets, so that a
/// client that receives endless data, and reads fast, does not keep others waiting.
///
/// ## The end
/// | What happens | Inbound | Outbound |
/// |---|---|---|
/// | the peer ends its half, with `.allowRemoteHalfClosure` | ends, after the last element | goes on |
/// | the peer ends its half, without that option | as when the channel is closed: NIO closes it | the same |
/// | the channel is closed | ends, after the last element | senders get `ChannelError.ioOnClosedChannel` |
/// | an error comes, or a write fails | throws it, after the last element | senders get it; the channel is closed |
/// | all senders are released, or one calls `close()` | goes on | what was sent is written, then it is closed |
/// | all receivers are released, or one calls `cancel()` | later elements go to `onUndelivered` | goes on |
///
/// When both halves have ended, and everything written is sent, the channel is closed. So it is enough to release both.
/// A peer that does not read what was sent gets the time `lingering` to do so. To end earlier, close the channel
/// yourself. UDP sockets and streams of HTTP/2 have no halves: their output cannot be closed alone.
public struct BridgedChannel<Inbound: Sendable, Outbound: Sendable>: Sendable {
    /// The channel.
    public let channel: any Channel

    /// The elements from the peer.
    public let inbound: CoChannel<Inbound>.Receiver

    /// The elements to the peer.
    public let outbound: CoChannel<Outbound>.Sender

    @usableFromInline
    init(_ channel: any Channel, _ inbound: CoChannel<Inbound>.Receiver, _ outbound: CoChannel<Outbound>.Sender) {
        self.channel = channel
        self.inbound = inbound
        self.outbound = outbound
    }

    @inlinable
    init(
        addedTo channel: any Channel,
        buffering: BridgedChannelBuffering,
        lingering: TimeAmount,
        userEvent: (@Sendable (Any) -> Inbound?)?,
        onUndelivered: (@Sendable (sending Inbound) -> Void)?,
        made: (fileID: StaticString, line: UInt)
    ) throws {
        channel.eventLoop.preconditionInEventLoop()
        let window = ReadWindow(low: buffering.low, high: buffering.high)
        let received = CoChannel<Inbound>(
            bufferType: .unlimited,
            onUndelivered: onUndelivered,
            fileID: made.fileID,
            line: made.line
        )
        let sent = CoChannel<Outbound>(
            bufferType: .buffered(capacity: buffering.outbound),
            fileID: made.fileID,
            line: made.line
        )
        try channel.pipeline.syncOperations.addHandler(
            BridgeHandler(
                BridgeElements(
                    inbound: received.sender,
                    outbound: sent.receiver,
                    elementOfEvent: userEvent,
                    onUndelivered: onUndelivered
                ),
                window: window,
                lingering: lingering
            )
        )
        let counted = received.receiver.map { element in
            if window.consumed() { channel.read() }
            return element
        }
        self.init(channel, counted, sent.sender)
    }
}

/// How many elements a ``BridgedChannel`` keeps ahead of its consumer and its channel.
public struct BridgedChannelBuffering: Sendable, Hashable {
    /// Reading resumes when at most this many inbound elements are left; defaults to 4.
    public let low: Int

    /// Reading pauses when this many inbound elements wait; defaults to 16.
    public let high: Int

    /// Senders wait when this many outbound elements wait; defaults to 16.
    public let outbound: Int

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - low: Reading resumes when at most this many inbound elements are left.
    ///   - high: Reading pauses when this many inbound elements wait; at least 1, and more than `low`.
    ///   - outbound: Senders wait when this many outbound elements wait; at least 1.
    public init(low: Int = 4, high: Int = 16, outbound: Int = 16) {
        precondition(
            0 <= low && low < high,
            "BridgedChannelBuffering needs 0 <= low < high, not \(low) and \(high)"
        )
        precondition(outbound > 0, "BridgedChannelBuffering needs room for at least 1 outbound element")
        (self.low, self.high, self.outbound) = (low, high, outbound)
    }
}

extension Channel {
    /// Adds a last handler to the pipeline, through which straight-line code receives and sends.
    ///
    /// Call it in a channel's initializer, after the other handlers were added; data that the channel has read before
    /// is lost, and so is the end of its input:
    ///
    /// ```swift
    /// .childChannelInitializer { channel in
    ///     channel.eventLoop.makeCompletedFuture {
    ///         try channel.pipeline.syncOperations.addHandler(codec())
    ///         let lines = try channel.bridge(inbound: String.self, outbound: String.self)
    ///         Task { try await serve(lines) }
    ///     }
    /// }
    /// ```
    ///
    /// Isolation: must be called on the channel's event loop.
    ///
    /// - Parameters:
    ///   - inbound: The type of the elements that the pipeline reads.
    ///   - outbound: The type of the elements that the pipeline writes.
    ///   - buffering: How many elements wait at most before reading pauses, and before senders wait.
    ///   - lingering: How long the channel stays open when both halves have ended and the peer does not read what was
    ///     sent.
    ///   - userEvent: Turns a user event of the pipeline into an element, which is delivered in order with the others;
    ///     returns `nil` for events that only pass. Called on the event loop, with NIO's own events too.
    ///   - onUndelivered: Gets inbound elements that were not received, so that their resources can be released.
    ///   - fileID: The caller's file, for errors.
    ///   - line: The caller's line, for errors.
    /// - Returns: The two halves. Release both, or close the channel, or it stays open.
    /// - Throws: The pipeline's error, if it does not accept the handler.
    /// - Complexity: O(1).
    @inlinable @inline(__always)
    public func bridge<Inbound: Sendable, Outbound: Sendable>(
        inbound: Inbound.Type,
        outbound: Outbound.Type,
        buffering: BridgedChannelBuffering = BridgedChannelBuffering(),
        lingering: TimeAmount = .seconds(30),
        userEvent: (@Sendable (Any) -> Inbound?)? = nil,
        onUndelivered: (@Sendable (sending Inbound) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> BridgedChannel<Inbound, Outbound> {
        // Inlined, because nothing can be specialised for the type behind an `any Channel`.
        try BridgedChannel(
            addedTo: self,
            buffering: buffering,
            lingering: lingering,
            userEvent: userEvent,
            onUndelivered: onUndelivered,
            made: (fileID, line)
        )
    }
}
#endif
