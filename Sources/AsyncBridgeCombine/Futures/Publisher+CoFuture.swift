// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
public import AsyncBridgeFutures
public import OpenCombineShim

extension Publisher where Output: Sendable {
    /// Subscribes at once, and makes a future of one of the publisher's elements.
    ///
    /// ```swift
    /// let future = publisher.map(\.count).subscribeCoFuture()
    /// let count = try future.await()
    /// ```
    ///
    /// ## Cancellation
    /// Cancelling the future cancels the subscription, and the publisher's completion settles the future. Dropping the
    /// future does not cancel: its observers still need the result.
    ///
    /// ## Isolation
    /// This call subscribes to the publisher. The future is settled, and its observers run, where the publisher sends.
    ///
    /// - Parameters:
    ///   - wanted: Which element.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The future. It fails with the publisher's failure, with `BridgeFault` (`noValue`, `severalValues`) if
    ///   the publisher does not send the wanted element, and with `subscriberDropped` if the publisher drops its
    ///   subscriber without a completion.
    /// - Complexity: O(1), plus the publisher's work for a subscription.
    public func subscribeCoFuture(
        _ wanted: PublisherValue = .first,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CoFuture<Output> {
        var upstream: Upstream?
        // Not a promise that is returned: a publisher that drops its subscriber must end the wait.
        let future = CoFuture<Output>(fileID: fileID, line: line) { complete in
            let made = CallSite(fileID: fileID, line: line)
            let subscriber = ValueSubscriber<Output, Failure>(wanted, for: "subscribeCoFuture", made: made) { result in
                complete(Result { try result.get().value(made: made) })
            }
            upstream = subscriber.upstream
            self.subscribe(subscriber)
        }
        if let upstream { future.whenCancelled { upstream.cancel() } }
        return future
    }
}
#endif
