// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

@Suite("Semaphores under load", .serialized, .timeLimit(.minutes(60)))
struct SemaphoreStressTests {
    /// Tasks and coroutines come and go, and some are cancelled: no more than allowed are in, and all permits come
    /// back.
    @Test(arguments: [1, 3])
    func `with random cancellations`(permits: Int) async {
        let semaphore = CoSemaphore(permits: permits)
        let inside = Locked((now: 0, most: 0, ever: 0))
        @Sendable func enter() {
            inside.withLock { inside in
                inside.now += 1
                inside.ever += 1
                inside.most = max(inside.most, inside.now)
            }
        }
        @Sendable func leave() { inside.withLock { $0.now -= 1 } }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    var random = SplitMix(seed: UInt64(worker))
                    for _ in 0..<StressScale.rounds(400) {
                        let (cancels, patience) = (random.next() % 2 == 0, random.next() % 8)
                        if worker.isMultiple(of: 2) {
                            let task = Task {
                                try await semaphore.withPermit {
                                    enter()
                                    await Task.yield()
                                    leave()
                                }
                            }
                            for _ in 0..<patience { await Task.yield() }
                            if cancels { task.cancel() }
                            _ = await task.result
                        } else {
                            let coroutine = DispatchQueue.global().startCoroutine {
                                try semaphore.awaitPermit {
                                    enter()
                                    defer { leave() }
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
        let (now, most, ever) = inside.withLock { ($0.now, $0.most, $0.ever) }
        #expect(now == 0)
        #expect(most <= permits)
        #expect(ever > 0)
    }

    /// Those that wait are given so little time that permits come as it ends.
    @Test func `with timeouts that race with permits`() async {
        let semaphore = CoSemaphore(permits: 1)
        let inside = Locked((now: 0, most: 0, ever: 0))
        @Sendable func enter() {
            inside.withLock { inside in
                inside.now += 1
                inside.ever += 1
                inside.most = max(inside.most, inside.now)
            }
        }
        @Sendable func leave() { inside.withLock { $0.now -= 1 } }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    var random = SplitMix(seed: UInt64(worker))
                    for _ in 0..<StressScale.rounds(400) {
                        let time = Duration.microseconds(Int64(random.next() % 40))
                        if worker.isMultiple(of: 2) {
                            try? await semaphore.withPermit(timeout: time) {
                                enter()
                                await Task.yield()
                                leave()
                            }
                        } else {
                            let coroutine = DispatchQueue.global().startCoroutine {
                                try? semaphore.awaitPermit(timeout: time) {
                                    enter()
                                    defer { leave() }
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
        let (now, most, ever) = inside.withLock { ($0.now, $0.most, $0.ever) }
        #expect(now == 0)
        #expect(most == 1)
        #expect(ever > 0)
    }
}
