// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

/// A loop ends when its task is cancelled, however fast the senders are.
@Suite("A cancelled loop over a channel", .timeLimit(.minutes(10)))
struct CancelledLoopTests {
    /// What can be iterated.
    enum Kind: CaseIterable, Sendable {
        case channel
        case receiver
        case mapped
        case subscription
    }

    let channel = CoChannel<Int>()
    let broadcast = CoBroadcast(of: Int.self)

    private func send(_ range: ClosedRange<Int>, to kind: Kind) {
        for number in range {
            if kind == .subscription { self.broadcast.offer(number) } else { self.channel.offer(number) }
        }
    }

    private func receiver(_ kind: Kind) -> CoChannel<Int>.Receiver {
        switch kind {
        case .channel, .receiver: self.channel.receiver
        case .mapped: self.channel.map { $0 * 1 }
        case .subscription: self.broadcast.subscribe()
        }
    }

    @Test(arguments: Kind.allCases)
    func `ends before the next element`(kind: Kind) async throws {
        let (receiver, channel, taken) = (self.receiver(kind), self.channel, Collected<Int>())
        self.send(1...3, to: kind)
        let task = Task {
            func body(_ element: Int) {
                taken.append(element)
                withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
            if kind == .channel {
                for try await element in channel { body(element) }
            } else {
                for try await element in receiver { body(element) }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(taken.all == [1])
        #expect(receiver.count == 2, "the others stay for other receivers")
    }

    @MainActor
    private static func iterateCancelled(_ iterator: inout some AsyncIteratorProtocol) async -> [String] {
        var outcomes: [String] = []
        for _ in 0..<2 {
            do {
                outcomes.append(try await iterator.next(isolation: MainActor.shared) == nil ? "over" : "element")
            } catch {
                outcomes.append(error is CancellationError ? "cancelled" : "\(error)")
            }
        }
        return outcomes
    }

    @Test(arguments: Kind.allCases)
    func `on an actor`(kind: Kind) async {
        let (receiver, channel) = (self.receiver(kind), self.channel)
        self.send(1...3, to: kind)
        let task = Task { @MainActor in
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            guard kind == .channel else {
                var iterator = receiver.makeAsyncIterator()
                return await Self.iterateCancelled(&iterator)
            }
            var iterator = channel.makeAsyncIterator()
            return await Self.iterateCancelled(&iterator)
        }
        let outcomes = await task.value
        #expect(outcomes == ["cancelled", "over"])
        #expect(receiver.count == 3)
    }

    /// Nothing was lost to the cancellation.
    @Test(arguments: Kind.allCases)
    func `if all is received, the channel's own end comes`(kind: Kind) async throws {
        let (receiver, channel, broadcast) = (self.receiver(kind), self.channel, self.broadcast)
        self.send(1...1, to: kind)
        let task = Task {
            func body(_ element: Int) {
                withUnsafeCurrentTask { unsafe $0?.cancel() }
                if kind == .subscription { broadcast.close() } else { channel.close() }
            }
            if kind == .channel {
                for try await element in channel { body(element) }
            } else {
                for try await element in receiver { body(element) }
            }
        }
        try await task.value
    }

    /// One call takes what is there, as before.
    @Test func `receive() does not look first`() async throws {
        let channel = self.channel
        channel.offer(1)
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await channel.receive()
        }
        #expect(try await task.value == 1)
    }
}
