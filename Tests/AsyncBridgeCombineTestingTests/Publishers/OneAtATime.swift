// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Foundation
import OpenCombineShim
import Synchronization

/// A cold publisher that forgets a subscriber who comes while another one comes, or gets an element.
struct OneAtATime: Publisher {
    typealias Output = Int
    typealias Failure = SourceError

    private let base: Numbers
    private let gate = Gate()

    init(_ base: Numbers) { self.base = base }

    private final class Gate: Sendable {
        private let isBusy = Atomic(false)

        /// Does something, unless it is done already.
        func pass<Result>(_ body: () -> Result) -> Result? {
            if self.isBusy.exchange(true, ordering: .sequentiallyConsistent) { return nil }
            defer { self.isBusy.store(false, ordering: .sequentiallyConsistent) }
            return body()
        }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        let gate = self.gate
        _ = gate.pass {
            self.base.receive(
                subscriber: AnySubscriber<Int, SourceError>(
                    receiveSubscription: { subscriber.receive(subscription: $0) },
                    receiveValue: { element in gate.pass { subscriber.receive(element) } ?? subscriber.receive(element)
                    },
                    receiveCompletion: { subscriber.receive(completion: $0) }
                )
            )
            for _ in 0..<20 { sched_yield() }
        }
    }
}
#endif
