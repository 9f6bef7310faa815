// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridgeTesting
import Synchronization

/// Drives a publisher: decides what the publisher sends, and when.
///
/// Isolation: the events come on the suite's own threads; on two at a time, if the publisher promises to put them in
/// order.
public final class PublisherDriver: Sendable {
    /// An event for the publisher to send.
    @nonexhaustive
    public enum Event: Sendable {
        /// An element.
        case element(Int)

        /// The end.
        case finished

        /// A failure; a publisher with another `Failure` sends its own error instead.
        case failed(SourceError)
    }

    /// Why not the closure itself: read through a generic `inout`, it is wrapped once more each time (Swift 6.3.1),
    /// and each call of it takes more of the stack than the one before.
    ///
    /// Safe: the user was told that the closure is called on other threads. Not `@Sendable`: a subject can bear that,
    /// but is not marked so.
    private struct Handler: @unchecked Sendable {
        let body: (Event) -> Void
    }

    private let handler = Mutex<Handler?>(nil)

    init() {}

    /// Sets how an event is passed to the publisher's source.
    ///
    /// - Parameter body: Passes an event on. Events may come before there is a subscriber, after the end, and on any
    ///   thread; captured objects must tolerate that, as subjects do.
    public func onEvent(_ body: @escaping (Event) -> Void) {
        let handler = Handler(body: body)
        self.handler.withLock { $0 = handler }
    }

    func send(_ event: Event) { self.handler.withLock { $0 }?.body(event) }

    /// Forgets the publisher.
    func clear() {
        // Released outside the lock: its end may run anything.
        let old = self.handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        withExtendedLifetime(old) {}
    }
}
#endif
