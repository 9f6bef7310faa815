// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombine
public import AsyncBridgeFutures
public import OpenCombineShim

extension Publisher where Output: Sendable {
    /// Subscribes at once, and puts the publisher's elements into a channel: `subscribeCoChannel(buffering:)`.
    ///
    /// - Parameters:
    ///   - buffer: How many elements may wait in the channel.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The half of the channel that can receive.
    /// - Complexity: O(1), plus the publisher's work for a subscription.
    public func subscribeCoChannel(
        buffer: CoChannel<Output>.BufferType,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CoChannel<Output>.Receiver {
        self.subscribeCoChannel(buffering: buffer.policy, fileID: fileID, line: line)
    }
}
#endif
