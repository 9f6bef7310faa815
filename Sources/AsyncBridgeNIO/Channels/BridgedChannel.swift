// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
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
/// The channel is read from as long as fewer than ``BridgedChannelLimits/high`` elements wait for the consumer, and
/// again when ``BridgedChannelLimits/low`` are left. One read may bring more, and when the peer ends its half, NIO
/// reads all that the system has received, which may be megabytes. Senders wait while the channel is not writable and
/// ``BridgedChannelLimits/outbound`` elements wait for it. Elements that come one by one are flushed together, when the
/// event loop has done its other work.
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
/// | an error of the pipeline: a decoder's, a reset | throws it, after the last element | goes on |
/// | the same, and `onError` returns an element | gets that element, in order, and goes on | goes on |
/// | a write fails | throws it, after the last element | senders get it; the channel is closed |
/// | a write fails whose result was asked for: ``write(_:)`` | goes on | goes on |
/// | all senders are released, or one calls `close()` | goes on | what was sent is written, then it is closed |
/// | all receivers are released, or one calls `cancel()` | later elements go to `onUndelivered` | goes on |
/// | a handler fires `ChannelShouldQuiesceEvent` | ends, after the last element | goes on |
///
/// When both halves have ended, the channel is closed. So it is enough to release both. What was sent before is written
/// first; then the output is closed, and what the peer still sends is read, and goes to `onUndelivered`, until the peer
/// has ended its half. Without that the system would reset the connection, and the peer lose what it has not read yet.
/// For all of this the peer gets the time `lingering`. To end earlier, close the channel yourself. UDP sockets and
/// streams of HTTP/2 have no halves: their output cannot be closed alone, and they are closed when everything is sent.
///
/// On a UDP socket an error, or a write that fails, concerns one datagram and ends nothing: see ``BridgedChannelKind``.
public struct BridgedChannel<Inbound: Sendable, Outbound: Sendable>: Sendable {
    /// The channel.
    public let channel: any Channel

    /// The elements from the peer.
    public let inbound: CoChannel<Inbound>.Receiver

    /// The elements to the peer.
    ///
    /// What is sent here after a ``write(_:)`` may come before it: where the order counts, wait for the result first.
    public let outbound: CoChannel<Outbound>.Sender

    @usableFromInline let handler: NIOLoopBound<BridgeHandler>
    @usableFromInline let begunWrites: BegunWrites

    @usableFromInline
    init(
        _ channel: any Channel,
        _ inbound: CoChannel<Inbound>.Receiver,
        _ outbound: CoChannel<Outbound>.Sender,
        _ handler: BridgeHandler
    ) {
        self.channel = channel
        self.inbound = inbound
        self.outbound = outbound
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        self.begunWrites = handler.begunWrites
    }

    @inlinable
    init(
        addedTo channel: any Channel,
        limits: BridgedChannelLimits,
        closures: BridgeClosures<Inbound, Outbound>,
        traits: BridgeTraits,
        made: (fileID: StaticString, line: UInt)
    ) throws {
        channel.eventLoop.preconditionInEventLoop()
        let window = ReadWindow(low: limits.low, high: limits.high)
        // Each element passes this, or the closure below, and none passes both: a future that has its element, and is
        // released unread, gives it back after that closure.
        let onUndelivered = closures.giveBack(window, reading: channel)
        let received = CoChannel<Inbound>(
            buffering: .unbounded,
            onUndelivered: onUndelivered,
            fileID: made.fileID,
            line: made.line
        )
        let sent = CoChannel<Outbound>(
            buffering: .bounded(capacity: limits.outbound),
            onUndelivered: closures.onUnsent,
            fileID: made.fileID,
            line: made.line
        )
        let elements = BridgeElements(
            inbound: received.sender,
            window: window,
            onUndelivered: onUndelivered,
            outbound: sent.receiver,
            closures: closures
        )
        let handler = BridgeHandler(elements, window: window, traits: traits)
        try handler.add(to: channel)
        let size = closures.size
        let counted = received.receiver.passing(givingBack: closures.onUndelivered) { element in
            if window.consumed(BridgeClosures<Inbound, Outbound>.size(of: element, size)) { channel.read() }
            return element
        }
        self.init(channel, counted, sent.sender, handler)
    }
}
#endif
