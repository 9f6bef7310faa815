// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import NIOCore

extension BridgedChannel {
    /// Sends an element, and tells what became of it.
    ///
    /// ``outbound`` only puts elements in line. Use this where the result of one counts: for a datagram that may be too
    /// long, or for a last word before the channel is closed.
    ///
    /// ```swift
    /// func answer(_ socket: BridgedChannel<Datagram, Datagram>) async throws {
    ///     for try await request in socket.inbound {
    ///         do {
    ///             try await socket.write(reply(to: request)).value()
    ///         } catch {
    ///             print("not sent to \(request.remoteAddress): \(error)")
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The element is written after all that the calling code has sent before, also if both halves are released then;
    /// what `sendFuture` sends, and still waits for room, comes later. What is sent after it may come before it: wait
    /// for the result first. It is flushed with others, when the event loop has done its other work. There is no
    /// back-pressure but the result: wait for it before the next.
    ///
    /// ## Cancellation
    /// A write cannot be cancelled.
    ///
    /// ## Isolation
    /// May be called on any thread.
    ///
    /// - Parameter element: The element. It does not go to `onUnsent`.
    /// - Returns: A future that succeeds when the system has taken the element. It fails with the error of this write,
    ///   which closes nothing; or, if nothing can be sent any more, with the reason: `EventLoopError.shutdown` if the
    ///   event loop was shut down.
    /// - Complexity: O(1) on average.
    @inlinable
    public func write(_ element: Outbound) -> EventLoopFuture<Void> {
        let number = self.begunWrites.begin()
        return self.handler.future {
            $0.writeAlone(ElementTypes<Inbound, Outbound>.wrapOutboundOut(element), number, $1)
        }
    }
}
#endif
