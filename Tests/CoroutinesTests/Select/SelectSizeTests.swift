// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

/// ThreadSanitizer's detector of deadlocks counts up to 64 locks that a thread holds, and ends the process beyond.
#if THREAD_SANITIZER
private let tooManyLocksForTheSanitizer = true
#else
private let tooManyLocksForTheSanitizer = false
#endif

/// In processes of their own, which a stack that is too small would end.
@Suite(
    "select over many branches, on a small stack",
    .timeLimit(.minutes(10)),
    .disabled(if: tooManyLocksForTheSanitizer)
)
struct SelectSizeTests {
    static let count = 10_000

    /// Selects in a coroutine with a stack of 64 KiB.
    static func select(
        on scheduler: ManualScheduler,
        _ branches: @escaping @Sendable () -> [SelectBranch<Int>]
    ) -> Collected<Int> {
        let selected = Collected<Int>()
        scheduler.startCoroutine(stackSize: StackSize(kibibytes: 64)) {
            selected.append(try Coroutines.select(branches()))
        }
        return selected
    }

    @Test func `when an element is there`() async {
        await #expect(processExitsWith: .success) {
            let scheduler = ManualScheduler()
            let channels = (0..<Self.count).map { _ in CoChannel<Int>(buffering: .unbounded) }
            channels[7].offer(1)
            let selected = Self.select(on: scheduler) { channels.map { .receive(from: $0) { $0 } } }
            scheduler.run()
            #expect(selected.all == [1])
        }
    }

    @Test func `when it waits`() async {
        await #expect(processExitsWith: .success) {
            let scheduler = ManualScheduler()
            let channels = (0..<Self.count).map { _ in CoChannel<Int>(buffering: .rendezvous) }
            let selected = Self.select(on: scheduler) { channels.map { .receive(from: $0) { $0 } } }
            scheduler.run()
            #expect(channels.count { $0.hasReceivers } == Self.count)
            #expect(channels[Self.count / 2].offer(1))
            scheduler.run()
            #expect(selected.all == [1])
            #expect(channels.count { $0.hasReceivers } == 0)
        }
    }

    /// Each future keeps those who wait in a place of its own.
    @Test func `when it waits for futures`() async {
        await #expect(processExitsWith: .success) {
            let scheduler = ManualScheduler()
            let promises = (0..<Self.count).map { _ in CoPromise<Int>() }
            let selected = Self.select(on: scheduler) { promises.map { .value(of: $0) { $0 } } }
            scheduler.run()
            promises[Self.count / 2].success(1)
            scheduler.run()
            #expect(selected.all == [1])
        }
    }
}
