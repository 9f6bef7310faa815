// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Synchronization
import Testing

/// Observers that end the next future, whose observers end the next, further than any stack is deep.
@Suite("Futures: observers that call each other", .serialized, .timeLimit(.minutes(10)))
struct ObserverDepthTests {
    #if THREAD_SANITIZER
    private static let depth = 1000
    #else
    private static let depth = 100_000
    #endif

    /// Runs a closure in a coroutine, where code that may call itself goes on elsewhere.
    private static func whereLittleIsLeft(_ body: () -> Void) async throws {
        try await withCoroutine(stackSize: StackSize(kibibytes: 256)) { Self.goDeep(body) }
    }

    private static let returns = Atomic(0)

    @inline(never)
    private static func goDeep(_ body: () -> Void) {
        if OtherStack.isNeeded { return body() }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { frame in
            frame.initialize(repeating: 1)
            Self.goDeep(body)
            // Something to do after the call: otherwise the optimiser makes a loop of it, which never uses the stack
            // up.
            Self.returns.add(Int(frame[frame.count / 2]), ordering: .relaxed)
        }
    }

    @Test(arguments: [false, true])
    func `an observer completes the next promise, and so on`(isOnAThread: Bool) async throws {
        let promises = (0..<Self.depth).map { _ in CoPromise<Int>() }
        for (promise, next) in zip(promises, promises.dropFirst()) { promise.whenComplete { next.complete(with: $0) } }
        let first = promises[0]
        if isOnAThread {
            first.success(7)
        } else {
            try await withCoroutine(stackSize: StackSize(kibibytes: 64)) { _ = first.success(7) }
        }
        #expect(try await promises[Self.depth - 1].value == 7)
    }

    @Test
    func `an observer cancels the next promise, and so on`() async throws {
        let promises = (0..<Self.depth).map { _ in CoPromise<Int>() }
        for (promise, next) in zip(promises, promises.dropFirst()) { promise.whenCancelled { next.cancel() } }
        let first = promises[0]
        try await withCoroutine(stackSize: StackSize(kibibytes: 64)) { first.cancel() }
        await #expect(throws: CancellationError.self) { try await promises[Self.depth - 1].value }
    }

    @Test
    func `a future of a mapped receiver, whose observer makes the next`() async throws {
        let (channel, last) = (CoChannel<Int>(buffering: .unbounded), CoPromise<Int>())
        for number in 1...Self.depth { channel.offer(number) }
        let doubled = channel.map { $0 * 2 }
        @Sendable func receive() {
            doubled.receiveFuture().whenSuccess { number in
                if number == Self.depth * 2 { last.success(number) } else { receive() }
            }
        }
        try await withCoroutine(stackSize: StackSize(kibibytes: 64)) { receive() }
        #expect(try await last.value == Self.depth * 2)
    }

    @Test(arguments: [false, true])
    func `a closure that waits for an element, and sends the next`(isOnAThread: Bool) async throws {
        let channels = (0..<Self.depth).map { _ in CoChannel<Int>(buffering: .rendezvous) }
        let last = CoPromise<Int>()
        for (channel, next) in zip(channels, channels.dropFirst()) {
            channel.whenReceive { result in if case .success(let number) = result { next.offer(number) } }
        }
        channels[Self.depth - 1].whenReceive { last.complete(with: $0) }
        let first = channels[0]
        if isOnAThread {
            first.offer(7)
        } else {
            try await withCoroutine(stackSize: StackSize(kibibytes: 64)) { _ = first.offer(7) }
        }
        #expect(try await last.value == 7)
    }

    @Test
    func `a future that is cancelled where little of the stack is left has its result at once`() async throws {
        let promise = CoPromise<Int>()
        let mapped = promise.map { $0 + 1 }
        var outcome: (Bool, Bool, Bool)?
        try await Self.whereLittleIsLeft {
            promise.cancel()
            let own = CoPromise<Int>()
            own.abandon()
            outcome = (promise.isCancelled, promise.success(1), own.success(1))
        }
        #expect(outcome ?? (false, true, true) == (true, false, false))
        await #expect(throws: CancellationError.self) { try await mapped.value }
    }

    @Test
    func `a coroutine that is cancelled there before it has begun never begins`() async throws {
        let (scheduler, log) = (ManualScheduler(), EventLog())
        let coroutine = scheduler.startCoroutine { log.record("begun") }
        try await Self.whereLittleIsLeft {
            coroutine.cancel()
            scheduler.run()
        }
        #expect(log.events.isEmpty)
    }
}
