// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeTesting
import OpenCombineShim
import Testing

/// Publishers that are not `Sendable`: subjects, and most operators.
@Suite("elements(buffering:subscribing: .immediately) of a publisher that is not Sendable", .timeLimit(.minutes(10)))
struct HotElementsTests {
    private static func requireSendable(_ value: some Sendable) {}

    @Test
    func `a task may loop over it`() async {
        let presses = PassthroughSubject<Int, Never>()
        let pressed = presses.elements(buffering: .unbounded, subscribing: .immediately)
        Self.requireSendable(pressed)
        presses.send(1)
        let task = Task {
            var heard: [Int] = []
            for await button in pressed { heard.append(button) }
            return heard
        }
        presses.send(2)
        presses.send(completion: .finished)
        #expect(await task.value == [1, 2])
    }

    @Test
    func `it may be shared`() async throws {
        let presses = PassthroughSubject<Int, any Error>()
        let shared = presses.map { $0 * 10 }.elements(buffering: .unbounded, subscribing: .immediately).share()
        let (first, second) = (shared.makeAsyncIterator(), shared.makeAsyncIterator())
        for value in 1...2 { presses.send(value) }
        presses.send(completion: .failure(Failure(3)))
        for consumer in [first, second] {
            var iterator = consumer
            #expect(try await iterator.next() == 10)
            #expect(try await iterator.next() == 20)
            await #expect(throws: Failure(3)) { _ = try await iterator.next() }
        }
    }

    @Test
    func `forEach takes it`() async throws {
        let presses = CurrentValueSubject<Int, any Error>(1)
        let (heard, isOver) = (Collected<Int>(), Flag())
        let elements = presses.elements(buffering: .unbounded, subscribing: .immediately)
        let call = elements.forEach { element in
            heard.append(element)
        } onCompletion: { _ in
            isOver.set()
        }
        presses.send(2)
        presses.send(completion: .finished)
        await until { isOver.value }
        #expect(heard.all == [1, 2])
        _ = call
    }

    @Test
    func `the time may be chosen when the program runs`() async {
        for time in [SubscriptionTime.atFirstNext, .immediately] {
            let publisher = HandPublisher<Int, Never>()
            let elements = publisher.elements(buffering: .bounded(capacity: 2), subscribing: time)
            #expect(publisher.subscriptions.count == (time == .immediately ? 1 : 0))
            withExtendedLifetime(elements) {}
        }
    }

    @Test
    func `it counts what was not asked for, as the other form does`() async {
        CollectedReports.begin()
        let publisher = HandPublisher<Int, Never>()
        var iterator = publisher.elements(buffering: .bounded(capacity: 1), subscribing: .immediately)
            .makeAsyncIterator()
        for value in 1...3 { publisher.send(value) }
        #expect(await iterator.next() == 1)
        #expect(iterator.unrequestedCount == 2)
    }
}
#endif
