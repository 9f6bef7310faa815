// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeTesting
import OpenCombineShim
import Testing

@Suite("publisher() of a sequence: isolation", .timeLimit(.minutes(10)))
struct SequencePublisherIsolationTests {
    private typealias Subscriber = HandSubscriber<Int, any Error>

    private let executor = ManualExecutor()

    // MARK: Named

    @Test
    func `it runs on the executor that is named`() {
        let executor = self.executor
        let places = Collected<Bool>()
        let sequence = HandSequence(onNext: { places.append(executor.isCurrent) })
        for value in 1...3 { sequence.take(.value(value)) }
        let subscriber = Subscriber(onValue: { _, _ in
            places.append(executor.isCurrent)
            return .none
        })
        defer { subscriber.end(self.executor) }
        sequence.publisher(executor: executor).subscribe(subscriber)
        subscriber.request(.max(3))
        executor.run()
        #expect(subscriber.values == [1, 2, 3])
        #expect(places.all == Array(repeating: true, count: 6))
    }

    @Test
    func `it sends on the actor that is named, after each wait too`() async {
        let desk = ManualActor()
        let places = Collected<Bool>()
        let sequence = HandSequence()
        let subscriber = Subscriber(onValue: { _, _ in
            places.append(desk.executor.isCurrent)
            return .none
        })
        defer { subscriber.end(self.executor) }
        sequence.publisher(on: desk).subscribe(subscriber)
        subscriber.request(.unlimited)
        for value in 1...3 {
            sequence.take(.value(value))
            await desk.run { subscriber.values.count == value }
        }
        sequence.take(.finish)
        await desk.run { subscriber.isOver }
        #expect(places.all == [true, true, true])
        #expect(subscriber.violations.isEmpty)
    }

    @MainActor
    @Test
    func `on the main actor it may use what is isolated to it`() async {
        let subscriber = HandSubscriber<Int, Never>(onValue: { _, _ in
            MainActor.assumeIsolated { .none }
        })
        defer { subscriber.end(self.executor) }
        SequencePublisherTests.OneByOne(count: 3).publisher(on: MainActor.shared).subscribe(subscriber)
        subscriber.request(.unlimited)
        await until { subscriber.isOver }
        #expect(subscriber.values == [2, 1, 0])
    }

    @TaskLocal private static var mark = 0

    @Test
    func `the task has the task-locals of the code that asks first`() {
        let marks = Collected<Int>()
        let sequence = HandSequence(onNext: { marks.append(Self.mark) })
        let subscriber = Subscriber()
        defer { subscriber.end(self.executor) }
        sequence.take(.value(1))
        sequence.publisher(executor: self.executor).subscribe(subscriber)
        Self.$mark.withValue(7) { subscriber.request(.max(1)) }
        self.executor.run()
        #expect(marks.all == [7])
    }

    @MainActor
    @Test
    func `an executor, or nil, named in main-actor code is not the main actor`() async {
        let places = Collected<Bool>()
        let sequence = HandSequence()
        let executor = self.executor
        let publishers = [sequence.publisher(executor: executor), sequence.publisher(on: nil, executor: executor)]
        for (number, publisher) in publishers.enumerated() {
            let subscriber = Subscriber(onValue: { _, _ in
                places.append(executor.isCurrent)
                return .none
            })
            publisher.subscribe(subscriber)
            sequence.take(.value(number))
            subscriber.request(.max(1))
            executor.run()
            subscriber.end(executor)
        }
        #expect(places.all == [true, true])
        let isOver = Flag()
        let subscriber = HandSubscriber<Int, Never>(onValue: { _, _ in
            isOver.set()
            return .none
        })
        AsyncStream { 1 }.toPublisher(on: nil).subscribe(subscriber)
        subscriber.request(.max(1))
        await until { isOver.value }
        subscriber.cancel()
    }

    // MARK: The caller's

    private typealias Form = @Sendable (AsyncStream<Int>, isolated Desk) -> AnyPublisher<Int, Never>

    /// Stores its own subscriptions, as screens and models do.
    private actor Desk {
        private(set) var heard: [Int] = []
        private var subscriptions: Set<AnyCancellable> = []

        func listen(to stream: AsyncStream<Int>, _ form: Form, _ seen: Collected<Int>) {
            form(stream, self).sink { [weak self] value in
                self?.preconditionIsolated()
                seen.append(value)
            }
            .store(in: &self.subscriptions)
        }

        /// The closure is isolated to the actor, and keeps it.
        func take(from stream: AsyncStream<Int>, _ form: Form) {
            form(stream, self).sink { self.heard.append($0) }.store(in: &self.subscriptions)
        }

        func stop() { self.subscriptions = [] }
    }

    private static let forms: [Form] = [
        { stream, desk in stream.publisher(on: desk).eraseToAnyPublisher() },
        { stream, _ in stream.publisher().eraseToAnyPublisher() },
        { stream, _ in stream.toPublisher() },
        { stream, desk in stream.toPublisher(on: desk) },
        { stream, desk in stream.publisher(on: desk, executor: nil).map { $0 }.eraseToAnyPublisher() },
    ]

    @Test(arguments: forms.indices)
    func `elements arrive on the actor of the code that makes the publisher`(_ form: Int) async {
        let desk = Desk()
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        await desk.take(from: stream, Self.forms[form])
        for value in 1...3 {
            continuation.yield(value)
            while await desk.heard.count < value, !Task.isCancelled { await Task.yield() }
        }
        #expect(await desk.heard == [1, 2, 3])
        await desk.stop()
    }

    // MARK: An actor's end

    @Test(arguments: forms.indices, 0...2)
    func `an actor that stores its own subscription is released`(_ form: Int, _ elements: Int) async {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let (seen, isTerminated) = (Collected<Int>(), Flag())
        continuation.onTermination = { _ in isTerminated.set() }
        weak var weakDesk: Desk?
        do {
            let desk = Desk()
            weakDesk = desk
            await desk.listen(to: stream, Self.forms[form], seen)
            for value in 0..<elements { continuation.yield(value) }
            await until { seen.all.count == elements }
        }
        await until { weakDesk == nil }
        // A task that has not begun by then does not iterate.
        if elements > 0 { await until { isTerminated.value } }
        #expect(seen.all == Array(0..<elements))
    }

    @Test
    func `and without demand, and before its task has begun`() async {
        for requested in [Subscribers.Demand.none, .max(1)] {
            weak var weakDesk: ManualActor?
            let sequence = HandSequence()
            let subscriber = Subscriber()
            do {
                let desk = ManualActor()
                weakDesk = desk
                sequence.publisher(on: desk, executor: self.executor).subscribe(subscriber)
                subscriber.request(requested)
            }
            #expect(weakDesk == nil)
            subscriber.end(self.executor)
        }
    }

    @Test
    func `after the end of its actor, a subscription that others hold goes on`() async {
        let sequence = HandSequence()
        let subscriber = Subscriber()
        do {
            let desk = ManualActor()
            sequence.publisher(on: desk).subscribe(subscriber)
            subscriber.request(.unlimited)
            sequence.take(.value(1))
            await desk.run { subscriber.values == [1] }
        }
        sequence.take(.value(2))
        await until { subscriber.values == [1, 2] }
        sequence.take(.finish)
        await until { subscriber.isOver }
        #expect(subscriber.hasFinished && subscriber.violations.isEmpty)
        subscriber.forget()
    }

    // MARK: Elements that are not Sendable

    private final class Note {
        let text: Int

        init(_ text: Int) { self.text = text }
    }

    @Test
    func `elements that are not Sendable stay on the actor`() async {
        let desk = ManualActor()
        let (texts, isOver) = (Collected<Int>(), Flag())
        let notes = CallbackSequence<Note, Never> { sink in
            for text in 1...3 { sink.yield(Note(text)) }
            sink.finish()
            return {}
        }
        let subscription = notes.publisher(on: desk).sink { _ in
            isOver.set()
        } receiveValue: { note in
            if desk.executor.isCurrent { texts.append(note.text) }
        }
        await desk.run { isOver.value }
        #expect(texts.all == [1, 2, 3])
        subscription.cancel()
    }
}
#endif
