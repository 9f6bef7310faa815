// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

/// The hub's other bridges for one value, each seen as a bridge from a completion handler to async.
@Suite("The other bridges for one value obey the laws", .timeLimit(.minutes(10)))
struct OtherBridgesLawTests {
    /// The delegate's side is the source's completion handler, which alone keeps the slot.
    @Test(arguments: [ReplyOverlap.share, .queue, .reject, .replace])
    func `reply slot`(_ overlap: ReplyOverlap) async {
        let violations = await OneShotLaws.check("ReplySlot, \(overlap)", promises: .right) { source in
            var slot: ReplySlot<Int>? = ReplySlot(overlap: overlap)
            let waiter = slot!.waiter
            var handle: SourceHandle?
            return try await waiter.wait {
                let reply = slot.take()
                handle = source.start { reply?.resume(with: $0) }
            } onCancel: {
                handle?.cancel()
            }
        }
        expectNone(violations)
    }

    @Test func `async await wrapper`() async {
        let promises = OneShotPromises.right.with {
            $0.cancellation = .ignored
            $0.startsWhenCancelled = true
        }
        let violations = await OneShotLaws.check("AsyncAwaitWrapper", promises: promises) { source in
            let wrapper = AsyncAwaitWrapper<Int, any Error>(loader: { _ = source.start($0) })
            let result: Result<Int, any Error> = await wrapper.load()
            return try result.get()
        }
        expectNone(violations)
    }

    /// To a completion handler and back: what `callAsync` loses, this bridge loses.
    @Test func `call async and back`() async {
        let promises = OneShotPromises.right.with { $0.startsOnCaller = false }
        let violations = await OneShotLaws.check("callAsync", promises: promises) { source in
            try await withCallback(cancellation: .cooperative) { callback in
                callAsync {
                    try await answer(of: source)
                } completion: {
                    callback.resume(with: $0)
                }
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }

    /// The same with the completion delivered by a function of the test's own.
    @Test func `call async delivered and back`() async {
        let promises = OneShotPromises.right.with { $0.startsOnCaller = false }
        let violations = await OneShotLaws.check("callAsync(deliver:)", promises: promises) { source in
            try await withCallback(cancellation: .cooperative) { callback in
                callAsync(deliver: .through { $0() }) {
                    try await answer(of: source)
                } completion: {
                    callback.resume(with: $0)
                }
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }

    @Test func `completion handler wrapper and back`() async {
        let promises = OneShotPromises.right.with { $0.startsOnCaller = false }
        let violations = await OneShotLaws.check("CompletionHandlerWrapper", promises: promises) { source in
            let wrapper = CompletionHandlerWrapper<Int, any Error> {
                try await answer(of: source)
            }
            return try await withCallback(cancellation: .cooperative) { callback in
                wrapper.load { callback.resume(with: $0) }
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }
}

/// What a source answers, by the bridge that is tested elsewhere.
private func answer(of source: OneShotSource) async throws -> Int {
    try await withCallback { callback in
        source.start(callback.handler())
    } onCancel: {
        $0.cancel()
    }
}
