// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Dispatch
import Synchronization
import Testing

/// Futures that many tasks and coroutines wait for.
@Suite("Stress: futures", .timeLimit(.minutes(30)))
struct FutureStressTests {
    @Test
    func `waited for in tasks and coroutines that are cancelled at random`() async throws {
        let random = SplitMixBox(seed: 7)
        for _ in 0..<StressScale.rounds(200) {
            let promise = CoPromise<Int>()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<16 {
                    let (kind, isCancelled) = random.next {
                        (Int.random(in: 0..<3, using: &$0), Bool.random(using: &$0))
                    }
                    group.addTask {
                        let waiting = Self.wait(for: promise, kind)
                        if isCancelled { waiting.cancel() }
                        let value = try? await waiting.value
                        #expect(value == 1 || (value == nil && isCancelled), "\(number)")
                    }
                }
                group.addTask { promise.success(1) }
                await group.waitForAll()
            }
        }
    }

    private static func wait(for future: CoFuture<Int>, _ kind: Int) -> CoFuture<Int> {
        switch kind {
        case 0: CoFuture { try await future.value }
        case 1: CoFuture { try await withCoroutine { try future.await() } }
        default: DispatchQueue.global().coroutineFuture { try future.await() }
        }
    }

    @Test
    func `started and joined, many at once`() async throws {
        let count = StressScale.alive(StressScale.rounds(10_000))
        let scheduler = SerialScheduler()
        let gate = CoPromise<Int>()
        let futures = (0..<count).map { number in
            DispatchQueue.global().coroutineFuture { try gate.await() + number }
        }
        let sum = scheduler.coroutineFuture { try futures.reduce(0) { try $0 + $1.await() } }
        gate.success(1)
        #expect(try await sum.value == count * (count + 1) / 2)
    }
}

/// Random numbers for several tasks.
private final class SplitMixBox: Sendable {
    private let random: Mutex<SplitMix>

    init(seed: UInt64) { self.random = Mutex(SplitMix(seed: seed)) }

    func next<Value: Sendable>(_ body: (inout SplitMix) -> Value) -> Value { self.random.withLock { body(&$0) } }
}
