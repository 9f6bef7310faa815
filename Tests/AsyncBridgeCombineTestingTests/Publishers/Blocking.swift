// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim
import TestSupport

/// A publisher that passes everything on, but blocks at one place until a gate is opened.
final class Blocking<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    private let upstream: Upstream
    private let stop: Stop

    init(_ upstream: Upstream, _ stop: Stop) {
        self.upstream = upstream
        self.stop = stop
        stop.pass(.making)
    }

    deinit { self.stop.pass(.release) }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        self.stop.pass(.subscriberBefore)
        self.upstream.subscribe(BlockingSubscriber(subscriber, self.stop))
        self.stop.pass(.subscriberAfter)
    }
}

/// Where a publisher blocks.
struct Stop: Sendable {
    enum Place: Sendable {
        case making
        case subscriberBefore
        case subscriberAfter
        /// Whatever calls it.
        case request
        case requestInSubscription
        case requestInElement
        case cancel
        case cancelInElement
        case element
        case end
        case release
    }

    let place: Place
    let gate: Monitor<Bool>

    func pass(_ place: Place) { if self.place == place { self.gate.pass() } }
}

/// Hands on a subscription that may block.
private struct BlockingSubscriber<Downstream: Subscriber>: Subscriber {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    let combineIdentifier = CombineIdentifier()
    private let downstream: Downstream
    private let stop: Stop
    private let position = Position()

    init(_ downstream: Downstream, _ stop: Stop) {
        self.downstream = downstream
        self.stop = stop
    }

    func receive(subscription: any Subscription) {
        self.position.enter(.subscription) {
            self.downstream.receive(subscription: BlockingSubscription(subscription, self.stop, self.position))
        }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        self.position.enter(.element) { self.downstream.receive(input) }
    }

    func receive(completion: Subscribers.Completion<Failure>) { self.downstream.receive(completion: completion) }
}

/// In which method of the subscriber a thread is.
private final class Position: Sendable {
    enum Method: Sendable { case subscription, element }

    private let inside = Locked<(thread: ThreadID, method: Method)?>(nil)

    func enter<Result>(_ method: Method, _ body: () -> Result) -> Result {
        let thread = ThreadID.current
        let before = self.inside.withLock { inside in
            defer { inside = (thread, method) }
            return inside
        }
        defer { self.inside.withLock { $0 = before } }
        return body()
    }

    var method: Method? {
        let thread = ThreadID.current
        return self.inside.withLock { $0?.thread == thread ? $0?.method : nil }
    }
}

private final class BlockingSubscription: Subscription {
    private let upstream: any Subscription
    private let stop: Stop
    private let position: Position

    init(_ upstream: any Subscription, _ stop: Stop, _ position: Position) {
        self.upstream = upstream
        self.stop = stop
        self.position = position
    }

    func request(_ demand: Subscribers.Demand) {
        self.stop.pass(.request)
        switch self.position.method {
        case .subscription?: self.stop.pass(.requestInSubscription)
        case .element?: self.stop.pass(.requestInElement)
        case nil: break
        }
        self.upstream.request(demand)
    }

    func cancel() {
        self.stop.pass(.cancel)
        if self.position.method == .element { self.stop.pass(.cancelInElement) }
        self.upstream.cancel()
    }
}
#endif
