// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombine
import AsyncBridgeFutures
import AsyncBridgeTesting
import OpenCombineShim
import Testing

@Suite("TaskPublisher", .timeLimit(.minutes(10)))
struct TaskPublisherTests {
    private typealias Subscriber = HandSubscriber<Int, any Error>

    private let runs = Count()

    @Test
    func `cold: one run for each subscriber, and none without`() async {
        let publisher = TaskPublisher { [runs] in runs.add() }
        #expect(self.runs.value == 0)
        let subscribers = (0..<3).map { _ in HandSubscriber<Int, Never>() }
        for subscriber in subscribers {
            publisher.subscribe(subscriber)
            subscriber.request(.max(1))
        }
        for subscriber in subscribers {
            await until { subscriber.hasFinished }
            #expect(subscriber.violations.isEmpty)
        }
        #expect(subscribers.flatMap(\.values).sorted() == [1, 2, 3])
        #expect(self.runs.value == 3)
    }

    @Test
    func `it starts when it is subscribed to, and its value is held until it is asked for`() async {
        let subscriber = Subscriber()
        TaskPublisher { [runs] in runs.add() }.subscribe(subscriber)
        await until { self.runs.value == 1 }
        for _ in 0..<20 { await Task.yield() }
        #expect(subscriber.values.isEmpty && !subscriber.isOver)
        subscriber.request(.max(1))
        await until { subscriber.hasFinished }
        #expect(subscriber.values == [1])
        subscriber.request(.max(1))
        subscriber.cancel()
        #expect(subscriber.violations.isEmpty)
    }

    @Test
    @MainActor
    func `the subscriber hears of the result on the actor of the closure`() async {
        let seen = Collected<String>()
        // Each closure of `sink` belongs to the main actor, and ends the process elsewhere.
        var subscriptions: Set<AnyCancellable> = []
        func observe(_ name: String, _ publisher: some Publisher<Int, any Error>) {
            publisher.map { value in
                MainActor.assertIsolated()
                return value
            }
            .sink { completion in
                if case .failure = completion { seen.append("\(name) fails") }
            } receiveValue: { value in
                seen.append("\(name) \(value)")
            }
            .store(in: &subscriptions)
        }
        observe("task", TaskPublisher { () async throws -> Int in 1 })
        observe(
            "waiting task",
            TaskPublisher { () async throws -> Int in
                await Task.yield()
                return 2
            }
        )
        observe("failing task", TaskPublisher { () async throws -> Int in throw Failure(3) })
        observe("future", Future { () async throws -> Int in 4 })
        observe("failing future", Future { () async throws -> Int in throw Failure(5) })
        await until { seen.all.count == 5 }
        #expect(
            seen.all.sorted() == ["failing future fails", "failing task fails", "future 4", "task 1", "waiting task 2"]
        )
    }

    @Test
    func `an error needs no demand, and has its type`() async {
        let subscriber = Subscriber()
        TaskPublisher { () async throws -> Int in throw Failure(3) }.subscribe(subscriber)
        await until { subscriber.isOver }
        #expect(subscriber.failure as? Failure == Failure(3))

        let typed = HandSubscriber<Int, Failure>()
        TaskPublisher(throwing: Failure.self) { () async throws(Failure) -> Int in throw Failure(4) }.subscribe(typed)
        await until { typed.isOver }
        #expect(typed.failure == Failure(4) && typed.values.isEmpty)
    }

    @Test(arguments: [true, false])
    func `cancelling cancels the task, and nothing is sent after that`(_ hasDemand: Bool) async {
        let (hasBegun, hasEnded) = (Flag(), Flag())
        let gate = CoPromise<Void>()
        let subscriber = Subscriber()
        TaskPublisher { () async throws -> Int in
            await withTaskCancellationHandler {
                hasBegun.set()
                _ = try? await gate.value
            } onCancel: {
                hasEnded.set()
            }
            return 1
        }.subscribe(subscriber)
        if hasDemand { subscriber.request(.max(1)) }
        await until { hasBegun.value }
        subscriber.cancel()
        // The handler runs in the call of cancel().
        #expect(hasEnded.value)
        for _ in 0..<20 { await Task.yield() }
        subscriber.request(.max(1))
        #expect(subscriber.values.isEmpty && !subscriber.isOver && subscriber.violations.isEmpty)
    }

    @Test
    func `cancelled while it receives the subscription, the function is not run`() async {
        let subscriber = Subscriber(onSubscription: { subscriber in
            subscriber.request(.max(1))
            subscriber.cancel()
        })
        TaskPublisher { [runs] in runs.add() }.subscribe(subscriber)
        for _ in 0..<50 { await Task.yield() }
        #expect(self.runs.value == 0 && !subscriber.isOver)
    }

    @Test
    func `cancelled while its value is held, the value is released`() async throws {
        let tracker = LifetimeTracker()
        let subscriber = HandSubscriber<LifetimeTracker.Token, Never>()
        let made = Flag()
        TaskPublisher {
            defer { made.set() }
            return tracker.token()
        }.subscribe(subscriber)
        await until { made.value }
        subscriber.cancel()
        try await tracker.allReleased()
        #expect(subscriber.values.isEmpty)
    }

    @Test
    func `cancelled inside the value, no completion comes`() async {
        let subscriber = HandSubscriber<Int, Never>(onValue: { subscriber, _ in
            subscriber.cancel()
            return .max(1)
        })
        TaskPublisher { 1 }.subscribe(subscriber)
        subscriber.request(.unlimited)
        await until { !subscriber.values.isEmpty }
        for _ in 0..<20 { await Task.yield() }
        #expect(subscriber.values == [1] && !subscriber.isOver)
    }

    private actor Desk {
        private var calls = 0

        func publisher() -> TaskPublisher<Int, Never> {
            // Uses the actor's state without `await`: the closure keeps its isolation.
            TaskPublisher {
                self.calls += 1
                return self.calls
            }
        }
    }

    @Test
    func `the function keeps the isolation of its closure`() async throws {
        let desk = Desk()
        let publisher = await desk.publisher()
        #expect(try await publisher.firstValue() == 1)
        #expect(try await publisher.firstValue() == 2)
    }

    @MainActor
    @Test
    func `and that is the main actor, there`() async throws {
        let publisher = TaskPublisher {
            MainActor.assertIsolated()
            return 1
        }
        #expect(try await publisher.singleValue() == 1)
    }

    @TaskLocal private static var mark = 0

    @Test
    func `the function has the task-locals and the priority of the code that subscribes`() async {
        let publisher = TaskPublisher { (Self.mark, Task.basePriority) }
        let subscriber = HandSubscriber<(Int, TaskPriority?), Never>()
        await Task(priority: .high) {
            Self.$mark.withValue(5) { publisher.subscribe(subscriber) }
        }.value
        subscriber.request(.max(1))
        await until { subscriber.hasFinished }
        #expect(subscriber.values.first?.0 == 5)
        #expect(subscriber.values.first?.1 == .high)

        let low = HandSubscriber<TaskPriority?, Never>()
        TaskPublisher(priority: .low) { Task.basePriority }.subscribe(low)
        low.request(.max(1))
        await until { low.hasFinished }
        #expect(low.values == [.low])
    }

    @Test
    func `it works with Combine's operators`() async throws {
        let publisher = TaskPublisher { [runs] in runs.add() }
            .map { $0 * 10 }
            .flatMap { value in TaskPublisher { value + 1 } }
        #expect(try await publisher.singleValue() == 11)
    }
}

@Suite("Future with an async closure", .timeLimit(.minutes(10)))
struct FutureOfTaskTests {
    @Test
    func `one run, at once, for all subscribers`() async {
        let runs = Count()
        let future = Future { runs.add() }
        await until { runs.value == 1 }
        let subscribers = (0..<3).map { _ in HandSubscriber<Int, Never>() }
        for subscriber in subscribers {
            future.subscribe(subscriber)
            subscriber.request(.max(1))
            await until { subscriber.hasFinished }
            #expect(subscriber.values == [1] && subscriber.violations.isEmpty)
        }
        #expect(runs.value == 1)
    }

    @Test
    func errors() async {
        let future = Future { () async throws -> Int in throw Failure(2) }
        let subscriber = HandSubscriber<Int, any Error>()
        future.subscribe(subscriber)
        subscriber.request(.max(1))
        await until { subscriber.isOver }
        #expect(subscriber.failure as? Failure == Failure(2))
    }

    @Test
    func `cancelling a subscription does not cancel the function`() async {
        let gate = CoPromise<Void>()
        let hasBegun = Flag()
        let future = Future { () async -> Bool in
            hasBegun.set()
            _ = try? await gate.value
            return Task.isCancelled
        }
        let (first, second) = (HandSubscriber<Bool, Never>(), HandSubscriber<Bool, Never>())
        for subscriber in [first, second] {
            future.subscribe(subscriber)
            subscriber.request(.max(1))
        }
        await until { hasBegun.value }
        first.cancel()
        gate.success(())
        await until { second.hasFinished }
        #expect(second.values == [false])
        #expect(first.values.isEmpty && !first.isOver)
    }

    @MainActor
    @Test
    func `the function keeps the isolation of its closure`() async throws {
        let future = Future {
            MainActor.assertIsolated()
            return 1
        }
        #expect(try await future.singleValue() == 1)
    }
}
#endif
