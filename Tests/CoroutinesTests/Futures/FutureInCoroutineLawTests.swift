// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// Coroutines that wait for a future, each seen as a bridge from an old API to async code.
@Suite("Futures in coroutines obey the laws", .timeLimit(.minutes(10)))
struct FutureInCoroutineLawTests {
    @Test func `a future in a coroutine of a task`() async {
        let promises = OneShotPromises.standard.with { $0.startsWhenCancelled = true }
        let violations = await OneShotLaws.check("CoFuture.await", promises: promises) { source in
            try await withCoroutine { try CoFuture.answer(of: source).await(cancellation: .propagate) }
        }
        expectNone(violations)
    }

    /// On a scheduler that begins at once: on another, whether the work begins in a cancelled task would be chance.
    @Test func `a future in a coroutine on a scheduler`() async {
        let promises = OneShotPromises.standard.with {
            $0.startsOnCaller = false
            $0.startsWhenCancelled = true
        }
        let violations = await OneShotLaws.check("coroutineFuture", promises: promises) { source in
            try await ImmediateScheduler().coroutineFuture {
                try CoFuture.answer(of: source).await(cancellation: .propagate)
            }.value(cancellation: .propagate)
        }
        expectNone(violations)
    }
}
