// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Coroutines
import Foundation
import Synchronization
import Testing

/// Work that computes on every thread of Dispatch's global queues, and so of Swift's pool, until it is told to stop.
private final class BusyDispatch: Sendable {
    private let running = Atomic(0)
    private let isTold = Atomic(false)
    private let hasGivenUp = Atomic(false)

    /// Starts it, and returns when each core has some.
    init() {
        let count = ProcessInfo.processInfo.activeProcessorCount
        for quality in [DispatchQoS.QoSClass.default, .userInitiated] {
            for _ in 0..<count * 4 { DispatchQueue.global(qos: quality).async { self.compute() } }
        }
        while self.running.load(ordering: .relaxed) < count * 2 { sched_yield() }
    }

    private func compute() {
        self.running.add(1, ordering: .relaxed)
        // Not for ever: a test that fails must end as well.
        let end = ContinuousClock.now + .seconds(10)
        while !self.isTold.load(ordering: .relaxed) {
            if ContinuousClock.now < end { continue }
            self.hasGivenUp.store(true, ordering: .relaxed)
            return
        }
    }

    /// Tells it to stop.
    ///
    /// - Returns: Whether it was still computing.
    func stop() -> Bool {
        let isBusy = !self.hasGivenUp.load(ordering: .relaxed)
        self.isTold.store(true, ordering: .relaxed)
        return isBusy
    }
}

@Suite("A cancelled operation, while Dispatch is busy", .timeLimit(.minutes(10)))
struct BusyDispatchTests {
    @Test func `ends before its turn all the same`() async {
        await #expect(processExitsWith: .success) {
            let operations = OperationQueue()
            operations.isSuspended = true
            let executor = SchedulerTaskExecutor(DispatchQueue(label: "executor"))
            let wasBusy = await Task(executorPreference: executor) {
                let operation = BlockOperation {}
                let busy = BusyDispatch()
                let waiting = Task(executorPreference: executor) { try await operations.run(operation) }
                while operations.operationCount == 0 { await Task.yield() }
                waiting.cancel()
                _ = await waiting.result
                return busy.stop()
            }.value
            precondition(wasBusy)
        }
    }
}
