// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

/// Counts who has a permit.
private final class Visitors: Sendable {
    private let state = Locked((now: 0, most: 0, ever: 0))

    func enter() {
        self.state.withLock { state in
            state.now += 1
            state.ever += 1
            state.most = max(state.most, state.now)
        }
    }

    func leave() { self.state.withLock { $0.now -= 1 } }

    var counts: (now: Int, most: Int, ever: Int) { self.state.withLock { $0 } }
}

@Suite("Semaphores under load", .serialized, .timeLimit(.minutes(60)))
struct SemaphoreStressTests {
    /// Tasks and coroutines come and go, and some are cancelled: no more than allowed are in, and all permits come
    /// back.
    @Test(arguments: [1, 3])
    func `with random cancellations`(permits: Int) async {
        let semaphore = CoSemaphore(permits: permits)
        let inside = Visitors()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    var random = SplitMix(seed: UInt64(worker))
                    for _ in 0..<StressScale.rounds(400) {
                        let (cancels, patience) = (random.next() % 2 == 0, random.next() % 8)
                        if worker.isMultiple(of: 2) {
                            let task = Task {
                                try await semaphore.withPermit {
                                    inside.enter()
                                    await Task.yield()
                                    inside.leave()
                                }
                            }
                            for _ in 0..<patience { await Task.yield() }
                            if cancels { task.cancel() }
                            _ = await task.result
                        } else {
                            let coroutine = DispatchQueue.global().startCoroutine {
                                try semaphore.awaitPermit {
                                    inside.enter()
                                    defer { inside.leave() }
                                    try Coroutine.yield()
                                }
                            }
                            for _ in 0..<patience { await Task.yield() }
                            if cancels { coroutine.cancel() }
                            await coroutine.ended()
                        }
                    }
                }
            }
        }
        #expect(semaphore.availablePermits == permits)
        let (now, most, ever) = inside.counts
        #expect(now == 0)
        #expect(most <= permits)
        #expect(ever > 0)
    }

    /// Those that wait are given so little time that permits come as it ends.
    @Test func `with timeouts that race with permits`() async {
        let semaphore = CoSemaphore(permits: 1)
        let inside = Visitors()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    var random = SplitMix(seed: UInt64(worker))
                    for _ in 0..<StressScale.rounds(400) {
                        let time = Duration.microseconds(Int64(random.next() % 40))
                        if worker.isMultiple(of: 2) {
                            try? await semaphore.withPermit(timeout: time) {
                                inside.enter()
                                await Task.yield()
                                inside.leave()
                            }
                        } else {
                            let coroutine = DispatchQueue.global().startCoroutine {
                                try? semaphore.awaitPermit(timeout: time) {
                                    inside.enter()
                                    defer { inside.leave() }
                                    try Coroutine.yield()
                                }
                            }
                            await coroutine.ended()
                        }
                    }
                }
            }
        }
        #expect(semaphore.availablePermits == 1)
        let (now, most, ever) = inside.counts
        #expect(now == 0)
        #expect(most == 1)
        #expect(ever > 0)
    }
}
