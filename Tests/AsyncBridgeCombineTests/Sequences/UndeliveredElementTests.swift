// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeFutures
import AsyncBridgeTesting
import OpenCombineShim
import Testing

/// A subscriber cancels when an element has left the sequence and has not come to it: the element goes back.
@Suite("publisher() of a sequence: elements that nobody gets", .timeLimit(.minutes(10)))
struct UndeliveredElementTests {
    private let undelivered = Collected<Int>()

    /// Sends two elements, and cancels when the first one is on its way to the actor.
    private func cancelOnTheWay<Elements: AsyncSequence & Sendable>(
        _ elements: Elements,
        _ send: (Int) -> Void
    ) async where Elements.Element == Int {
        let actor = ManualActor()
        let subscriber = HandSubscriber<Int, Elements.Failure>()
        elements.publisher(on: actor).subscribe(subscriber)
        subscriber.request(.unlimited)
        for element in 1...2 { send(element) }
        await until { actor.executor.count == 1 }
        subscriber.cancel()
        // What runs there ends the task.
        actor.executor.run()
        #expect(subscriber.values.isEmpty && !subscriber.isOver)
    }

    @Test func `of a CallbackSequence: to its onUndelivered, before those that never left it`() async {
        let undelivered = self.undelivered
        let (sequence, sink) = CallbackSequence<Int, Never>.makeSequence(onUndelivered: { undelivered.append($0) })
        await self.cancelOnTheWay(sequence) { sink.yield($0) }
        await until { undelivered.all.count == 2 }
        #expect(undelivered.all == [1, 2])
    }

    @Test func `of a channel, and of its receiver: to its onUndelivered, and the channel keeps the rest`() async {
        let undelivered = self.undelivered
        let channel = CoChannel<Int>(onUndelivered: { undelivered.append($0) })
        await self.cancelOnTheWay(channel) { #expect(channel.offer($0)) }
        await until { undelivered.all == [1] }
        #expect(channel.poll() == 2)
        await self.cancelOnTheWay(channel.receiver) { #expect(channel.offer($0)) }
        await until { undelivered.all == [1, 1] }
        #expect(channel.poll() == 2)
    }

    @Test func `of a publisher's elements: to their onUndelivered`() async {
        let (undelivered, subject) = (self.undelivered, PassthroughSubject<Int, Never>())
        let elements = subject.elements(
            buffering: .unbounded,
            subscribing: .immediately,
            onUndelivered: { undelivered.append($0) }
        )
        await self.cancelOnTheWay(elements) { subject.send($0) }
        await until { undelivered.all.count == 2 }
        #expect(undelivered.all == [1, 2])
    }

    @Test func `a sequence without such a place is asked for one element, which is released`() async {
        let sequence = HandSequence(ignoresCancellation: true)
        await self.cancelOnTheWay(sequence) { sequence.take(.value($0)) }
        #expect(sequence.asked == 1 && sequence.given == 1)
    }

    @Test func `an element that is not Sendable, which the channel gave to the waiting task`() {
        final class Resource {
            let number: Int
            init(_ number: Int) { self.number = number }
        }
        let (undelivered, executor) = (self.undelivered, ManualExecutor())
        let channel = CoChannel<Resource>(onUndelivered: { undelivered.append($0.number) })
        let received = Collected<Int>()
        let subscription = channel.publisher(executor: executor)
            .sink { _ in
            } receiveValue: {
                received.append($0.number)
            }
        executor.run()
        let isTaken = channel.offer(Resource(1))
        #expect(isTaken)
        subscription.cancel()
        executor.run()
        #expect(undelivered.all == [1])
        #expect(received.all.isEmpty)
    }
}
#endif
