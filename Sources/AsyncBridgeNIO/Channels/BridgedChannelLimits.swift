// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
/// How many elements a ``BridgedChannel`` keeps ahead of its consumer and its channel.
///
/// With `bridge(size:)` the inbound limits are not numbers of elements, but sums of their sizes.
public struct BridgedChannelLimits: Sendable, Hashable {
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
            "BridgedChannelLimits needs 0 <= low < high, not \(low) and \(high)"
        )
        precondition(outbound > 0, "BridgedChannelLimits needs room for at least 1 outbound element")
        (self.low, self.high, self.outbound) = (low, high, outbound)
    }
}
#endif
