// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

/// Futures, selections and channels, each seen as a bridge from an old API to async code.
@Suite("Futures, selections and channels obey the laws", .timeLimit(.minutes(10)))
struct FutureLawTests {
    @Test func `a future of a callback`() async {
        let promises = OneShotPromises.standard.with { $0.startsWhenCancelled = true }
        let violations = await OneShotLaws.check("CoFuture(promise:)", promises: promises) { source in
            try await CoFuture.answer(of: source).value(cancellation: .propagate)
        }
        expectNone(violations)
    }

    @Test func `a future that is abandoned`() async {
        let promises = OneShotPromises.standard.with {
            $0.startsWhenCancelled = true
            $0.cancelsSource = false
        }
        let violations = await OneShotLaws.check("CoFuture.value", promises: promises) { source in
            try await CoFuture.answer(of: source).value
        }
        expectNone(violations)
    }

    @Test func `a mapped future`() async {
        let promises = OneShotPromises.standard.with { $0.startsWhenCancelled = true }
        let violations = await OneShotLaws.check("CoFuture.map", promises: promises) { source in
            try await CoFuture.answer(of: source).map { $0 }.flatMap { CoFuture(result: .success($0)) }.value(
                cancellation: .propagate
            )
        }
        expectNone(violations)
    }

    @Test func `a future of a task`() async {
        let promises = OneShotPromises.standard.with {
            $0.startsOnCaller = false
            $0.startsWhenCancelled = true
        }
        let violations = await OneShotLaws.check("CoFuture(operation:)", promises: promises) { source in
            // A cancelled future is over before its task is: without the wait for that, what the task cancels would
            // come too late to be counted.
            let ended = CoPromise<Void>()
            let future = CoFuture {
                defer { ended.success(()) }
                return try await CoFuture.answer(of: source).value(cancellation: .propagate)
            }
            do {
                let value = try await future.value(cancellation: .propagate)
                try await ended.value(cancellation: .ignore)
                return value
            } catch {
                try await ended.value(cancellation: .ignore)
                throw error
            }
        }
        expectNone(violations)
    }

    @Test func `a selection`() async {
        let promises = OneShotPromises.standard.with {
            $0.startsWhenCancelled = true
            $0.cancelsSource = false
        }
        let violations = await OneShotLaws.check("select", promises: promises) { source in
            let future = CoFuture.answer(of: source)
            let never = CoChannel<Int>()
            return try await select(.value(of: future) { $0 }, .receive(from: never) { $0 })
        }
        expectNone(violations)
    }

    @Test func `a channel`() async {
        let promises = SequencePromises.standard.with {
            $0.startsInConsumer = false
            $0.passesErrors = false
            // Another loop over the channel may go on.
            $0.stopsWhenLeft = false
        }
        let violations = await SequenceLaws.check("CoChannel", promises: promises) { source in
            let (receiver, sender) = CoChannel<Int>(onUndelivered: { source.takeBack($0) }).pair
            let handle = source.start(onElement: { sender.offer($0) }, onCompletion: { _ in sender.close() })
            receiver.whenComplete { handle.cancel() }
            return receiver
        }
        expectNone(violations)
    }
}
