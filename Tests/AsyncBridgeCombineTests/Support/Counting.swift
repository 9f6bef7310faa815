// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import OpenCombineShim
import Synchronization

import AsyncBridgeCombine

/// A publisher of rising numbers that obeys demand, sends inside the request, and records each request.
final class Counting: Publisher, Sendable {
    typealias Output = Int
    typealias Failure = Never

    let requests = Collected<Subscribers.Demand>()
    let cancels = Count()
    /// Whether a request came inside another one, or beside it.
    let hasOverlapped = Flag()
    private let first: Int
    private let last: Int

    init(from first: Int, upTo last: Int = .max) {
        self.first = first
        self.last = last
    }

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Int, Downstream.Failure == Never {
        subscriber.receive(subscription: Line(self, Receiver(subscriber)))
    }

    private final class Line: Subscription, Sendable {
        private struct State {
            var receiver: Receiver<Int, Never>?
            var next: Int
            var demand = Subscribers.Demand.none
            var isSending = false
        }

        private let publisher: Counting
        private let state: Mutex<State>

        init(_ publisher: Counting, _ receiver: Receiver<Int, Never>) {
            self.publisher = publisher
            self.state = Mutex(State(receiver: receiver, next: publisher.first))
        }

        func request(_ demand: Subscribers.Demand) {
            self.publisher.requests.append(demand)
            let sends = self.state.withLock { state in
                state.demand += demand
                defer { state.isSending = true }
                return !state.isSending
            }
            guard sends else { return self.publisher.hasOverlapped.set() }
            while let (value, receiver) = self.take() {
                guard let value else { return receiver.subscriber.receive(completion: .finished) }
                let more = receiver.subscriber.receive(value)
                self.state.withLock { $0.demand += more }
            }
        }

        /// The next value and whom to send it; no value at the end, nothing without demand.
        private func take() -> (Int?, Receiver<Int, Never>)? {
            self.state.withLock { state in
                guard let receiver = state.receiver else { return nil }
                if state.next > self.publisher.last {
                    state.receiver = nil
                    return (nil, receiver)
                }
                guard state.demand > .none else {
                    state.isSending = false
                    return nil
                }
                state.demand -= 1
                state.next += 1
                return (state.next - 1, receiver)
            }
        }

        func cancel() {
            let receiver = self.state.withLock { state in
                defer { state.receiver = nil }
                return state.receiver
            }
            if receiver != nil { self.publisher.cancels.add() }
        }
    }
}
#endif
