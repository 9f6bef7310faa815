// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim

/// Sends what another publisher sends, as long as it is alive: its own subscriber holds it weakly.
///
/// Safe: nothing in it changes.
final class HeldWeakly<Base: Publisher>: Publisher, @unchecked Sendable
where Base.Output == Int, Base.Failure == SourceError {
    typealias Output = Int
    typealias Failure = SourceError

    private let base: Base

    init(base: Base) { self.base = base }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        self.base.receive(
            subscriber: AnySubscriber<Int, SourceError>(
                receiveSubscription: { subscriber.receive(subscription: $0) },
                receiveValue: { [weak self] in self == nil ? .none : subscriber.receive($0) },
                receiveCompletion: { [weak self] in if self != nil { subscriber.receive(completion: $0) } }
            )
        )
    }
}
#endif
