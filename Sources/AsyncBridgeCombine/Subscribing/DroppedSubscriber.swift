// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge

/// A publisher has released its subscriber, and neither has it completed nor was it cancelled.
enum DroppedSubscriber {
    /// Reports it.
    ///
    /// - Parameters:
    ///   - bridge: The function that subscribed.
    ///   - made: Where it was called.
    /// - Returns: The error for what waits.
    static func report(_ bridge: StaticString, made: CallSite) -> BridgeFault {
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .droppedSubscriber,
                bridge: "\(bridge)",
                made: made,
                advice: """
                    The publisher released its subscriber without a completion, so nothing more can come, and what \
                    waited for it has ended. A publisher must send a completion when it ends. Keep it, and what it \
                    sends from, until then.
                    """
            )
        )
        return BridgeFault(.subscriberDropped, made: made)
    }
}
#endif
