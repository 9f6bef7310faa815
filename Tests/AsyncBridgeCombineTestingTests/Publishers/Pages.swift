// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim

/// Numbers in pages of ten, each of which subscribes to the next one inside its end: so the stack grows with their
/// number.
struct Pages: Publisher {
    typealias Output = Int
    typealias Failure = SourceError

    let count: Int

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        let run = Run(AnySubscriber(subscriber), self.count)
        run.load()
        subscriber.receive(subscription: run)
    }

    /// Safe: the scenario for which it is wrong uses it on one thread.
    private final class Run: Subscription, Subscriber, @unchecked Sendable {
        typealias Input = Int
        typealias Failure = SourceError

        private var subscriber: AnySubscriber<Int, SourceError>?
        private let count: Int
        private var loaded = 0
        private var page: (any Subscription)?
        private var demand = Subscribers.Demand.none

        init(_ subscriber: AnySubscriber<Int, SourceError>, _ count: Int) {
            self.subscriber = subscriber
            self.count = count
        }

        func load() {
            let first = self.loaded
            self.loaded = Swift.min(first + 10, self.count)
            let page = Numbers(self.loaded - first)
            page.map { $0 + first }.receive(subscriber: self)
        }

        func receive(subscription: any Subscription) {
            self.page = subscription
            if self.demand > .none { subscription.request(self.demand) }
        }

        func receive(_ input: Int) -> Subscribers.Demand {
            self.demand -= 1
            let more = self.subscriber?.receive(input) ?? .none
            self.demand += more
            return more
        }

        func receive(completion: Subscribers.Completion<SourceError>) {
            if self.loaded < self.count { return self.load() }
            let subscriber = self.subscriber
            self.subscriber = nil
            subscriber?.receive(completion: completion)
        }

        func request(_ demand: Subscribers.Demand) {
            self.demand += demand
            self.page?.request(demand)
        }

        func cancel() {
            self.subscriber = nil
            self.page?.cancel()
        }
    }
}
#endif
