// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import Foundation
import OpenCombineShim

import AsyncBridgeCombine

/// A publisher that works inside a request, until it is cancelled.
struct BusyPublisher: Publisher, Sendable {
    typealias Output = Int
    typealias Failure = Never

    /// How many elements it sends at once before it begins to search for the next.
    let elements: Int
    /// Whether it is searching.
    let isBusy = Flag()

    init(elements: Int = 0) { self.elements = elements }

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Int, Downstream.Failure == Never {
        subscriber.receive(subscription: Search(Receiver(subscriber), self))
    }

    /// Safe: the counter is used by one request at a time, which the bridges promise.
    private final class Search: Subscription, @unchecked Sendable {
        private let receiver: Receiver<Int, Never>
        private let publisher: BusyPublisher
        private let isOver = NSCondition()
        private var isCancelled = false
        private var sent = 0

        init(_ receiver: Receiver<Int, Never>, _ publisher: BusyPublisher) {
            self.receiver = receiver
            self.publisher = publisher
        }

        func request(_ demand: Subscribers.Demand) {
            if self.sent < self.publisher.elements {
                self.sent += 1
                _ = self.receiver.subscriber.receive(self.sent)
                return
            }
            self.publisher.isBusy.set()
            self.isOver.withLock { while !self.isCancelled { self.isOver.wait() } }
        }

        func cancel() {
            self.isOver.withLock {
                self.isCancelled = true
                self.isOver.broadcast()
            }
        }
    }
}
#endif
