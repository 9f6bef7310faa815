// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Coroutines
import Dispatch
import Testing

/// An element that a `receiveFuture` was to get is never lost, however the wait for that future ends.
@Suite("A wait for a future of the next element of a channel", .timeLimit(.minutes(10)))
struct ReceiveFutureWaitTests {
    typealias World = UndeliveredWorld

    /// The list of observers still holds the one that has stopped waiting.
    @Test func `that is dropped after a wait`() async {
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
                task = Task { receive(try await future().value(cancellation: .propagate)) }
            case .taskThatSelects:
                task = Task { receive(try await select(.value(of: future()) { $0 })) }
            case .coroutine:
                return Self.start(on: scheduler) { receive(try future().await()) }
            case .coroutineThatPropagates:
                return Self.start(on: scheduler) { receive(try future().await(cancellation: .propagate)) }
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
            return ({ handle.cancel() }, { await handle.finished() })
        }
    }

    @Test(arguments: Waiting.allCases)
    func `cancelled in a race with the element`(waiting: Waiting) async {
        for number in 0..<StressScale.rounds(2000) {
            let world = World(.bounded(capacity: 1))
            let received = Collected<Int>()
            let scheduler = SerialScheduler(on: DispatchQueue.global())
            let wait = waiting.start(world.channel, scheduler) { received.append($0) }
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 0 { wait.cancel() } else { world.channel.offer(number) }
            }
            await wait.end()
            let places = [world.channel.poll()].compactMap { $0 } + world.undelivered.all + received.all
            guard places == [number] else {
                Issue.record("\(number): \(places)")
                return
            }
        }
    }
}
