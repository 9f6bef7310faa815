// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeCombineTesting
import AsyncBridgeFutures
import AsyncBridgeTesting
import Dispatch
import OpenCombineShim
import Synchronization
import Testing

/// The rules of Reactive Streams, over all publishers and subscribers of the module.
@Suite("Ours obey the rules of Reactive Streams", .timeLimit(.minutes(30)))
struct VerificationTests {
    /// A right publisher never makes the suite wait for it.
    private static let patience = Duration.seconds(60)

    private static let sequence = PublisherPromises.standard.with {
        $0.patience = Self.patience
        $0.takesZeroDemand = true
    }

    /// Of one value, for each subscriber.
    private static let oneValue = Self.sequence.with {
        $0.counts = 1...1
        $0.finishesWithoutRequest = true
    }

    @Test func `a sequence's publisher`() async {
        let promises = Self.sequence.with { $0.recursionCount = StressScale.rounds(100_000) }
        let violations = await PublisherVerification("publisher()", promises: promises) { count in
            Numbers(count: count).publisher()
        }
        .failing { count, error in FailingNumbers(count: count, error: error).publisher() }
        // It does not suspend: in the pool, two of them would leave no thread to the suite, which cancels them.
        .endless { Numbers(count: .max).publisher(executor: QueueExecutor()) }
        .check()
        #expect(violations.isEmpty, "\(violations)")
    }

    /// A source that sends by itself, through a sequence.
    @Test func `a CallbackSequence s publisher`() async {
        let promises = Self.sequence.with { $0.subscribers = .one }
        let violations = await PublisherVerification.driven("CallbackSequence", promises: promises) { driver in
            let (sequence, sink) = CallbackSequence<Int, any Error>.makeSequence()
            driver.onEvent { event in
                switch event {
                case .element(let element): sink.yield(element)
                case .finished: sink.finish()
                case .failed(let error): sink.fail(error)
                @unknown default: break
                }
            }
            return sequence.publisher()
        }
        .check()
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func `a channel's publisher`() async {
        let promises = Self.sequence.with { $0.subscribers = .one }
        let violations = await PublisherVerification("CoChannel", promises: promises) { count in
            let channel = CoChannel<Int>()
            for number in 0..<count { channel.offer(number) }
            channel.close()
            return channel.publisher()
        }
        .check()
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func `an async functions publisher`() async {
        let violations = await PublisherVerification("TaskPublisher", promises: Self.oneValue) { _ in
            TaskPublisher { () async throws -> Int in 0 }
        }
        .check()
        #expect(violations.isEmpty, "\(violations)")
        let failing = Self.oneValue.with { $0.counts = 0...0 }
        let failures = await PublisherVerification("TaskPublisher, failing", promises: failing) { _ in
            Empty<Int, any Error>()
        }
        .failing { _, error in TaskPublisher<Int, any Error> { throw error } }
        .check()
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test func `a future's publisher`() async {
        let violations = await PublisherVerification("CoFuture", promises: Self.oneValue) { _ in
            CoFuture(result: .success(0)).publisher()
        }
        .check()
        #expect(violations.isEmpty, "\(violations)")
    }

    // MARK: Subscribers

    private static let subscriber = SubscriberPromises.standard.with { $0.patience = Self.patience }

    @Test func elements() async {
        for buffer in [BufferingPolicy.bounded(capacity: 1), .bounded(capacity: 16), .unbounded] {
            let verification = SubscriberVerification("elements(\(buffer))", promises: Self.subscriber) { publisher in
                let elements = publisher.elements(buffering: buffer, subscribing: .immediately)
                // Caught, because a task keeps its error as long as there is a handle.
                let task = Task {
                    do { for try await _ in elements {} } catch {}
                }
                return { task.cancel() }
            }
            let violations = await verification.check()
            #expect(violations.isEmpty, "\(violations)")
        }
    }

    @Test func `a future`() async {
        for value in [PublisherValue.first, .last, .single] {
            let promises = Self.subscriber.with { $0.requestsByItself = value == .last }
            let verification = SubscriberVerification("subscribeCoFuture(\(value))", promises: promises) { publisher in
                let future = publisher.subscribeCoFuture(value)
                // Weak, because a future keeps its error.
                return { [weak future] in future?.cancel() }
            }
            let violations = await verification.check()
            #expect(violations.isEmpty, "\(violations)")
        }
    }

    @Test func `a channel`() async {
        for buffer in [BufferingPolicy.unbounded, .newest(capacity: 1), .bounded(capacity: 4), .rendezvous] {
            let verification = SubscriberVerification("subscribeCoChannel(\(buffer))", promises: Self.subscriber) {
                let receiver = $0.subscribeCoChannel(buffering: buffer)
                Task {
                    do { for try await _ in receiver {} } catch {}
                }
                // Weak, because a channel keeps its error.
                return { [weak receiver] in receiver?.cancel() }
            }
            let violations = await verification.check()
            #expect(violations.isEmpty, "\(violations)")
        }
    }
}

/// Runs tasks on a thread of its own.
private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "VerificationTests")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The numbers from 0.
private struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Failure = Never

    private var next = 0
    private let count: Int

    init(count: Int) { self.count = count }

    func makeAsyncIterator() -> Numbers { self }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
        guard self.next < self.count else { return nil }
        defer { self.next += 1 }
        return self.next
    }
}

/// The same, and then an error.
private struct FailingNumbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Failure = SourceError

    private var numbers: Numbers
    private let error: SourceError

    init(count: Int, error: SourceError) {
        self.numbers = Numbers(count: count)
        self.error = error
    }

    func makeAsyncIterator() -> FailingNumbers { self }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(SourceError) -> Int? {
        guard let number = await self.numbers.next(isolation: actor) else { throw self.error }
        return number
    }
}
#endif
