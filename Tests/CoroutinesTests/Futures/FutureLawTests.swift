// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Synchronization
import Testing

@testable import AsyncBridgeFutures
@testable import Coroutines

/// Futures, coroutines and channels, each seen as a bridge from an old API to async code.
@Suite("Futures, coroutines and channels obey the laws")
struct FutureLawTests {
    private func expectNone(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
        let list = violations.map(\.description).joined(separator: "\n")
        #expect(violations.isEmpty, "\(list)", sourceLocation: sourceLocation)
    }

    /// A future of a source's answer, which is cancelled with it.
    ///
    /// A future does not tell a cancellation from a `CancellationError` of the source's own; so who cancels asks first
    /// whether the source has answered.
    private static func future(of source: OneShotSource) -> CoFuture<Int> {
        let handle = Mutex<SourceHandle?>(nil)
        let hasAnswered = Flag()
        let future = CoFuture<Int>(promise: { callback in
            let started = source.start {
                hasAnswered.set()
                callback($0)
            }
            handle.withLock { $0 = started }
        })
        if let handle = handle.withLock({ $0 }) {
            future.whenCanceled { if !hasAnswered.isSet { handle.cancel() } }
        }
        return future
    }

    @Test func aFutureOfACallback() async {
        let promises = OneShotPromises.all.with { $0.startsWhenCancelled = true }
        let violations = await OneShotLaws.check("CoFuture(promise:)", promises: promises) { source in
            try await Self.future(of: source).value(onCancel: .propagate)
        }
        self.expectNone(violations)
    }

    @Test func aFutureThatIsAbandoned() async {
        let promises = OneShotPromises.all.with {
            $0.startsWhenCancelled = true
            $0.cancelsSource = false
        }
        let violations = await OneShotLaws.check("CoFuture.value", promises: promises) { source in
            try await Self.future(of: source).value
        }
        self.expectNone(violations)
    }

    @Test func aMappedFuture() async {
        let promises = OneShotPromises.all.with { $0.startsWhenCancelled = true }
        let violations = await OneShotLaws.check("CoFuture.map", promises: promises) { source in
            try await Self.future(of: source).map { $0 }.flatMap { CoFuture(result: .success($0)) }.value(
                onCancel: .propagate
            )
        }
        self.expectNone(violations)
    }

    @Test func aFutureInACoroutineOfATask() async {
        let promises = OneShotPromises.all.with { $0.startsWhenCancelled = true }
        let violations = await OneShotLaws.check("CoFuture.await", promises: promises) { source in
            try await withCoroutine { try Self.future(of: source).await(onCancel: .propagate) }
        }
        self.expectNone(violations)
    }

    /// On a scheduler that begins at once: on another, whether the work begins in a cancelled task would be chance.
    @Test func aFutureInACoroutineOnAScheduler() async {
        let promises = OneShotPromises.all.with {
            $0.startsOnCaller = false
            $0.startsWhenCancelled = true
        }
        let violations = await OneShotLaws.check("coroutineFuture", promises: promises) { source in
            try await ImmediateScheduler().coroutineFuture {
                try Self.future(of: source).await(onCancel: .propagate)
            }.value(onCancel: .propagate)
        }
        self.expectNone(violations)
    }

    @Test func aFutureOfATask() async {
        let promises = OneShotPromises.all.with {
            $0.startsOnCaller = false
            $0.startsWhenCancelled = true
        }
        let violations = await OneShotLaws.check("CoFuture(operation:)", promises: promises) { source in
            // A cancelled future is over before its task is: without the wait for that, what the task cancels would
            // come too late to be counted.
            let ended = CoPromise<Void>()
            let future = CoFuture {
                defer { ended.success(()) }
                return try await Self.future(of: source).value(onCancel: .propagate)
            }
            do {
                let value = try await future.value(onCancel: .propagate)
                try await ended.value(onCancel: .ignore)
                return value
            } catch {
                try await ended.value(onCancel: .ignore)
                throw error
            }
        }
        self.expectNone(violations)
    }

    @Test func aSelection() async {
        let promises = OneShotPromises.all.with {
            $0.startsWhenCancelled = true
            $0.cancelsSource = false
        }
        let violations = await OneShotLaws.check("select", promises: promises) { source in
            let future = Self.future(of: source)
            let never = CoChannel<Int>()
            return try await select(.value(of: future) { $0 }, .receive(from: never) { $0 })
        }
        self.expectNone(violations)
    }

    @Test func aChannel() async {
        let promises = SequencePromises.all.with {
            $0.startsInConsumer = false
            $0.passesErrors = false
        }
        let violations = await SequenceLaws.check("CoChannel", promises: promises) { source in
            let (receiver, sender) = CoChannel<Int>(onUndelivered: { source.takeBack($0) }).pair
            let handle = source.start(onElement: { sender.offer($0) }, onCompletion: { _ in sender.close() })
            receiver.whenComplete { handle.cancel() }
            return receiver
        }
        self.expectNone(violations)
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)

    func set() { self.value.store(true, ordering: .releasing) }

    var isSet: Bool { self.value.load(ordering: .acquiring) }
}
