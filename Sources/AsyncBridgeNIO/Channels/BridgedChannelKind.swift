// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
/// What a failure of one element means for the others of its channel.
///
/// Minor releases may add cases: a `switch` over it needs `@unknown default`.
@nonexhaustive
public enum BridgedChannelKind: Sendable, Hashable {
    /// Each element follows the one before it: an error ends the inbound half, and a failed write the channel.
    case stream

    /// Each element stands alone, as with UDP: an error and a failed write end nothing.
    case datagrams
}
#endif
