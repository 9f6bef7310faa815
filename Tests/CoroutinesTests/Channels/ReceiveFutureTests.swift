// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Synchronization
import Testing

@testable import AsyncBridgeFutures
@testable import Coroutines

/// An element that a `receiveFuture` was to get is never lost: the future has it, or the channel, or `onUndelivered`.
@Suite("A future of the next element of a channel", .timeLimit(.minutes(10)))
struct ReceiveFutureTests {
    typealias World = UndeliveredTests.World

    /// The ways to give up a future, and those made from it.
    enum GivingUp: CaseIterable {
        case cancel
        case abandon
        case cancelMapped

        func apply(to future: CoFuture<Int>, _ mapped: CoFuture<Int>) {
            switch self {
            case .cancel: future.cancel()
            case .abandon: future.abandon()
            case .cancelMapped: mapped.cancel()
            }
        }
    }

    /// What a sender does under the channel's lock; it wakes the receiver later.
    private static func claim(_ world: World, _ element: Int) throws -> ParkerReference {
        let sent = world.channel.storage.machine.withLock { $0.send(Disconnected(unchecked: element), orEnlist: nil) }
        guard case .wake(let receiver) = sent else { throw Failure() }
        return receiver
    }

    @Test(arguments: GivingUp.allCases)
    func givenUpBeforeTheElement(way: GivingUp) {
        let world = World()
        let future = world.channel.receiveFuture()
        way.apply(to: future, future.map { $0 })
        #expect(future.isCanceled)
        #expect(!world.channel.offer(1), "its place in the queue is free")
        #expect(world.undelivered.all == [])
    }

    @Test(arguments: GivingUp.allCases)
    func givenUpAfterTheElement(way: GivingUp) throws {
        let world = World()
        let future = world.channel.receiveFuture()
        let mapped = future.map { $0 }
        world.channel.offer(1)
        way.apply(to: future, mapped)
        #expect(try future.result?.get() == 1)
        #expect(try mapped.result?.get() == 1)
    }

    /// The element has left the channel, and the future has not got it yet.
    @Test(arguments: GivingUp.allCases)
    func givenUpMeanwhile(way: GivingUp) throws {
        let world = World()
        let future = world.channel.receiveFuture()
        let sender = try Self.claim(world, 1)
        way.apply(to: future, future.map { $0 })
        sender.wake()
        #expect(try future.result?.get() == 1)
        #expect(world.undelivered.all == [])
    }

    /// Of a chain in which the first future is nobody's, the element comes to nobody.
    @Test func mappedAndGivenUpMeanwhile() throws {
        let world = World()
        let mapped = world.channel.receiveFuture().map { $0 }
        let sender = try Self.claim(world, 1)
        mapped.cancel()
        sender.wake()
        #expect(mapped.isCanceled)
        #expect(world.undelivered.all == [1])
    }

    /// Futures that are made from others.
    enum Whole: CaseIterable {
        case promise
        case flatMapped
        case all
        case settled
        case any
        case race

        /// A future that waits for the part, and the part's result and nothing else is missing.
        func make(of part: CoFuture<Int>) -> AnyCoFuture {
            switch self {
            case .promise:
                let promise = CoPromise<Int>()
                promise.complete(with: part)
                return promise
            case .flatMapped: return CoFuture<Int>(result: .success(0)).flatMap { _ in part }
            case .all: return CoFuture.all([CoFuture(result: .success(0)), part])
            case .settled: return CoFuture.settled([CoFuture(result: .failure(BadNews())), part])
            case .any: return CoFuture.any([CoFuture(result: .failure(BadNews())), part])
            case .race: return CoFuture.race([part])
            }
        }
    }

    @Test(arguments: Whole.allCases)
    func partOfAnotherThatIsCancelledMeanwhile(whole: Whole) throws {
        let world = World()
        let future = whole.make(of: world.channel.receiveFuture())
        let sender = try Self.claim(world, 1)
        future.cancel()
        sender.wake()
        #expect(future.isCanceled)
        #expect(world.undelivered.all == [1])
    }

    @Test(arguments: Whole.allCases)
    func partOfAnotherThatGetsIt(whole: Whole) {
        let world = World()
        let future = whole.make(of: world.channel.receiveFuture())
        world.channel.offer(1)
        #expect(future.hasValue)
        #expect(world.undelivered.all == [])
    }

    @Test func thatNobodyHasRead() {
        let world = World()
        for number in 1...3 {
            let future = world.channel.receiveFuture()
            world.channel.offer(number)
            #expect(future.isSettled)
            if number == 2 { #expect(future.result != nil) }
        }
        #expect(world.undelivered.all == [1, 3])
    }

    @Test func aFutureOfAMappedReceiver() throws {
        let world = World()
        let future = world.channel.map { $0 * 10 }.receiveFuture()
        let sender = try Self.claim(world, 1)
        future.cancel()
        sender.wake()
        #expect(try future.result?.get() == 10)
        let dropped = world.channel.map { $0 * 10 }
        _ = dropped.receiveFuture()
        world.channel.offer(2)
        #expect(world.undelivered.all == [2])
    }

    @Test func thatIsDropped() {
        let world = World()
        _ = world.channel.receiveFuture()
        world.channel.offer(1)
        #expect(world.undelivered.all == [1])
    }

    /// The list of observers still holds the one that has stopped waiting.
    @Test func thatIsDroppedAfterAWait() async {
        let world = World()
        let task = Task { [future = world.channel.receiveFuture()] in
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            _ = try await future.value
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let scheduler = ManualScheduler()
        let coroutine = scheduler.startCoroutine { [future = world.channel.receiveFuture()] in _ = try future.await() }
        scheduler.run()
        coroutine.cancel()
        scheduler.run()
        world.channel.offer(1)
        world.channel.offer(2)
        #expect(world.undelivered.all == [1, 2])
    }

    @Test func thatIsDroppedButObserved() {
        let world = World()
        let received = Collected<Int>()
        world.channel.receiveFuture().whenSuccess { received.append($0) }
        world.channel.receiveFuture().map { $0 * 10 }.whenSuccess { received.append($0) }
        world.channel.offer(1)
        world.channel.offer(2)
        #expect(received.all == [1, 20])
        #expect(world.undelivered.all == [])
    }

    @Test func leavesNothingBehind() async throws {
        let tracker = LifetimeTracker()
        do {
            let token = tracker.token("channel")
            let channel = CoChannel<Int>(capacity: 1, onUndelivered: { _ in withExtendedLifetime(token) {} })
            let futures = (0..<4).map { _ in channel.receiveFuture() }
            futures[0].cancel()
            futures[1].abandon()
            channel.offer(1)
            channel.close()
            #expect(futures.allSatisfy { $0.result != nil })
        }
        try await tracker.allReleased()
    }

    /// Those who wait for it, and can be cancelled.
    enum Waiting: CaseIterable {
        case task
        case taskThatPropagates
        case taskThatSelects
        case coroutine
        case coroutineThatPropagates
        case coroutineThatSelects

        /// Receives, and gives what it got to a closure.
        func start(
            _ channel: CoChannel<Int>,
            _ scheduler: SerialScheduler,
            _ receive: @escaping @Sendable (Int) -> Void
        ) -> (cancel: @Sendable () -> Void, end: @Sendable () async -> Void) {
            let future = { @Sendable in channel.receiveFuture() }
            let task: Task<Void, any Error>
            switch self {
            case .task:
                task = Task { receive(try await future().value) }
            case .taskThatPropagates:
                task = Task { receive(try await future().value(onCancel: .propagate)) }
            case .taskThatSelects:
                task = Task { receive(try await select(.value(of: future()) { $0 })) }
            case .coroutine:
                return Self.start(on: scheduler) { receive(try future().await()) }
            case .coroutineThatPropagates:
                return Self.start(on: scheduler) { receive(try future().await(onCancel: .propagate)) }
            case .coroutineThatSelects:
                return Self.start(on: scheduler) { receive(try select(.value(of: future()) { $0 })) }
            }
            return ({ task.cancel() }, { _ = await task.result })
        }

        private static func start(
            on scheduler: SerialScheduler,
            _ body: @escaping @Sendable () throws -> Void
        ) -> (cancel: @Sendable () -> Void, end: @Sendable () async -> Void) {
            let handle = scheduler.startCoroutine(task: body)
            return ({ handle.cancel() }, { try? await withCallback { done in handle.whenComplete { done.resume() } } })
        }
    }

    @Test(arguments: Waiting.allCases)
    func cancelledInARaceWithTheElement(waiting: Waiting) async {
        for number in 0..<StressScale.rounds(2000) {
            let world = World(.buffered(capacity: 1))
            let received = Collected<Int>()
            let scheduler = SerialScheduler(on: DispatchQueue.global())
            let wait = waiting.start(world.channel, scheduler) { received.append($0) }
            DispatchQueue.concurrentPerform(iterations: 2) { party in
                if party == 0 { wait.cancel() } else { world.channel.offer(number) }
            }
            await wait.end()
            let places = [world.channel.poll()].compactMap { $0 } + world.undelivered.all + received.all
            guard places == [number] else {
                Issue.record("\(number): \(places)")
                return
            }
        }
    }

    @Test(arguments: GivingUp.allCases.filter { $0 != .cancelMapped })
    func givenUpInARace(way: GivingUp) {
        for number in 0..<StressScale.rounds(20_000) {
            let world = World(.buffered(capacity: 1))
            let future = world.channel.receiveFuture()
            DispatchQueue.concurrentPerform(iterations: 2) { party in
                if party == 0 { way.apply(to: future, future) } else { world.channel.offer(number) }
            }
            let places = [try? future.result?.get(), world.channel.poll()].compactMap { $0 } + world.undelivered.all
            guard places == [number] else {
                Issue.record("\(number): \(places)")
                return
            }
        }
    }
}
