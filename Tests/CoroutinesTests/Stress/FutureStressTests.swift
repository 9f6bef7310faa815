// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Dispatch
import Synchronization
import Testing

/// Futures that many threads complete, cancel, observe, make others from, wait for, and let go of, at once.
@Suite("Stress: futures", .timeLimit(.minutes(30)))
struct FutureStressTests {
    /// What a future has come to, by those who have heard of it.
    private struct Heard {
        var calls = 0
        var values: Set<Int> = []
        var cancellations = 0

        mutating func hear(_ result: Result<Int, any Error>) {
            self.calls += 1
            switch result {
            case .success(let value): self.values.insert(value)
            case .failure: self.cancellations += 1
            }
        }
    }

    @Test("completed, cancelled and observed at random from four threads")
    func fromManyThreads() async {
        let subjects = (0..<StressScale.rounds(10_000)).map { _ in Subject() }
        DispatchQueue.concurrentPerform(iterations: 4) { party in
            var random = SplitMix(seed: UInt64(party))
            for subject in subjects {
                for _ in 0..<3 { subject.act(party, &random) }
            }
        }
        for subject in subjects { subject.finish() }
    }

    private final class Subject: Sendable {
        let promise = CoPromise<Int>()
        private let heard = Mutex(Heard())
        private let observers = Atomic(0)
        private let completions = Atomic(0)

        func act(_ party: Int, _ random: inout SplitMix) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: if self.promise.success(party) { self.completions.add(1, ordering: .relaxed) }
            case 1: self.promise.cancel()
            case 2: self.promise.map { $0 }.cancel()
            case 3: self.promise.map { $0 }.abandon()
            case 4: self.observe(self.promise.map { $0 })
            case 5: self.observe(self.promise.flatMap { CoFuture(result: .success($0)) })
            case 6: self.observe(self.promise.future)
            default: self.observe(self.promise)
            }
        }

        private func observe(_ future: CoFuture<Int>) {
            self.observers.add(1, ordering: .relaxed)
            future.whenComplete { [self] result in self.heard.withLock { $0.hear(result) } }
        }

        func finish() {
            if self.promise.success(99) { self.completions.add(1, ordering: .relaxed) }
            let heard = self.heard.withLock { $0 }
            #expect(heard.calls == self.observers.load(ordering: .relaxed))
            #expect(self.completions.load(ordering: .relaxed) == (self.promise.isCanceled ? 0 : 1))
            #expect(heard.values.count <= 1)
            #expect(heard.values.isEmpty || heard.cancellations == 0)
        }
    }

    @Test("waited for in tasks and coroutines that are cancelled at random")
    func waiters() async throws {
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

    @Test("started and joined, many at once")
    func coroutineFutures() async throws {
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
