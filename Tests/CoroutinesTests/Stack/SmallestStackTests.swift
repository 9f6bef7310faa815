// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import CFrames
import Coroutines
import Dispatch
import Testing

/// Each public wait fits on the smallest stack, even as the first one of a process, in debug and release.
///
/// In processes of their own: the first use of a type takes most of what a wait takes, and a stack that overflows ends
/// its process.
@Suite("The smallest stack", .timeLimit(.minutes(10)))
struct SmallestStackTests {
    private struct Element: Sendable {
        var numbers = (1, 2, 3, 4, 5, 6, 7, 8)
        var text = "text"
    }

    private struct Failure: Error {}

    private static func later(_ action: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async(execute: action)
    }

    private static func future() -> CoFuture<Element> {
        let promise = CoPromise<Element>()
        self.later { promise.success(Element()) }
        return promise
    }

    /// A channel to which an element comes later.
    private static func channel() -> CoChannel<Element> {
        let channel = CoChannel<Element>(buffering: .bounded(capacity: 1))
        self.later {
            _ = channel.offer(Element())
            channel.close()
        }
        return channel
    }

    /// A channel from which an element is taken later.
    private static func full() -> CoChannel<Element> {
        let channel = CoChannel<Element>(buffering: .rendezvous)
        DispatchQueue.global().startCoroutine { _ = try channel.awaitReceive() }
        return channel
    }

    private static var waits: [@Sendable () throws -> Void] {
        [
            { _ = try Coroutine.await { Element() } },
            {
                let _: Element = try Coroutine.await { (callback: Callback<Element, any Error>) in
                    Self.later { callback.resume(returning: Element()) }
                }
            },
            {
                let _: Element = try Coroutine.await(timeout: .after(.seconds(60))) { callback in
                    Self.later { callback.resume(returning: Element()) }
                }
            },
            { try Coroutine.delay(.milliseconds(1)) },
            { _ = try Self.future().await() },
            { _ = try Self.future().await(cancellation: .propagate) },
            { _ = try Self.future().await(cancellation: .ignore) },
            { _ = try Self.future().await(timeout: .seconds(60)) },
            { _ = try select(.value(of: Self.future()) { $0 }, .after(.seconds(60)) { Element() }) },
            { _ = try select(.receive(from: Self.channel()) { $0 }, .after(.seconds(60)) { Element() }) },
            { try select(.send(Element(), to: Self.full()) {}, .after(.seconds(60)) {}) },
            { _ = try Self.channel().awaitReceive() },
            { try Self.full().awaitSend(Element()) },
            { _ = try Self.channel().receiveFuture().await() },
            { for _ in Self.channel().makeIterator() {} },
            { try Coroutine.forEach(Self.channel()) { _ in } },
            { try Coroutine.forEach(Self.channel().map { $0.text }) { _ in } },
            { try Coroutine.forEach(AsyncStream<Element> { $0.finish() }) { _ in } },
            { for _ in Coroutine.sequence(AsyncStream<Element> { $0.finish() }) {} },
            { try Coroutine.forEach(AsyncGenerator { yield in try yield(Element()) }) { _ in } },
            { for _ in Generator({ yield in try yield(Element()) }) {} },
            {
                let broadcast = CoBroadcast<Element>()
                let receiver = broadcast.subscribe(buffering: .rendezvous)
                DispatchQueue.global().startCoroutine { _ = try receiver.awaitReceive() }
                try broadcast.awaitSend(Element())
            },
            {
                let semaphore = CoSemaphore(permits: 0)
                Self.later { semaphore.release() }
                try semaphore.awaitAcquire()
            },
            {
                let semaphore = CoSemaphore(permits: 0)
                Self.later { semaphore.release() }
                try semaphore.awaitAcquire(timeout: .seconds(60))
            },
            { try CoMutex(Element()).awaitLock { _ in } },
            {
                try Coroutine.withScope { scope in
                    let future = scope.future(on: DispatchQueue.global()) { Element() }
                    _ = try (future.await(), scope.future { Element() }.await())
                }
            },
            { _ = try DispatchQueue.global().await { Element() } },
            { _ = try DispatchQueue.global().coroutineFuture { Element() }.await() },
            { _ = try blockingAwait { Element() } },
            // Reports of errors that nothing reads.
            {
                let channel = CoChannel<Element>(buffering: .bounded(capacity: 1))
                channel.close(throwing: Failure())
                for _ in channel.makeIterator() as CoChannel<Element>.Iterator {}
            },
            { for _ in Generator(of: Element.self, { _ in throw Failure() }) {} },
            { ImmediateScheduler().startCoroutine { throw Failure() } },
            // Entries of the list.
            {
                BridgeDiagnostics.tracksCoroutines = true
                _ = try SerialScheduler().await { Element() }
            },
            {
                BridgeDiagnostics.tracksCoroutines = true
                ImmediateScheduler().startCoroutine {}
            },
        ]
    }

    // Exit tests of Swift 6.2 capture nothing.
    #if compiler(>=6.3)
    @Test(.disabled(if: cframes_has_sanitizer(), "A sanitizer makes frames larger"), arguments: Self.waits.indices)
    func `is large enough for the first wait of a process`(_ index: Int) async {
        await #expect(processExitsWith: .success) { [index] in
            try await withCoroutine(stackSize: StackSize(kibibytes: 16)) { try Self.waits[index]() }
        }
        await #expect(processExitsWith: .success) { [index] in
            let future = CoPromise<Void>()
            DispatchQueue.global().startCoroutine(
                stackSize: StackSize(kibibytes: 16),
                onError: { future.fail($0) },
                task: {
                    try Self.waits[index]()
                    future.success(())
                }
            )
            try await future.value
        }
    }
    #endif
}
