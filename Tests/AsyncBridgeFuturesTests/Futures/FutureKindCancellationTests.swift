// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

/// The table of `FutureCancellation`, row by row.
@Suite("What cancelling and abandoning a future does", .timeLimit(.minutes(10)))
struct FutureKindCancellationTests {
    @Test func promise() {
        let (cancelled, abandoned) = (CoPromise<Int>(), CoPromise<Int>())
        cancelled.cancel()
        #expect(cancelled.isCancelled)
        abandoned.abandon()
        #expect(abandoned.isCancelled)
    }

    static let chains: [@Sendable (CoFuture<Int>) -> CoFuture<Int>] = [
        { $0.map { $0 + 1 } },
        { $0.mapResult { $0 } },
        { $0.flatMap { CoFuture(result: .success($0)) } },
    ]

    @Test(arguments: chains.indices)
    func `the future that it observes is cancelled with it, and not abandoned`(_ index: Int) {
        let (first, second) = (CoPromise<Int>(), CoPromise<Int>())
        let (cancelled, abandoned) = (Self.chains[index](first), Self.chains[index](second))
        cancelled.cancel()
        #expect(cancelled.isCancelled && first.isCancelled)
        abandoned.abandon()
        #expect(abandoned.isCancelled && second.result == nil)
    }

    @Test
    func `once it follows the inner future, that one is cancelled`() {
        let inner = CoPromise<Int>()
        let future = CoFuture(result: .success(1)).flatMap { _ in inner }
        future.cancel()
        #expect(future.isCancelled && inner.isCancelled)
    }

    @Test
    func `the parts are cancelled before the observers hear of it`() {
        // The last one is a future of the whole: its observers hear of it first, as those of each chain do.
        let ways: [(order: String, combine: ([CoFuture<Int>]) -> CoFuture<Int>)] = [
            ("after the parts", { CoFuture.any($0) }),
            ("after the parts", { CoFuture.race($0) }),
            ("before the parts", { CoFuture.all($0).map { $0[0] } }),
        ]
        for (order, combine) in ways {
            let parts = [CoPromise<Int>(), CoPromise<Int>()]
            let whole = combine(parts)
            let log = EventLog()
            whole.whenComplete {
                log.record(parts.allSatisfy { $0.isCancelled } ? "after the parts" : "before the parts")
            }
            whole.cancel()
            #expect(whole.isCancelled && parts.allSatisfy { $0.isCancelled })
            #expect(log.events == [order])

            let kept = [CoPromise<Int>(), CoPromise<Int>()]
            let abandoned = combine(kept)
            abandoned.abandon()
            #expect(abandoned.isCancelled && kept.allSatisfy { $0.result == nil })
        }
    }

    @Test(arguments: [WaitPolicy.ignore, .abandon, .propagate])
    func `a task's future, as its policy says`(_ policy: WaitPolicy) async throws {
        let hold = CoPromise<Int>()
        let task = Task { try await hold.value }
        let future = CoFuture.result(of: task, cancellation: policy)
        future.cancel()
        #expect(future.isCancelled == (policy != .ignore))
        #expect(task.isCancelled == (policy == .propagate))
        hold.success(7)
        if policy == .ignore {
            #expect(try await future.value == 7)
            return
        }
        _ = await task.result
        #expect(future.isCancelled)
    }

    @Test(arguments: [WaitPolicy.ignore, .propagate])
    func `one that is abandoned is over, and its task goes on`(_ policy: WaitPolicy) async throws {
        let hold = CoPromise<Int>()
        let task = Task { try await hold.value }
        let future = CoFuture.result(of: task, cancellation: policy)
        future.abandon()
        #expect(future.isCancelled && !task.isCancelled)
        hold.success(7)
        #expect(try await task.value == 7)
    }

    @Test(arguments: [false, true])
    func `a receive's wait is cancelled either way; an element that came first stays`(abandons: Bool) throws {
        let channel = CoChannel<Int>(buffering: .bounded(capacity: 1))
        let end: (CoFuture<Int>) -> Void = { abandons ? $0.abandon() : $0.cancel() }
        let waiting = channel.receiveFuture()
        end(waiting)
        #expect(waiting.isCancelled)
        #expect(channel.offer(1))
        #expect(channel.count == 1)

        let given = channel.receiveFuture()
        end(given)
        #expect(try given.result?.get() == 1)
    }
}
