// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge

/// A subscriber, or an operator, whose code is isolated to the main actor, of a publisher that sends elsewhere.
///
/// A closure of `sink` or `map` in code of the main actor has that isolation, and its type does not tell: nothing can
/// be known before it is called, and then the runtime ends the process.
enum SubscriberOfMainActor {
    /// Says what to write instead when the process ends.
    static let explain: Void = MainActorTrap.explain(
        """
        swift-async-bridge: a closure that is isolated to the main actor was called elsewhere. If it belongs to a \
        subscriber or an operator, such as sink or map, make its publisher in code of the main actor, or name the \
        actor, as in publisher(on: MainActor.shared), or write receive(on: DispatchQueue.main) before it. If not, \
        write @Sendable in front of its parameters, or give the API a callback's handler.

        """
    )
}
#endif
