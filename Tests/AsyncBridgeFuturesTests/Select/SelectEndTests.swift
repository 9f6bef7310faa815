// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

@Suite("select in tasks: ends and defaults", .timeLimit(.minutes(10)))
struct SelectEndTests {
    @Test func `no time at all`() async throws {
        let clock = TestClock()
        #expect(try await select(.after(.zero, clock: clock) { 1 }) == 1)
        #expect(try await select(.after(.seconds(-1), clock: clock) { 1 }, .otherwise { 2 }) == 1)
        #expect(try await select(.after(.seconds(1), clock: clock) { 1 }, .otherwise { 2 }) == 2)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `without branches`() async {
        await #expect(processExitsWith: .failure) { _ = try await select([SelectBranch<Int>]()) }
    }

    /// In a task that was cancelled before, nothing happens, not even what is possible at once.
    @Test func `in a cancelled task`() async throws {
        let (full, empty) = (CoChannel<Int>(), CoChannel<Int>())
        full.offer(1)
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await select(.receive(from: full) { $0 }, .receive(from: empty) { $0 }, .otherwise { 2 })
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(full.poll() == 1)
        #expect(!empty.hasReceivers)
    }

    /// A loop ends however fast elements come.
    @Test func `a loop in a task that is cancelled`() async {
        let (channel, other) = (CoChannel<Int>(), CoChannel<Int>())
        let bodies = Collected<Int>()
        let task = Task {
            channel.offer(0)
            while bodies.all.count < 10 {
                try await select(
                    .receive(from: channel) { element in
                        channel.offer(element + 1)
                        if element == 3 { withUnsafeCurrentTask { unsafe $0?.cancel() } }
                        bodies.append(element)
                    },
                    .receive(from: other) { _ in }
                )
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(bodies.all == [0, 1, 2, 3])
        #expect(channel.poll() == 4)
    }

    @Test func `the element of a task that was cancelled before`() async throws {
        let world = UndeliveredWorld(.rendezvous)
        let (outbox, other) = (world.channel, CoChannel<Int>(buffering: .rendezvous))
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await select(.send(1, to: outbox) { 0 }, .receive(from: other) { $0 })
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(world.undelivered.all == [1])
    }

    // MARK: What a branch waits for has ended or failed

    /// What may end a selection with an error of its own, before a branch has happened.
    enum Ending: CaseIterable, Sendable {
        case sameChannel
        case otherChannel
        case mappedChannel
        case future
        case otherSend

        func branch(_ outbox: CoChannel<Int>, _ other: CoChannel<Int>, _ future: CoFuture<Int>) -> SelectBranch<Int> {
            switch self {
            case .sameChannel: .receive(from: outbox) { _ in 0 }
            case .otherChannel: .receive(from: other) { _ in 0 }
            case .mappedChannel: .receive(from: other.map { $0 + 1 }) { _ in 0 }
            case .future: .value(of: future) { _ in 0 }
            case .otherSend: .send(2, to: other) { 0 }
            }
        }
    }

    /// No branch has happened, so the element is no more its caller's than after `send`.
    @Test(arguments: Ending.allCases, [true, false])
    func `the element comes to its end`(ending: Ending, waits: Bool) async throws {
        for isFirst in [true, false] {
            let world = UndeliveredWorld(.rendezvous)
            let (outbox, other, promise) = (world.channel, CoChannel<Int>(buffering: .rendezvous), CoPromise<Int>())
            let end = {
                if ending == .sameChannel { outbox.close() }
                other.close()
                promise.fail(CoChannelError.closed)
            }
            if !waits { end() }
            let task = Task {
                let one = SelectBranch.send(1, to: outbox) { 1 }
                let two = ending.branch(outbox, other, promise)
                return try await select(isFirst ? [one, two] : [two, one], biased: true)
            }
            if waits {
                await until { outbox.hasSenders }
                end()
            }
            await #expect(throws: CoChannelError.closed) { try await task.value }
            #expect(world.undelivered.all == [1])
        }
    }

    /// That branch has happened: the element is its caller's, as when it returns.
    @Test func `the element stays its caller's if a closure throws`() async throws {
        let world = UndeliveredWorld(.rendezvous)
        let (outbox, other) = (world.channel, CoChannel<Int>())
        other.offer(1)
        await #expect(throws: Failure(1)) {
            try await select(.send(1, to: outbox) { 0 }, .receive(from: other) { throw Failure($0) })
        }
        #expect(world.undelivered.all.isEmpty)
    }

    /// The element comes to its end, and the receiver that could have had it gets nothing.
    @Test func `the element of a task that was cancelled before, which there is room for`() async throws {
        let world = UndeliveredWorld(.unbounded)
        let outbox = world.channel
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await select(.send(1, to: outbox) { 0 })
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(outbox.poll() == nil)
        #expect(world.undelivered.all == [1])
    }
}
