// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How a channel has come to its end.
@usableFromInline
package enum ChannelEnd: Sendable {
    /// It was closed: what is in it may still be received.
    case closed
    /// It was cancelled: what was in it is undelivered.
    case cancelled
    /// Nobody is left who could send; what is in it may still be received.
    case sendersGone
    /// Nobody is left who could receive: what was in it is undelivered.
    case receiversGone

    /// Whether elements that are in the channel may still be received.
    @inlinable var keepsElements: Bool {
        switch self {
        case .closed, .sendersGone: true
        case .cancelled, .receiversGone: false
        }
    }
}
