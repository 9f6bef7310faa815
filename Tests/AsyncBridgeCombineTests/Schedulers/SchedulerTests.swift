// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombine
import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import OpenCombineShim
import Synchronization
import Testing

/// A scheduler whose actions a test runs by hand.
private final class HandScheduler: CoroutineScheduler, Sendable {
    private let tasks = Mutex<[@Sendable () -> Void]>([])

    var count: Int { self.tasks.withLock { $0.count } }

    func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.tasks.withLock { $0.append(task) } }

    func runOne() {
        let task = self.tasks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        task?()
    }
}

@Suite("Schedulers, both ways", .timeLimit(.minutes(10)))
struct SchedulerTests {
    private typealias Stride = PublisherScheduler<DispatchQueue>.SchedulerTimeType.Stride

    // MARK: Ours as Combine's

    @Test
    func `an action runs when the scheduler runs it`() {
        let scheduler = HandScheduler()
        let runs = Count()
        scheduler.forPublishers.schedule { runs.add() }
        #expect(runs.value == 0 && scheduler.count == 1)
        scheduler.runOne()
        #expect(runs.value == 1)
    }

    @Test
    func `receive(on:) delivers on it, in order`() async throws {
        let queue = DispatchQueue(label: "receive(on:)")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let elements = (1...100).publisher.receive(on: queue.forPublishers)
            .map { ($0, DispatchQueue.getSpecific(key: key) == true) }
            .elements(buffering: .bounded(capacity: 8))
        var count = 0
        for await (value, isThere) in elements {
            count += 1
            #expect(value == count && isThere)
        }
        #expect(count == 100)
    }

    @Test
    func `an action that is due later is handed over when it is due, not before`() async {
        let scheduler = HandScheduler()
        let publishers = scheduler.forPublishers
        let ran = Flag()
        let due = publishers.now.advanced(by: .milliseconds(5))
        publishers.schedule(after: due, tolerance: .zero, options: nil) { ran.set() }
        await until { scheduler.count == 1 }
        #expect(ContinuousClock.now >= due.instant)
        scheduler.runOne()
        #expect(ran.value)
    }

    @Test
    func `an action that is due again and again comes until it is cancelled, and not after`() async {
        let scheduler = HandScheduler()
        let publishers = scheduler.forPublishers
        let runs = Count()
        let repeating = publishers.schedule(
            after: publishers.now,
            interval: .microseconds(100),
            tolerance: .zero,
            options: nil
        ) { runs.add() }
        await until { scheduler.count >= 5 }
        for _ in 0..<3 { scheduler.runOne() }
        #expect(runs.value == 3)
        repeating.cancel()
        // What was handed over before does nothing, nor does what may still come.
        #expect(scheduler.count >= 2)
        for _ in 0..<50 {
            await Task.yield()
            scheduler.runOne()
        }
        #expect(runs.value == 3)
    }

    @Test
    func `delay and timeouts of Combine work on it`() async throws {
        let queue = DispatchQueue(label: "delay")
        let start = ContinuousClock.now
        let value = try await Just(1).delay(for: .milliseconds(3), scheduler: queue.forPublishers).firstValue()
        #expect(value == 1)
        #expect(ContinuousClock.now >= start.advanced(by: .milliseconds(3)))
    }

    @Test
    func `what is delayed keeps its order, and the end comes last`() async throws {
        for _ in 0..<20 {
            let scheduler = DispatchQueue(label: "delay").forPublishers
            let delayed = (0..<50).publisher.delay(for: 0.001, scheduler: scheduler)
            #expect(try await delayed.collect().firstValue() == Array(0..<50))
        }
    }

    @Test
    func `an action that is due earlier is handed over earlier, whenever it came`() async throws {
        let (order, scheduler) = (Collected<Int>(), HandScheduler())
        let publishers = scheduler.forPublishers
        let now = publishers.now
        for (index, milliseconds) in [900, 300, 300, 600].enumerated() {
            publishers.schedule(after: now.advanced(by: .milliseconds(milliseconds))) { order.append(index) }
        }
        await until { scheduler.count == 4 }
        while scheduler.count > 0 { scheduler.runOne() }
        #expect(order.all == [1, 2, 3, 0])
    }

    @Test
    func `the arithmetic of time`() {
        let scheduler = DispatchQueue.main.forPublishers
        let now = scheduler.now
        #expect(now.distance(to: now.advanced(by: .seconds(2))) == .seconds(2))
        #expect(now.advanced(by: .seconds(-1)) < now)
        #expect(Stride.milliseconds(1500) == .seconds(1.5))
        #expect(Stride.microseconds(2) == .nanoseconds(2000))
        #expect(Stride.seconds(2) + .seconds(1) == 3 && Stride.seconds(2) - .seconds(3) == -1)
        #expect(Stride.seconds(3) * 2 == 6)
        #expect((-Stride.seconds(3)).magnitude == 3)
        #expect(Stride(exactly: 4) == .seconds(4))
        #expect(Stride(exactly: UInt64.max) == nil)
        var product: Stride = 5
        product *= 2
        #expect(product == 10 && Stride.zero < product)
        #expect(scheduler.minimumTolerance == .zero)
    }

    // MARK: Combine's as ours

    @Test
    func `one of Combine's runs coroutines`() async throws {
        let queue = DispatchQueue(label: "coroutines")
        let future = queue.scheduler.forCoroutines.coroutineFuture {
            dispatchPrecondition(condition: .onQueue(queue))
            return 1
        }
        #expect(try await future.value == 1)
    }

    @Test
    func `the immediate one starts a coroutine in the call`() {
        let ran = Flag()
        ImmediateScheduler.shared.forCoroutines.startCoroutine { ran.set() }
        #expect(ran.value)
    }

    @Test
    func `there and back`() async throws {
        let queue = DispatchQueue(label: "there and back")
        let runs = Count()
        await withCheckedContinuation { continuation in
            queue.forPublishers.forCoroutines.scheduleTask {
                dispatchPrecondition(condition: .onQueue(queue))
                runs.add()
                continuation.resume()
            }
        }
        #expect(runs.value == 1)
    }
}
#endif
