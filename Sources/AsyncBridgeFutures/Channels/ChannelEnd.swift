// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How a channel ended.
@usableFromInline
package enum ChannelEnd: Sendable {
    /// It was closed: elements in it may still be received.
    case closed
    /// It was closed with an error, which the channel has; elements in it may still be received.
    case failed
    /// A bridge's receiving side refuses more, or a broadcast was cancelled, with an error, which the channel has; the
    /// elements in it are undelivered.
    case refused
    /// It was cancelled: the elements in it are undelivered.
    case cancelled
    /// Nothing can send any more; elements in it may still be received.
    case sendersGone
    /// Nothing can receive any more: the elements in it are undelivered.
    case receiversGone

    /// Whether elements that are in the channel may still be received.
    @inlinable package var keepsElements: Bool {
        switch self {
        case .closed, .failed, .sendersGone: true
        case .refused, .cancelled, .receiversGone: false
        }
    }
}
