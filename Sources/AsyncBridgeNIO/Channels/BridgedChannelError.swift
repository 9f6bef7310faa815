// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
/// Why a bridge cannot do what was asked; all other errors are NIO's.
///
/// Show or log the description, as in `"\(error)"`: Foundation's `localizedDescription` says no more than the type and
/// a number, as for NIO's own errors.
///
/// Minor releases may add cases: a `switch` over it needs `@unknown default`.
@nonexhaustive
public enum BridgedChannelError: Error, Sendable, Hashable {
    /// The channel has a bridge already, which takes all that is read.
    case alreadyBridged

    /// The bridge was removed from its channel, which goes on without it.
    case removed
}

extension BridgedChannelError: CustomStringConvertible {
    /// What went wrong and what to do about it, in a sentence or two.
    public var description: String {
        switch self {
        case .alreadyBridged:
            "The channel has a bridge already. Use that one, or call its `remove` before."
        case .removed:
            "The bridge was removed from its channel. Write to the channel's pipeline, or through a new bridge."
        }
    }
}
#endif
