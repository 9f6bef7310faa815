// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import AsyncBridgeTesting
import NIOCore
import NIOPosix
import Testing

/// Futures of event loops, each way of crossing seen as a bridge from an old API to async code.
@Suite("The bridges for event loops obey the laws", .timeLimit(.minutes(5)))
struct EventLoopLawTests {
    /// Patient: the tests beside these ones keep the pool's threads busy.
    private static let promises = OneShotPromises.standard.with { $0.patience = .seconds(30) }

    private static var loop: any EventLoop { MultiThreadedEventLoopGroup.singleton.next() }

    /// Fails its promise when it is dropped, as code for NIO must: NIO ends a debug build that drops a promise.
    private final class Answer: Sendable {
        private let promise = EventLoopLawTests.loop.makePromise(of: Int.self)

        deinit { self.promise.fail(LoopError()) }

        var future: EventLoopFuture<Int> { self.promise.futureResult }

        func complete(with result: Result<Int, any Error>) { self.promise.completeWith(result) }
    }

    private static func start(_ source: OneShotSource) -> (future: EventLoopFuture<Int>, handle: SourceHandle) {
        let answer = Answer()
        return (answer.future, source.start { answer.complete(with: $0) })
    }

    @Test func `value that propagates`() async {
        let promises = Self.promises.with { $0.startsWhenCancelled = true }
        let violations = await OneShotLaws.check("EventLoopFuture.value, propagate", promises: promises) { source in
            let (future, handle) = Self.start(source)
            return try await future.value(cancellation: .propagate { handle.cancel() })
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func `value that abandons`() async {
        let promises = Self.promises.with {
            $0.startsWhenCancelled = true
            $0.cancelsSource = false
        }
        let violations = await OneShotLaws.check("EventLoopFuture.value, abandon", promises: promises) { source in
            try await Self.start(source).future.value()
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func `value that ignores`() async {
        let promises = Self.promises.with {
            $0.cancellation = .ignored
            $0.startsWhenCancelled = true
        }
        let violations = await OneShotLaws.check("EventLoopFuture.value, ignore", promises: promises) { source in
            try await Self.start(source).future.value(cancellation: .ignore)
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    /// NIO's own: its wait goes on when the task is cancelled, and so does the work.
    @Test func `get of NIO`() async {
        let promises = Self.promises.with {
            $0.cancellation = .ignored
            $0.startsWhenCancelled = true
        }
        let violations = await OneShotLaws.check("EventLoopFuture.get", promises: promises) { source in
            try await Self.start(source).future.get()
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func `co future`() async {
        let promises = Self.promises.with { $0.startsWhenCancelled = true }
        let violations = await OneShotLaws.check("EventLoopFuture.coFuture", promises: promises) { source in
            let (future, handle) = Self.start(source)
            return try await future.coFuture(onCancel: { handle.cancel() }).value(cancellation: .propagate)
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func `there and back`() async {
        let promises = Self.promises.with { $0.startsWhenCancelled = true }
        let violations = await OneShotLaws.check("CoFuture.eventLoopFuture", promises: promises) { source in
            let (future, handle) = Self.start(source)
            let coFuture = future.coFuture(onCancel: { handle.cancel() })
            return try await coFuture.eventLoopFuture(on: Self.loop).value(
                cancellation: .propagate { coFuture.cancel() }
            )
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func `async function`() async {
        let promises = Self.promises.with {
            $0.startsWhenCancelled = true
            $0.startsOnCaller = false
        }
        let violations = await OneShotLaws.check("EventLoop.future", promises: promises) { source in
            let scope = CoScope()
            // The future fails at once when its scope is cancelled, before its task is over: without the wait for that,
            // what the task cancels would come too late to be counted.
            let ended = CoPromise<Void>()
            let future = Self.loop.future(in: scope) {
                defer { ended.success(()) }
                let (future, handle) = Self.start(source)
                return try await future.value(cancellation: .propagate { handle.cancel() })
            }
            let result: Result<Int, any Error>
            do {
                result = .success(try await future.value(cancellation: .propagate { scope.cancel() }))
            } catch {
                result = .failure(error)
            }
            try await ended.value(cancellation: .ignore)
            return try result.get()
        }
        #expect(violations.isEmpty, "\(violations)")
    }
}
#endif
