// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import NIOCore

extension Channel {
    /// Adds a last handler to the pipeline, through which straight-line code receives and sends.
    ///
    /// Call it in a channel's initializer, after the other handlers were added, or in an event of a handler, which then
    /// passes the event on. Data that the channel has read before is lost, and so is the end of its input; if that may
    /// have happened, it is reported to `BridgeDiagnostics`:
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
    ///   - limits: How many elements wait at most before reading pauses, and before senders wait.
    ///   - lingering: How long the channel stays open when nobody here sends or receives any more, or the bridge is to
    ///     be removed, and the peer does not read what was sent, or does not end its half. An element that waits for
    ///     room by `sendFuture(_:)` counts as a sender, and a callback that waits for an element as a receiver.
    ///   - kind: What one failure means for the rest; defaults to what the socket says, and to a stream where there is
    ///     none.
    ///   - size: What an element counts for the inbound `limits`, for example its bytes; always the same
    ///     for the same element. Less than 1 counts as 1. Called by the event loop and by the consumer.
    ///   - userEvent: Turns a user event of the pipeline into an element, which is delivered in order with the others;
    ///     returns `nil` for events that only pass. Called on the event loop, with NIO's own events too, but not with
    ///     `ChannelEvent.inputClosed`, which ends the inbound half. If it makes an element of
    ///     `ChannelShouldQuiesceEvent`, that event does not end the half: the code that gets the element must return.
    ///   - onError: Turns an error of the pipeline into an element, which is delivered in order with the others; the
    ///     inbound half goes on, and the error goes no further. Returns `nil` for errors that end the half. Called on
    ///     the event loop. Not called for a write that fails, such as an encoder's error: that closes the channel.
    ///   - onUndelivered: Gets inbound elements that were not received, so that their resources can be released.
    ///   - onUnsent: Gets outbound elements that were not sent: still in line when the channel was closed, or their
    ///     write has failed. Called outside every lock.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The two halves. Release both, or close the channel, or it stays open.
    /// - Throws: The pipeline's error, if it does not accept the handler; ``BridgedChannelError/alreadyBridged`` if the
    ///   channel has a bridge.
    /// - Complexity: O(1).
    @inlinable @inline(__always)
    public func bridge<Inbound: Sendable, Outbound: Sendable>(
        inbound: Inbound.Type,
        outbound: Outbound.Type,
        limits: BridgedChannelLimits = BridgedChannelLimits(),
        lingering: TimeAmount = .seconds(30),
        kind: BridgedChannelKind? = nil,
        size: (@Sendable (Inbound) -> Int)? = nil,
        userEvent: (@Sendable (Any) -> Inbound?)? = nil,
        onError: (@Sendable (any Error) -> Inbound?)? = nil,
        onUndelivered: (@Sendable (sending Inbound) -> Void)? = nil,
        onUnsent: (@Sendable (sending Outbound) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> BridgedChannel<Inbound, Outbound> {
        // Inlined, because nothing can be specialised for the type behind an `any Channel`.
        try BridgedChannel(
            addedTo: self,
            limits: limits,
            closures: BridgeClosures(
                size: size,
                userEvent: userEvent,
                onError: onError,
                onUndelivered: onUndelivered,
                onUnsent: onUnsent
            ),
            traits: BridgeTraits(lingering: lingering, kind: kind, fileID: fileID, line: line),
            made: (fileID, line)
        )
    }
}
#endif
