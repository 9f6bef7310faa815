// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
public import NIOCore

/// What was left in a bridge that was removed.
public struct BridgeRemainder<Inbound: Sendable>: Sendable {
    /// How the input of a channel has ended.
    ///
    /// Minor releases may add cases: a `switch` over it needs `@unknown default`.
    @nonexhaustive
    public enum InputEnd: Sendable {
        /// The peer has ended its half.
        case closed
        /// An error of the pipeline.
        case failed(any Error)
    }

    /// The elements that have come and were not received, in order.
    public let elements: [Inbound]

    /// How the input has ended, if it has.
    ///
    /// A bridge that the closure adds learns that the peer has ended its half; other handlers do not.
    public let inputEnd: InputEnd?
}

extension BridgedChannel {
    /// Removes the bridge from its pipeline, and changes the pipeline before anything more is read.
    ///
    /// For protocols that change on the way: after an upgrade, or a `CONNECT`. Everything that was sent is written
    /// first. Then, in one step of the event loop, the bridge is removed and the closure called: it adds the handlers
    /// that come next, or another bridge, and gets the elements that nobody has received.
    ///
    /// ```swift
    /// func upgrade(_ lines: BridgedChannel<String, String>) async throws -> BridgedChannel<ByteBuffer, ByteBuffer> {
    ///     try await lines.outbound.send("go on in bytes")
    ///     let upgraded = lines.remove { channel, left in
    ///         // What the peer says before it has read the answer is against the protocol.
    ///         guard left.elements.isEmpty else { throw EarlyLines() }
    ///         return try channel.bridge(inbound: ByteBuffer.self, outbound: ByteBuffer.self)
    ///     }
    ///     return try await upgraded.value()
    /// }
    /// ```
    ///
    /// The handlers before the bridge stay: remove the codec of the old protocol in the closure, or later. TLS needs no
    /// removal: its handler is added at the pipeline's beginning. The guide shows what must be dropped then.
    ///
    /// ## The halves
    /// From now on senders get ``BridgedChannelError/removed``. The inbound half is closed; receive no more while the
    /// future has no result, or the closure does not get that element.
    ///
    /// ## Cancellation
    /// The removal cannot be cancelled. A peer that does not read what was sent before gets the time to do so that
    /// `bridge(lingering:)` says; then the channel is closed.
    ///
    /// ## Isolation
    /// May be called on any thread. The closure is called on the channel's event loop.
    ///
    /// - Parameter change: Changes the pipeline; called at most once. If it throws, the channel is closed.
    /// - Returns: What the closure returns or throws. It fails, and the closure is not called, if the channel is closed
    ///   before, or its event loop is shut down; if all senders are gone; or if the bridge was removed before.
    /// - Complexity: O(*n*) in the number of elements that were not received.
    public func remove<Value: Sendable>(
        _ change: @escaping @Sendable (_ channel: any Channel, _ remainder: BridgeRemainder<Inbound>) throws -> Value
    ) -> EventLoopFuture<Value> {
        let (channel, inbound, lastWrite) = (self.channel, self.inbound, self.begunWrites.total)
        return self.handler.future { handler, promise in
            handler.remove(afterWrite: lastWrite) { result in
                promise.completeWith(
                    result.flatMap { end in
                        var elements: [Inbound] = []
                        while let element = inbound.poll() { elements.append(element) }
                        let remainder = BridgeRemainder(elements: elements, inputEnd: Self.inputEnd(end))
                        let changed = Result { try change(channel, remainder) }
                        // Nobody would serve it.
                        if case .failure = changed { channel.close(promise: nil) }
                        return changed
                    }
                )
            }
        }
    }

    private static func inputEnd(_ end: BridgeHandler.PeerEnd) -> BridgeRemainder<Inbound>.InputEnd? {
        switch end {
        case .none: nil
        case .closed: .closed
        case .failed(let error): .failed(error)
        }
    }
}
#endif
