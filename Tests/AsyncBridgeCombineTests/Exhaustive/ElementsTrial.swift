// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeTesting
import OpenCombineShim
import Synchronization
import Testing

import AsyncBridgeCombine

/// One order of the events around `elements(buffering:)`, played on one thread, and what must be true after each.
final class ElementsTrial {
    /// What happens, in the order of its participant.
    enum Step: Equatable, CustomStringConvertible {
        case publisher(StepPublisher.Event)
        /// The consumer asks for the next element, when it has the one before.
        case next
        /// The consumer leaves its loop, when it has the element before.
        case leave
        /// Somebody cancels the consumer's task.
        case cancel

        var description: String {
            switch self {
            case .publisher(let event): "\(event)"
            case .next: "next"
            case .leave: "leave"
            case .cancel: "cancel"
            }
        }
    }

    struct Plan: CustomTestStringConvertible, Sendable {
        let buffer: BufferingPolicy
        let time: SubscriptionTime
        let obeys: Bool
        let end: StepPublisher.Event

        var testDescription: String { "\(self.buffer), \(self.time), obeys: \(self.obeys), \(self.end)" }
    }

    /// What the consumer has seen, in its order.
    enum Seen: Equatable {
        case value(Int)
        case end
        case failure
        case cancellation
    }

    private let plan: Plan
    private let order: [Step]
    private let executor = ManualExecutor()
    private let publisher: StepPublisher
    private let undelivered = Collected<Int>()
    private let consumer = Consumer()
    private let task: Task<Void, Never>
    private(set) var violations: [String] = []

    init(_ plan: Plan, _ order: [Step]) {
        self.plan = plan
        self.order = order
        self.publisher = StepPublisher(obeys: plan.obeys)
        let elements = self.publisher.elements(buffering: plan.buffer, subscribing: plan.time) { [undelivered] in
            undelivered.append($0)
        }
        self.task = Task(executorPreference: self.executor) { [consumer] in await consumer.run(elements) }
        self.executor.run()
    }

    func play() {
        for step in self.order {
            switch step {
            case .publisher(let event): self.publisher.take(event)
            case .next, .leave: self.consumer.commands.yield(step)
            case .cancel: self.task.cancel()
            }
            self.executor.run()
            self.check("after \(step)")
        }
        self.consumer.commands.finish()
        self.executor.run()
        self.checkEnd()
    }

    private func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
        if !condition { self.violations.append("\(what()): \(self.order), \(self.plan.testDescription)") }
    }

    private func check(_ place: String) {
        let (calls, values) = (self.consumer.calls.all.count, self.consumer.values)
        if self.plan.buffer != .unbounded {
            let limit = self.plan.buffer.high
            // The element in the consumer's hands counts until the consumer asks for the next one.
            let allowed = limit + max(0, calls - 1)
            let requested = self.publisher.requested
            self.expect(requested <= .max(allowed), "\(requested) requested, \(allowed) allowed, \(place)")
        }
        self.expect(values == Array(self.publisher.sent.prefix(values.count)), "\(values) consumed, \(place)")
        self.expect(self.publisher.cancels <= 1, "\(self.publisher.cancels) cancellations, \(place)")
        if self.consumer.hasLeft.value { self.expect(!self.publisher.isActive, "still subscribed, \(place)") }
    }

    private func checkEnd() {
        let (publisher, seen) = (self.publisher, self.consumer.seen.all)
        let isSubscribed = self.plan.time == .immediately || self.consumer.hasAskedInTime.value
        self.expect(publisher.subscribers == (isSubscribed ? 1 : 0), "\(publisher.subscribers) subscribers")
        self.expect(publisher.cancels == (isSubscribed && !publisher.hasCompleted ? 1 : 0), "not ended once")
        let (values, undelivered) = (self.consumer.values, self.undelivered.all)
        self.expect(values + undelivered == publisher.sent, "\(values) consumed, \(undelivered) not delivered")
        // What a consumer sees that nobody disturbs.
        let last: Seen = self.plan.end == .fail ? .failure : .end
        let whole: [Seen] = [.value(1), .value(2), last] + Array(repeating: .end, count: 4)
        let disturbed = seen.firstIndex(of: .cancellation) ?? seen.endIndex
        self.expect(seen[..<disturbed] == whole[..<disturbed], "\(seen) seen")
        self.expect(seen[disturbed...].dropFirst().allSatisfy { $0 == .end }, "\(seen) seen after the cancellation")
        if self.order.contains(.cancel) {
            let isOver = disturbed < seen.endIndex || seen.contains(.end) || seen.contains(.failure)
            self.expect(isOver || self.consumer.hasBroken.value, "the cancellation was not noticed")
        } else {
            let calls = self.order.prefix { $0 != .leave }.count { $0 == .next }
            self.expect(seen.count == calls, "\(seen) seen by \(calls) calls")
        }
    }
}

extension ElementsTrial {
    /// Calls `next()` when it is told to, and records what it gets.
    final class Consumer: Sendable {
        let commands: AsyncStream<Step>.Continuation
        let seen = Collected<Seen>()
        let calls = Collected<Void>()
        /// Whether the first call came in a task that was not cancelled.
        let hasAskedInTime = Flag()
        let hasLeft = Flag()
        /// Whether it has left its loop by itself.
        let hasBroken = Flag()
        private let stream: AsyncStream<Step>

        init() { (self.stream, self.commands) = AsyncStream<Step>.makeStream() }

        var values: [Int] {
            self.seen.all.compactMap { if case .value(let value) = $0 { value } else { nil } }
        }

        nonisolated(nonsending) func run(_ elements: PublisherSequence<StepPublisher>) async {
            await self.iterate(elements)
            self.hasLeft.set()
        }

        private nonisolated(nonsending) func iterate(_ elements: PublisherSequence<StepPublisher>) async {
            var iterator = elements.makeAsyncIterator()
            for await command in self.stream {
                if command == .leave { return self.hasBroken.set() }
                await self.call(&iterator)
            }
            // Whatever went on when it was cancelled, the next call says so, and the one after it is quiet.
            guard Task.isCancelled else { return }
            await self.call(&iterator)
            await self.call(&iterator)
        }

        private nonisolated(nonsending) func call(
            _ iterator: inout PublisherSequence<StepPublisher>.AsyncIterator
        ) async {
            self.calls.append(())
            if self.calls.all.count == 1, !Task.isCancelled { self.hasAskedInTime.set() }
            do {
                guard let value = try await iterator.next() else { return self.seen.append(.end) }
                self.seen.append(.value(value))
            } catch {
                self.seen.append(error is CancellationError ? .cancellation : .failure)
            }
        }
    }
}
#endif
