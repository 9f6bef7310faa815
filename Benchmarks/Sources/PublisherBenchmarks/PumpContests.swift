// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeCombine
import BenchmarkSupport
import OpenCombineShim
import Synchronization

/// Elements of a sequence, through a publisher.
enum PumpContests {
    static let contests = [Self.stream, Self.counting]

    private static let stream = Contest(
        "an element of an AsyncStream, through a publisher, 1000 yielded and then consumed",
        operations: 1_000_000,
        entrants(atMost: 2) { elements in
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            for element in 0..<elements { continuation.yield(element) }
            continuation.finish()
            return stream
        }
    )

    private static let counting = Contest(
        "an element of a sequence that never waits, through a publisher",
        operations: 1_000_000,
        // No goal: this shows what the pump costs, since the loop without it costs nothing.
        entrants(atMost: nil) { Counting(count: $0) }
    )

    /// How many elements a sequence has.
    private static let batch = 1000

    private static func entrants<S: AsyncSequence & Sendable>(
        atMost limit: Double?,
        _ make: @escaping @Sendable (_ count: Int) -> S
    ) -> [Entrant] where S.Element == Int, S.Failure == Never {
        [
            .ours("publisher(), demand unlimited", .against("for await", atMost: limit), .against("a pump by hand")) {
                for _ in 0..<max(1, $0 / Self.batch) {
                    await consume(make(Self.batch).publisher(), demand: .unlimited)
                }
            },
            .ours("publisher(), demand 1 after each", .against("for await", atMost: limit)) {
                for _ in 0..<max(1, $0 / Self.batch) { await consume(make(Self.batch).publisher(), demand: .max(1)) }
            },
            .peer("for await") {
                for _ in 0..<max(1, $0 / Self.batch) {
                    // In a task, as the publishers do.
                    await Task {
                        var sum = 0
                        for await element in make(Self.batch) { sum &+= element }
                        keep(sum)
                    }.value
                }
            },
            .peer("a pump by hand") {
                for _ in 0..<max(1, $0 / Self.batch) {
                    await consume(HandPump(base: make(Self.batch)), demand: .unlimited)
                }
            },
        ]
    }

    private static func consume<P: Publisher>(_ publisher: P, demand: Subscribers.Demand) async
    where P.Output == Int, P.Failure == Never {
        await withUnsafeContinuation { publisher.subscribe(Summing(demand, $0)) }
    }
}

/// Counts, without ever waiting.
private struct Counting: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Failure = Never

    var next = 0
    let count: Int

    init(count: Int) { self.count = count }

    func makeAsyncIterator() -> Counting { self }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
        guard self.next < self.count else { return nil }
        defer { self.next += 1 }
        return self.next
    }
}

/// Adds the elements up.
private final class Summing: Subscriber {
    typealias Input = Int
    typealias Failure = Never

    private let demand: Subscribers.Demand
    private let done: UnsafeContinuation<Void, Never>
    private var sum = 0

    init(_ demand: Subscribers.Demand, _ done: UnsafeContinuation<Void, Never>) {
        self.demand = demand
        self.done = done
    }

    func receive(subscription: any Subscription) { subscription.request(self.demand) }

    func receive(_ input: Int) -> Subscribers.Demand {
        self.sum &+= input
        return self.demand == .unlimited ? .none : self.demand
    }

    func receive(completion: Subscribers.Completion<Never>) {
        keep(self.sum)
        self.done.resume()
    }
}

/// A pump as a careful user writes it: obeys demand, and stops when cancelled.
private struct HandPump<Base: AsyncSequence & Sendable>: Publisher where Base.Failure == Never {
    typealias Output = Base.Element
    typealias Failure = Never

    let base: Base

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        subscriber.receive(subscription: Inner(self.base, AnySubscriber(subscriber)))
    }

    private final class Inner: Subscription, @unchecked Sendable {
        private struct State {
            var demand = Subscribers.Demand.none
            var task: Task<Void, Never>?
            var waiting: CheckedContinuation<Void, Never>?
            var isCancelled = false
        }

        private let base: Base
        private let subscriber: AnySubscriber<Base.Element, Never>
        private let state = Mutex(State())

        init(_ base: Base, _ subscriber: AnySubscriber<Base.Element, Never>) {
            self.base = base
            self.subscriber = subscriber
        }

        func request(_ demand: Subscribers.Demand) {
            let waiting = self.state.withLock { state in
                state.demand += demand
                if state.task == nil, !state.isCancelled { state.task = Task { await self.pump() } }
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume()
        }

        func cancel() {
            let (task, waiting) = self.state.withLock { state in
                state.isCancelled = true
                defer { state.waiting = nil }
                return (state.task, state.waiting)
            }
            task?.cancel()
            waiting?.resume()
        }

        private func pump() async {
            var iterator = self.base.makeAsyncIterator()
            while await self.takeDemand() {
                guard let element = await iterator.next(isolation: nil) else {
                    return self.subscriber.receive(completion: .finished)
                }
                if self.state.withLock({ $0.isCancelled }) { return }
                let more = self.subscriber.receive(element)
                if more > .none { self.state.withLock { $0.demand += more } }
            }
        }

        private func takeDemand() async -> Bool {
            while true {
                let taken: Bool? = self.state.withLock { state in
                    if state.isCancelled { return false }
                    guard state.demand > .none else { return nil }
                    state.demand -= 1
                    return true
                }
                if let taken { return taken }
                await withCheckedContinuation { continuation in
                    let goesOn = self.state.withLock { state in
                        if state.isCancelled || state.demand > .none { return true }
                        state.waiting = continuation
                        return false
                    }
                    if goesOn { continuation.resume() }
                }
            }
        }
    }
}
