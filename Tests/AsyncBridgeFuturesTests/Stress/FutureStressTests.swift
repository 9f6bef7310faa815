// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Dispatch
import Synchronization
import Testing

/// Futures that many threads complete, cancel, observe, derive others from, and release, at once.
@Suite("Stress: futures on threads", .timeLimit(.minutes(30)))
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

    @Test
    func `completed, cancelled and observed at random from four threads`() async {
        let subjects = (0..<StressScale.rounds(10_000)).map { _ in Subject() }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = SplitMix(seed: UInt64(thread))
            for subject in subjects {
                for _ in 0..<3 { subject.act(thread, &random) }
            }
        }
        for subject in subjects { subject.finish() }
    }

    private final class Subject: Sendable {
        let promise = CoPromise<Int>()
        private let heard = Mutex(Heard())
        private let observers = Atomic(0)
        private let completions = Atomic(0)

        func act(_ thread: Int, _ random: inout SplitMix) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: if self.promise.success(thread) { self.completions.add(1, ordering: .relaxed) }
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
            #expect(self.completions.load(ordering: .relaxed) == (self.promise.isCancelled ? 0 : 1))
            #expect(heard.values.count <= 1)
            #expect(heard.values.isEmpty || heard.cancellations == 0)
        }
    }
}
