// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// Why nothing can be sent to a channel or received from it.
///
/// Minor releases may add cases: a `switch` over it needs `@unknown default`.
@nonexhaustive
public enum CoChannelError: Error, Sendable, Hashable {
    /// The channel was closed, and everything that was in it has been received.
    case closed

    /// Nothing can send any more: every ``CoChannel/Sender`` and the ``CoChannel`` itself were released; the place is
    /// where the channel was made.
    case senderDropped(BridgeDiagnostics.CallSite)

    /// Nothing can receive any more: every ``CoChannel/Receiver`` and the ``CoChannel`` itself were released; the place
    /// is where the channel was made.
    case receiverDropped(BridgeDiagnostics.CallSite)

    @usableFromInline
    static func error(for end: ChannelEnd, made: CallSite) -> any Error {
        switch end {
        case .closed, .failed, .refused: CoChannelError.closed
        case .cancelled: CancellationError()
        case .sendersGone: CoChannelError.senderDropped(made)
        case .receiversGone: CoChannelError.receiverDropped(made)
        }
    }
}

extension CoChannelError: CustomStringConvertible {
    /// What went wrong and what to do about it, in a sentence or two.
    public var description: String {
        switch self {
        case .closed:
            "The channel was closed. Ask `isClosed`, or receive in a `for try await` loop, which ends there."
        case .senderDropped(let made):
            "All senders of the channel made at \(made) were released. Close it when the last element has been sent."
        case .receiverDropped(let made):
            "All receivers of the channel made at \(made) were released. Keep its receiver as long as there are "
                + "senders."
        }
    }
}
