// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridge
public import AsyncBridgeFutures
public import OpenCombineShim

extension Publisher where Output: Sendable {
    /// Subscribes at once, and puts the publisher's elements into a channel.
    ///
    /// ```swift
    /// let quotes = publisher.subscribeCoChannel(buffering: .bounded(capacity: 16))
    /// for try await quote in quotes { show(quote) }
    /// ```
    ///
    /// ## Demand
    /// A channel without a bound requests everything at once, and so does one that drops elements or fails. For a
    /// channel with a bound, one task takes elements from the publisher as `elements(buffering:)` does, with a buffer
    /// of the channel's capacity, and sends them; so up to twice as many are on their way. Publishers that obey demand
    /// lose nothing. A subject, and operators such as `share()` and `debounce`, do not keep elements that were not
    /// requested: after these use `.unbounded`, the default.
    ///
    /// ## The end
    /// The publisher's end closes the channel; its failure closes it with that error. Cancelling the receiver, or
    /// dropping the last one, cancels the subscription.
    ///
    /// - Parameters:
    ///   - buffering: How many elements may wait in the channel, and what happens to one more.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The half of the channel that can receive.
    /// - Complexity: O(1), plus the publisher's work for a subscription.
    public func subscribeCoChannel(
        buffering: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CoChannel<Output>.Receiver {
        let (receiver, sender) = CoChannel<Output>(buffering: buffering, fileID: fileID, line: line).pair
        let made = CallSite(fileID: fileID, line: line)
        switch buffering {
        case .bounded, .watermark: self.send(to: sender, ahead: buffering, made)
        case .unbounded, .newest, .oldest, .failing: self.send(to: sender, made)
        @unknown default: self.send(to: sender, made)
        }
        return receiver
    }

    /// Sends everything to a channel in which every element finds room.
    private func send(to sender: CoChannel<Output>.Sender, _ made: CallSite) {
        let subscriber = ChannelSubscriber<Output, Failure>(sender, made: made)
        sender.whenFinished { [upstream = subscriber.upstream] _ in upstream.cancel() }
        self.subscribe(subscriber)
    }

    /// Sends what the channel has room for.
    private func send(to sender: CoChannel<Output>.Sender, ahead buffering: BufferingPolicy, _ made: CallSite) {
        let policy = DemandPolicy<Output>(
            buffering: buffering,
            onUndelivered: nil,
            bridge: "subscribeCoChannel",
            made: made
        )
        // With any error, so that the end of a publisher that drops its subscriber is one.
        let (elements, window) = policy.subscribe(to: self.mapError { $0 as any Error })
        let task = Task {
            do {
                var iterator = elements.makeAsyncIterator()
                while true {
                    window.refill()
                    guard let element = try await iterator.next() else { break }
                    try await sender.send(element)
                }
                sender.close()
            } catch {
                // If the channel has ended, this has no effect.
                sender.close(throwing: error)
            }
        }
        sender.whenFinished { _ in task.cancel() }
    }
}
#endif
