// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeTesting
import OpenCombineShim
import Testing

@Suite("publisher() of a sequence: cancellation", .timeLimit(.minutes(10)))
struct SequencePublisherEndTests {
    private typealias Subscriber = HandSubscriber<Int, any Error>

    private let executor = ManualExecutor()

    // MARK: Cancellation

    @Test
    func `before the first demand: the sequence is never iterated, not even when it is asked for more`() {
        let sequence = HandSequence()
        let subscriber = Subscriber()
        defer { subscriber.end(self.executor) }
        sequence.publisher(executor: self.executor).subscribe(subscriber)
        subscriber.cancel()
        subscriber.request(.unlimited)
        self.executor.run()
        #expect(sequence.iterations == 0)
        #expect(!subscriber.isOver && subscriber.violations.isEmpty)
    }

    @Test
    func `while the subscription is received`() {
        let sequence = HandSequence()
        let subscriber = Subscriber(onSubscription: { subscriber in
            subscriber.request(.unlimited)
            subscriber.cancel()
        })
        defer { subscriber.end(self.executor) }
        sequence.publisher(executor: self.executor).subscribe(subscriber)
        self.executor.run()
        #expect(sequence.iterations == 0 && !subscriber.isOver)
    }

    @Test
    func `a subscription that is dropped without demand ends the task, and releases the subscriber`() {
        for requested in 0...2 {
            let sequence = HandSequence()
            for value in 1...2 { sequence.take(.value(value)) }
            weak var weakSubscriber: Subscriber?
            do {
                let subscriber = Subscriber()
                weakSubscriber = subscriber
                sequence.publisher(executor: self.executor).subscribe(subscriber)
                if requested > 0 { subscriber.request(.max(requested)) }
                self.executor.run()
                #expect(subscriber.values == Array([1, 2].prefix(requested)))
                subscriber.forget()
            }
            self.executor.run()
            #expect(weakSubscriber == nil)
            #expect(sequence.asked == requested)
        }
    }

    @Test
    func `a subscription that is dropped with demand: what was asked for is sent, and then no more`() {
        let sequence = HandSequence()
        weak var weakSubscriber: Subscriber?
        let values = Collected<Int>()
        do {
            let subscriber = Subscriber(onValue: { _, value in
                values.append(value)
                return value == 1 ? .max(1) : .none
            })
            weakSubscriber = subscriber
            sequence.publisher(executor: self.executor).subscribe(subscriber)
            subscriber.request(.max(2))
            self.executor.run()
            subscriber.forget()
        }
        for value in 1...5 {
            sequence.take(.value(value))
            self.executor.run()
        }
        #expect(values.all == [1, 2, 3])
        #expect(weakSubscriber == nil)
        #expect(sequence.asked == 3)
    }

    @Test
    func `a subscription that is dropped while it is received: what was asked for by then is sent`() {
        for requested in 0...2 {
            let sequence = HandSequence()
            for value in 1...2 { sequence.take(.value(value)) }
            let subscriber = Subscriber(onSubscription: { subscriber in
                subscriber.request(.max(requested))
                subscriber.forget()
            })
            sequence.publisher(executor: self.executor).subscribe(subscriber)
            self.executor.run()
            #expect(subscriber.values == Array([1, 2].prefix(requested)))
            #expect(sequence.asked == requested && !subscriber.isOver)
        }
    }

    @Test
    func `after the demand, before the task has run: the sequence is not iterated`() {
        let sequence = HandSequence()
        let subscriber = Subscriber()
        defer { subscriber.end(self.executor) }
        sequence.publisher(executor: self.executor).subscribe(subscriber)
        subscriber.request(.unlimited)
        subscriber.cancel()
        self.executor.run()
        #expect(sequence.iterations == 0 && !subscriber.isOver)
    }

    @Test(arguments: [true, false])
    func `inside an element: nothing is sent after it, and the sequence is not asked again`(_ ignores: Bool) {
        let sequence = HandSequence(ignoresCancellation: ignores)
        for value in 1...4 { sequence.take(.value(value)) }
        let subscriber = Subscriber(onValue: { subscriber, value in
            if value == 2 { subscriber.cancel() }
            return .max(1)
        })
        defer { subscriber.end(self.executor) }
        sequence.publisher(executor: self.executor).subscribe(subscriber)
        subscriber.request(.unlimited)
        self.executor.run()
        #expect(subscriber.values == [1, 2] && !subscriber.isOver)
        // An element taken for nobody would be lost to the others that share the sequence.
        #expect(sequence.asked == 2)
    }

    @Test
    func `while the sequence is asked: its wait is cancelled, and its error not reported`() {
        let sequence = HandSequence()
        let subscriber = Subscriber()
        defer { subscriber.end(self.executor) }
        sequence.publisher(executor: self.executor).subscribe(subscriber)
        subscriber.request(.unlimited)
        self.executor.run()
        #expect(sequence.asked == 1)
        subscriber.cancel()
        self.executor.run()
        sequence.take(.value(1))
        self.executor.run()
        #expect(sequence.given == 0)
        #expect(subscriber.values.isEmpty && !subscriber.isOver)
    }

    @Test
    func `while there is no demand: the task ends, and the iterator goes`() {
        let sequence = HandSequence()
        let subscriber = Subscriber()
        defer { subscriber.end(self.executor) }
        sequence.take(.value(1))
        sequence.publisher(executor: self.executor).subscribe(subscriber)
        subscriber.request(.max(1))
        self.executor.run()
        subscriber.cancel()
        #expect(self.executor.run() > 0)
        subscriber.request(.max(1))
        #expect(self.executor.run() == 0)
        #expect(sequence.asked == 1 && subscriber.values == [1] && !subscriber.isOver)
    }

    @Test
    func `a sequence that ignores the cancellation keeps the task, not the subscriber`() {
        let sequence = HandSequence(ignoresCancellation: true)
        weak var released: Subscriber?
        do {
            let subscriber = Subscriber()
            defer { subscriber.end(self.executor) }
            released = subscriber
            sequence.publisher(executor: self.executor).subscribe(subscriber)
            subscriber.request(.unlimited)
            self.executor.run()
            #expect(sequence.asked == 1)
            subscriber.cancel()
            subscriber.forget()
        }
        #expect(released == nil)
        sequence.take(.value(1))
        self.executor.run()
        #expect(sequence.asked == 1 && sequence.given == 1)
    }

    @Test
    func `from another thread, at any moment: nothing comes after it has returned but what was being sent`() async {
        for round in 0..<StressScale.rounds(200) {
            let subscriber = HandSubscriber<Int, Never>()
            defer { subscriber.end(self.executor) }
            SequencePublisherTests.OneByOne(count: .max).publisher().subscribe(subscriber)
            subscriber.request(.unlimited)
            await until { subscriber.values.count >= round % 5 }
            subscriber.cancel()
            let before = subscriber.values.count
            for _ in 0..<5 { await Task.yield() }
            #expect(subscriber.values.count <= before + 1)
            #expect(!subscriber.isOver && subscriber.violations.isEmpty)
        }
    }
}
#endif
