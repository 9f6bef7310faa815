// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import Coroutines
import NIOCore
import NIOEmbedded
import Testing

/// An element that was handed to a receiver and comes back must not count as waiting: reading would stop for ever.
@Suite("A bridge reads on after elements that nobody got", .timeLimit(.minutes(10)))
struct ReadWindowTests {
    /// How a receiver waits.
    enum Wait: CaseIterable {
        case future
        case futureOfMapped
        case coroutine
        case selection
        case loop

        /// Begins to wait; the future is released, and the coroutine goes on by a task of the scheduler.
        func begin(_ inbound: CoChannel<String>.Receiver, on scheduler: KeepingScheduler) {
            switch self {
            case .future: _ = inbound.receiveFuture()
            case .futureOfMapped: _ = inbound.map { $0.count }.receiveFuture()
            case .coroutine: scheduler.startCoroutine { _ = try inbound.awaitReceive() }
            case .selection:
                let never = CoPromise<Void>()
                scheduler.startCoroutine {
                    try select(.receive(from: inbound) { _ in }, .value(of: never.future) {})
                }
            case .loop: scheduler.startCoroutine { for _ in inbound.makeIterator() {} }
            }
        }
    }

    /// Starts a coroutine, and keeps the task that would go on with it until that is dropped.
    final class KeepingScheduler: CoroutineScheduler {
        private let hasStarted = Flag()
        private let kept = Collected<@Sendable () -> Void>()

        func scheduleTask(_ task: @escaping @Sendable () -> Void) {
            if self.hasStarted.value { return self.kept.append(task) }
            self.hasStarted.set()
            task()
        }

        /// Whether the coroutine is to go on.
        var keepsCoroutine: Bool { !self.kept.all.isEmpty }

        /// Unwinds the coroutine.
        func drop() { self.kept.removeAll() }
    }

    private let channel = EmbeddedChannel()
    private let reads = Reads()
    private let undelivered = Collected<String>()

    private func connected(_ limits: BridgedChannelLimits, size: (@Sendable (String) -> Int)? = nil) throws -> Lines {
        try self.channel.pipeline.syncOperations.addHandler(self.reads)
        let undelivered = self.undelivered
        let lines = try self.channel.bridge(
            inbound: String.self,
            outbound: String.self,
            limits: limits,
            size: size,
            onUndelivered: { undelivered.append($0) }
        )
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        self.channel.embeddedEventLoop.run()
        return lines
    }

    /// - Returns: Whether the read has passed the bridge.
    private func read() -> Bool {
        let before = self.reads.count
        self.channel.read()
        self.channel.embeddedEventLoop.run()
        return self.reads.count > before
    }

    @Test(arguments: Wait.allCases)
    func `an element that comes back leaves room for another one, and for no more`(wait: Wait) throws {
        let lines = try self.connected(BridgedChannelLimits(low: 0, high: 2))
        for number in 0..<10 {
            let scheduler = KeepingScheduler()
            wait.begin(lines.inbound, on: scheduler)
            try self.channel.writeInbound("\(number)")
            scheduler.drop()
            #expect(self.undelivered.all.count == number + 1)
            #expect(self.read())
        }
        try self.channel.writeInbound("a")
        #expect(self.read())
        try self.channel.writeInbound("b")
        #expect(!self.read())
        let before = self.reads.count
        #expect(lines.inbound.poll() == "a")
        #expect(self.reads.count == before)
        #expect(lines.inbound.poll() == "b")
        #expect(self.reads.count == before + 1)
        _ = try? self.channel.finish()
    }

    @Test
    func `the read that was held back is made when the consumer has taken all the others`() throws {
        let lines = try self.connected(BridgedChannelLimits(low: 0, high: 3), size: { Int($0) ?? 0 })
        for _ in 0..<2 { _ = lines.inbound.receiveFuture() }
        for size in ["2", "3", "1", "2"] { self.channel.pipeline.fireChannelRead(size) }
        #expect(self.undelivered.all == ["2", "3"])
        #expect(!self.read())
        let before = self.reads.count
        #expect(lines.inbound.poll() == "1")
        #expect(self.reads.count == before)
        #expect(lines.inbound.poll() == "2")
        #expect(self.reads.count == before + 1)
        _ = try? self.channel.finish()
    }

    @Test(arguments: [Wait.coroutine, .selection, .loop])
    func `the read that was held back is made when the last element comes back`(wait: Wait) throws {
        let lines = try self.connected(BridgedChannelLimits(low: 0, high: 1))
        let scheduler = KeepingScheduler()
        wait.begin(lines.inbound, on: scheduler)
        try self.channel.writeInbound("a")
        // It was given to a coroutine that has not gone on.
        #expect(lines.inbound.isEmpty && self.undelivered.all.isEmpty)
        #expect(!self.read())
        let before = self.reads.count
        scheduler.drop()
        #expect(self.undelivered.all == ["a"])
        #expect(self.reads.count == before + 1)
        _ = try? self.channel.finish()
    }

    /// Waits by the async iterator, as any code does that knows no more than an `AsyncSequence`.
    private static func forEach<Base: AsyncSequence>(_ sequence: Base) throws {
        try Coroutine.forEach(sequence) { _ in }
    }

    @Test
    func `an element that the iterator has given to a coroutine comes back when that is dropped`() async throws {
        // This test has a channel of its own, and NIO never releases one that is not closed.
        _ = try? self.channel.finish()
        let (channel, undelivered) = (NIOAsyncTestingChannel(), self.undelivered)
        let lines = try await channel.testingEventLoop.executeInContext {
            try channel.bridge(
                inbound: String.self,
                outbound: String.self,
                onUndelivered: { undelivered.append($0) }
            )
        }
        try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).get()
        let scheduler = KeepingScheduler()
        scheduler.startCoroutine { try Self.forEach(lines.inbound) }
        try await channel.writeInbound("a")
        await until { scheduler.keepsCoroutine }
        #expect(undelivered.all == [])
        scheduler.drop()
        #expect(undelivered.all == ["a"])
        _ = try? await channel.finish()
    }

    @Test
    func `a future that has its element, and is released unread, gives it back`() throws {
        let lines = try self.connected(BridgedChannelLimits(low: 0, high: 1))
        do {
            let future = lines.inbound.receiveFuture()
            try self.channel.writeInbound("a")
            #expect(future.isCancelled == false)
            #expect(self.undelivered.all == [])
        }
        #expect(self.undelivered.all == ["a"])
        #expect(self.read())
        // One that was read is the reader's.
        let future = lines.inbound.receiveFuture()
        try self.channel.writeInbound("b")
        #expect(try future.result?.get() == "b")
        withExtendedLifetime(future) {}
        #expect(self.undelivered.all == ["a"])
        _ = try? self.channel.finish()
    }
}
#endif
