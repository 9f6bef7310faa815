// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Dispatch
import Foundation
import Synchronization
import Testing

/// A future that `flatMap` made takes itself out of its chain when only its observer can reach it.
///
/// What other threads do with the last references at that moment must not be lost.
@Suite("Stress: futures that leave their chain", .timeLimit(.minutes(30)))
struct ChainRemovalStressTests {
    /// A promise, the future that its value leads to another promise, and the future that observes that one.
    private final class Chain: @unchecked Sendable {
        let first = CoPromise<Int>()
        let second = CoPromise<Int>()
        private let leads = Atomic(false)
        // Safe, both: used by the thread that acts on this chain, then by the test.
        var middle: CoFuture<Int>?
        var last: CoFuture<Int>?

        init() {
            let second = self.second
            let middle = self.first.flatMap { [unowned self] _ in
                self.leads.store(true, ordering: .relaxed)
                return second as CoFuture<Int>
            }
            self.middle = middle
            self.last = middle.map { $0 + 1 }
        }

        /// Whether the promise was cancelled that the chain had led to when its end was cancelled: the first one before
        /// its value came, the second after it, and none in between.
        var isCancelled: Bool {
            self.leads.load(ordering: .relaxed) ? self.second.isCancelled : !self.second.isCancelled
        }
    }

    /// Completes the first promise of each chain while another thread acts on the chain.
    private static func race(_ chains: [Chain], _ act: @escaping @Sendable (Chain) -> Void) {
        let positions = [Position(), Position()]
        let pass: @Sendable (Int) -> Void = { thread in
            var random = SplitMix(seed: UInt64(chains.count + thread))
            for (index, chain) in chains.enumerated() {
                positions[thread].value.store(index, ordering: .releasing)
                while positions[1 - thread].value.load(ordering: .acquiring) < index { sched_yield() }
                // From side by side to one after the other.
                for _ in 0..<Int.random(in: 0..<40, using: &random) {
                    _ = positions[1 - thread].value.load(ordering: .relaxed)
                }
                if thread == 0 { chain.first.success(1) } else { act(chain) }
            }
        }
        // A thread of its own: a queue may run one pass after the other, and each waits for the other.
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            pass(1)
            isDone.signal()
        }
        pass(0)
        isDone.wait()
    }

    private final class Position: Sendable {
        let value = Atomic(-1)
    }

    private static func chains() -> [Chain] { (0..<StressScale.rounds(5_000)).map { _ in Chain() } }

    @Test func `an observer is added and the reference released`() {
        for _ in 0..<10 {
            let chains = Self.chains()
            let called = Atomic(0)
            let probes = LifetimeTracker()
            Self.race(chains) { chain in
                let probe = probes.token()
                chain.middle?.whenComplete { _ in
                    called.add(1, ordering: .relaxed)
                    withExtendedLifetime(probe) {}
                }
                chain.middle = nil
            }
            for chain in chains { chain.second.success(5) }
            #expect(called.load(ordering: .relaxed) == chains.count)
            #expect(chains.allSatisfy { (try? $0.last?.result?.get()) == 6 })
            #expect(probes.alive == 0)
        }
    }

    @Test func `it is abandoned and its observer is not kept`() {
        for _ in 0..<10 {
            let chains = Self.chains()
            let called = Atomic(0)
            for chain in chains {
                chain.last?.whenComplete { (_: Result<Int, any Error>) in called.add(1, ordering: .relaxed) }
                chain.last = nil
            }
            Self.race(chains) { chain in
                chain.middle?.abandon()
                chain.middle = nil
            }
            for chain in chains { chain.second.success(5) }
            #expect(called.load(ordering: .relaxed) == chains.count)
        }
    }

    /// Whichever of them it then observes is cancelled with it.
    @Test func `its observer is cancelled`() {
        for _ in 0..<10 {
            let chains = Self.chains()
            for chain in chains { chain.middle = nil }
            Self.race(chains) { chain in
                chain.last?.cancel()
                chain.last = nil
            }
            #expect(chains.allSatisfy { $0.isCancelled })
        }
    }

    /// The same with an observer besides, which hears of the cancellation.
    @Test func `one of two observers is cancelled`() {
        for _ in 0..<10 {
            let chains = Self.chains()
            let called = Atomic(0)
            for chain in chains {
                chain.middle?.whenFailure { _ in called.add(1, ordering: .relaxed) }
                chain.middle?.whenFailure { _ in called.add(1, ordering: .relaxed) }
                chain.middle = nil
            }
            Self.race(chains) { $0.last?.cancel() }
            #expect(called.load(ordering: .relaxed) == 2 * chains.count)
            #expect(chains.allSatisfy { $0.isCancelled })
        }
    }
}
