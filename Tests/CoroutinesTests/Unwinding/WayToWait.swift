// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

/// One of the ways in which synchronous code can wait, for something that never comes.
struct WayToWait: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether it says by a plain end that it cannot wait, since it cannot throw.
    let endsQuietly: Bool
    let wait: @Sendable () throws -> Void

    init(_ description: String, endsQuietly: Bool = false, _ wait: @escaping @Sendable () throws -> Void) {
        self.testDescription = description
        self.endsQuietly = endsQuietly
        self.wait = wait
    }

    /// Tries it, where nothing can wait any more, and notes what came of it: "refused" if it is as it should be.
    func attempt(_ log: EventLog) {
        do {
            try self.wait()
            log.record(self.endsQuietly ? "refused" : "came back")
        } catch is CancellationError {
            log.record(self.endsQuietly ? "threw" : "refused")
        } catch {
            log.record("\(error)")
        }
    }
}

extension WayToWait {
    static let all: [WayToWait] = Self.futures + Self.channels + Self.locks + Self.coroutines + Self.nested

    private static let futures: [WayToWait] = [
        WayToWait("future.await, .abandon") { try withPending { _ = try $0.await(cancellation: .abandon) } },
        WayToWait("future.await, .ignore") { try withPending { _ = try $0.await(cancellation: .ignore) } },
        WayToWait("future.await, .propagate") { try withPending { _ = try $0.await(cancellation: .propagate) } },
        WayToWait("future.await, timeout") { try withPending { _ = try $0.await(timeout: .seconds(3600)) } },
        WayToWait("future of a task, .ignore") {
            _ = try CoFuture { try await Task.sleep(for: .seconds(3600)) }.await(cancellation: .ignore)
        },
        WayToWait("select, a value") { try withPending { try select(.value(of: $0) { _ in }) } },
        WayToWait("select, some time") { try select(.after(.seconds(3600)) {}) },
    ]

    private static let channels: [WayToWait] = [
        WayToWait("awaitReceive") { _ = try CoChannel<Int>(buffering: .bounded(capacity: 1)).awaitReceive() },
        WayToWait("awaitSend") { try CoChannel<Int>(buffering: .rendezvous).awaitSend(1) },
        WayToWait("receiver.awaitReceive") {
            let (receiver, sender) = CoChannel<Int>(buffering: .bounded(capacity: 1)).pair
            defer { sender.close() }
            _ = try receiver.awaitReceive()
        },
        WayToWait("sender.awaitSend") {
            let (receiver, sender) = CoChannel<Int>(buffering: .rendezvous).pair
            defer { receiver.cancel() }
            try sender.awaitSend(1)
        },
        WayToWait("a loop over a channel", endsQuietly: true) {
            let channel = CoChannel<Int>(buffering: .bounded(capacity: 1))
            for _ in channel.makeIterator() {}
            channel.close()
        },
        WayToWait("awaitNext") { while try CoChannel<Int>(buffering: .bounded(capacity: 1)).awaitNext() != nil {} },
        WayToWait("receiver.awaitNext") {
            let (receiver, sender) = CoChannel<Int>(buffering: .bounded(capacity: 1)).pair
            defer { sender.close() }
            while try receiver.awaitNext() != nil {}
        },
        WayToWait("forEach over a channel") {
            try Coroutine.forEach(CoChannel<Int>(buffering: .bounded(capacity: 1))) { _ in }
        },
        WayToWait("a broadcast's awaitSend") {
            let broadcast = CoBroadcast<Int>()
            let receiver = broadcast.subscribe(buffering: .rendezvous)
            defer { receiver.cancel() }
            try broadcast.awaitSend(1)
        },
        WayToWait("select, receive") {
            try select(.receive(from: CoChannel<Int>(buffering: .bounded(capacity: 1))) { _ in })
        },
        WayToWait("select, send") { try select(.send(1, to: CoChannel<Int>(buffering: .rendezvous)) {}) },
    ]

    private static let locks: [WayToWait] = [
        WayToWait("a semaphore") { try CoSemaphore(permits: 0).awaitAcquire() },
        WayToWait("a mutex") {
            let mutex = CoMutex(0)
            try mutex.withLockIfAvailable { _ in try mutex.awaitLock { _ in } }
        },
        WayToWait("a semaphore, timeout") { try CoSemaphore(permits: 0).awaitAcquire(timeout: .seconds(3600)) },
        WayToWait("a mutex, timeout") {
            let mutex = CoMutex(0)
            try mutex.withLockIfAvailable { _ in try mutex.awaitLock(timeout: .seconds(3600)) { _ in } }
        },
    ]

    private static let coroutines: [WayToWait] = [
        WayToWait("an operation") { try Coroutine.await { try await Task.sleep(for: .seconds(3600)) } },
        WayToWait("a callback") { _ = try Coroutine.await(of: Int.self) { _ in } },
        WayToWait("a callback, with a timeout") {
            _ = try Coroutine.await(of: Int.self, timeout: .after(.seconds(3600))) { _ in }
        },
        WayToWait("yield") { try Coroutine.yield() },
        WayToWait("delay") { try Coroutine.delay(.seconds(3600)) },
        WayToWait("forEach") { try Coroutine.forEach(AsyncStream<Int> { _ in }) { _ in } },
        WayToWait("sequence", endsQuietly: true) { for _ in Coroutine.sequence(AsyncStream<Int> { _ in }) {} },
        WayToWait("withScope") { try Coroutine.withScope { _ in } },
        WayToWait("scheduler.await") { try DispatchQueue.global().await {} },
        WayToWait("scheduler.await, at once") { try ImmediateScheduler().await {} },
        WayToWait("blockingAwait") { try blockingAwait { try await Task.sleep(for: .seconds(3600)) } },
    ]

    /// In generators that are run by the code that cannot wait.
    private static let nested: [WayToWait] = [
        WayToWait("a generator's body") {
            let outcome = Collected<Result<Void, any Error>>()
            for _ in Generator(
                of: Int.self,
                { _ in
                    outcome.append(Result { try withPending { _ = try $0.await(cancellation: .ignore) } })
                }
            ) {}
            try outcome.all.first?.get()
        },
        WayToWait("a throwing generator's body") {
            var iterator = ThrowingGenerator { yield in
                try yield(1)
                try withPending { try yield($0.await(cancellation: .ignore)) }
            }.makeIterator()
            while try iterator.next() != nil {}
        },
        WayToWait("an inner generator that is broken off") {
            let outcome = Collected<Result<Void, any Error>>()
            for _ in Generator({ yield in
                defer { outcome.append(Result { try withPending { _ = try $0.await(cancellation: .ignore) } }) }
                try yield(1)
            }) { break }
            try outcome.all.first?.get()
        },
        WayToWait("an asynchronous generator") {
            try Coroutine.forEach(AsyncGenerator { yield in try yield(1) }) { _ in }
        },
    ]
}

/// Gives a future that has no result for as long as the body runs.
private func withPending(_ body: (CoPromise<Int>) throws -> Void) rethrows {
    let promise = CoPromise<Int>()
    defer { promise.success(0) }
    try body(promise)
}
