// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Dispatch
import Foundation
import OpenCombineShim
import Synchronization
import Testing

/// What a loop on a queue of its own does to a cancellation.
@Suite("Publishers that send in a loop on a queue", .timeLimit(.minutes(10)))
struct QueuedLoopTests {
    @Test func `a cancellation that an endless loop does not see has not stopped it`() async throws {
        let scenario = "what never ends is cancelled inside receive(_:)"
        let isOver = Atomic(false)
        let violations = await PublisherVerification("mine", promises: .wrong) {
            QueuedLoop(count: $0, cancellation: .isOnlyMuted) { isOver.load(ordering: .relaxed) }
        }
        .endless { QueuedLoop(count: nil, cancellation: .isOnlyMuted) { isOver.load(ordering: .relaxed) } }
        .check(only: [scenario])
        isOver.store(true, ordering: .relaxed)
        let first = try #require(violations.first)
        #expect(first.rule == ReactiveStreamsRule.cancelStops.description, "\(violations)")
        #expect(first.advice.contains("waits behind the loop"), "\(violations)")
    }

    @Test func `a cancellation that waits for its own thread is said to hang`() async throws {
        let isOver = Atomic(false)
        let violations = await PublisherVerification("mine", promises: .wrong) {
            QueuedLoop(count: $0, cancellation: .waits) { isOver.load(ordering: .relaxed) }
        }
        .check(only: ["it is cancelled inside receive(_:)"])
        isOver.store(true, ordering: .relaxed)
        let first = try #require(violations.first)
        #expect(first.rule == ReactiveStreamsRule.signalsMayRequest.description, "\(violations)")
        #expect(first.explanation.contains("perhaps for the thread that calls it"), "\(violations)")
    }
}

/// Sends numbers on a queue of the subscription's own.
private struct QueuedLoop: Publisher {
    typealias Output = Int
    typealias Failure = SourceError

    enum Cancellation {
        /// The loop goes on, and sends nothing; what releases the subscriber waits behind it.
        case isOnlyMuted
        /// It waits until the loop has ended.
        case waits
    }

    /// How many; `nil` without end.
    let count: Int?
    let cancellation: Cancellation
    /// Whether the test is over, and a loop without end ends.
    let isOver: @Sendable () -> Bool

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        subscriber.receive(subscription: LoopSubscription(AnySubscriber(subscriber), self))
    }

    /// Safe: its properties are constants, locks and atomics, but for those that only its queue uses.
    private final class LoopSubscription: Subscription, @unchecked Sendable {
        private let loop: QueuedLoop
        private let queue = DispatchQueue(label: "QueuedLoop")
        private let isSending = Atomic(false)
        private let isMuted = Atomic(false)
        // Of the queue.
        private var subscriber: AnySubscriber<Int, SourceError>?
        private var demand = Subscribers.Demand.none
        private var next = 0

        init(_ subscriber: AnySubscriber<Int, SourceError>, _ loop: QueuedLoop) {
            self.subscriber = subscriber
            self.loop = loop
        }

        func request(_ demand: Subscribers.Demand) {
            self.queue.async {
                self.demand += demand
                self.send()
            }
        }

        private func send() {
            self.isSending.store(true, ordering: .sequentiallyConsistent)
            defer { self.isSending.store(false, ordering: .sequentiallyConsistent) }
            while self.demand > .none, self.next < self.loop.count ?? .max, let subscriber, !self.loop.isOver() {
                if self.isMuted.load(ordering: .sequentiallyConsistent) { continue }
                self.demand -= 1
                self.next += 1
                self.demand += subscriber.receive(self.next - 1)
            }
            guard self.next == self.loop.count, let subscriber else { return }
            self.subscriber = nil
            subscriber.receive(completion: .finished)
        }

        func cancel() {
            switch self.loop.cancellation {
            case .isOnlyMuted:
                self.isMuted.store(true, ordering: .sequentiallyConsistent)
                self.queue.async { self.subscriber = nil }
            case .waits:
                while self.isSending.load(ordering: .sequentiallyConsistent), !self.loop.isOver() { sched_yield() }
                self.queue.async { self.subscriber = nil }
            }
        }
    }
}
#endif
