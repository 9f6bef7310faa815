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
    /// future does not cancel: its observers still want the result.
    ///
    /// ## Isolation
    /// The publisher is subscribed to in this call. The future is settled, and its observers run, where the publisher
    /// sends.
    ///
    /// - Parameters:
    ///   - wanted: Which element.
    ///   - fileID: The caller's file, for errors.
    ///   - line: The caller's line, for errors.
    /// - Returns: The future. It fails with the publisher's failure, and with `BridgeFault` (`noValue`,
    ///   `severalValues`) if the publisher does not have what is wanted.
    /// - Complexity: O(1), beside what the publisher does when it is subscribed to.
    public func subscribeCoFuture(
        _ wanted: PublisherValue = .first,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CoFuture<Output> {
        let promise = CoPromise<Output>(fileID: fileID, line: line)
        let subscriber = ValueSubscriber<Output, Failure>(wanted, made: CallSite(fileID: fileID, line: line)) {
            promise.complete(with: $0)
        }
        promise.whenCanceled { [upstream = subscriber.upstream] in upstream.cancel() }
        self.subscribe(subscriber)
        return promise
    }
}
#endif
