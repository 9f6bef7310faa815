// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import Dispatch
import Testing

/// An element that a `receiveFuture` was to get is never lost: the future has it, or the channel, or `onUndelivered`.
@Suite("A future of the next element of a channel", .timeLimit(.minutes(10)))
struct ReceiveFutureTests {
    typealias World = UndeliveredWorld

    /// The ways to give up a future, and those made from it.
    enum GivingUp: CaseIterable {
        case cancel
        case abandon
        case cancelMapped

        func apply(to future: CoFuture<Int>, _ mapped: CoFuture<Int>) {
            switch self {
            case .cancel: future.cancel()
            case .abandon: future.abandon()
            case .cancelMapped: mapped.cancel()
            }
        }
    }

    /// What a sender does under the channel's lock; it wakes the receiver later.
    private static func claim(_ world: World, _ element: Int) throws -> ParkerReference {
        let sent = world.channel.storage.machine.withLock { $0.send(Disconnected(unchecked: element), orEnlist: nil) }
        guard case .wake(let receiver) = sent else { throw Failure() }
        return receiver
    }

    @Test(arguments: GivingUp.allCases)
    func `given up before the element`(way: GivingUp) {
        let world = World()
        let future = world.channel.receiveFuture()
        way.apply(to: future, future.map { $0 })
        #expect(future.isCancelled)
        #expect(!world.channel.offer(1), "its place in the queue is free")
        #expect(world.undelivered.all == [])
    }

    /// An element that comes when only a weak reference leads to the future is undelivered; code that follows that
    /// reference at that moment gets a future that has ended.
    @Test func `reached by a weak reference alone`() {
        final class Finder: @unchecked Sendable {
            // Safe: used by one thread.
            weak var future: CoFuture<Int>?
            var found: CoFuture<Int>?
        }
        let finder = Finder()
        let channel = CoChannel<Int>(onUndelivered: { _ in finder.found = finder.future })
        let mapped = channel.map { $0 }
        finder.future = mapped.receiveFuture()
        #expect(channel.offer(1))
        #expect(finder.found?.isCancelled == true)
        withExtendedLifetime(mapped) {}
    }

    @Test(arguments: GivingUp.allCases)
    func `given up after the element`(way: GivingUp) throws {
        let world = World()
        let future = world.channel.receiveFuture()
        let mapped = future.map { $0 }
        world.channel.offer(1)
        way.apply(to: future, mapped)
        #expect(try future.result?.get() == 1)
        #expect(try mapped.result?.get() == 1)
    }

    /// The element has left the channel, and the future has not got it yet.
    @Test(arguments: GivingUp.allCases)
    func `given up meanwhile`(way: GivingUp) throws {
        let world = World()
        let future = world.channel.receiveFuture()
        let sender = try Self.claim(world, 1)
        way.apply(to: future, future.map { $0 })
        sender.wake()
        #expect(try future.result?.get() == 1)
        #expect(world.undelivered.all == [])
    }

    /// Of a chain in which the first future is nobody's, the element comes to nobody.
    @Test func `mapped and given up meanwhile`() throws {
        let world = World()
        let mapped = world.channel.receiveFuture().map { $0 }
        let sender = try Self.claim(world, 1)
        mapped.cancel()
        sender.wake()
        #expect(mapped.isCancelled)
        #expect(world.undelivered.all == [1])
    }

    /// Futures that are made from others.
    enum Whole: CaseIterable {
        case promise
        case flatMapped
        case all
        case settled
        case any
        case race

        /// A future that waits for the part, and the part's result and nothing else is missing.
        func make(of part: CoFuture<Int>) -> AnyCoFuture {
            switch self {
            case .promise:
                let promise = CoPromise<Int>()
                promise.complete(with: part)
                return promise
            case .flatMapped: return CoFuture<Int>(result: .success(0)).flatMap { _ in part }
            case .all: return CoFuture.all([CoFuture(result: .success(0)), part])
            case .settled: return CoFuture.settled([CoFuture(result: .failure(Failure())), part])
            case .any: return CoFuture.any([CoFuture(result: .failure(Failure())), part])
            case .race: return CoFuture.race([part])
            }
        }
    }

    @Test(arguments: Whole.allCases)
    func `part of another that is cancelled meanwhile`(whole: Whole) throws {
        let world = World()
        let future = whole.make(of: world.channel.receiveFuture())
        let sender = try Self.claim(world, 1)
        future.cancel()
        sender.wake()
        #expect(future.isCancelled)
        #expect(world.undelivered.all == [1])
    }

    @Test(arguments: Whole.allCases)
    func `part of another that gets it`(whole: Whole) {
        let world = World()
        let future = whole.make(of: world.channel.receiveFuture())
        world.channel.offer(1)
        #expect(future.hasValue)
        #expect(world.undelivered.all == [])
    }

    @Test func `that nobody has read`() {
        let world = World()
        for number in 1...3 {
            let future = world.channel.receiveFuture()
            world.channel.offer(number)
            #expect(future.isSettled)
            if number == 2 { #expect(future.result != nil) }
        }
        #expect(world.undelivered.all == [1, 3])
    }

    @Test func `a future of a mapped receiver`() throws {
        let world = World()
        let future = world.channel.map { $0 * 10 }.receiveFuture()
        let sender = try Self.claim(world, 1)
        future.cancel()
        sender.wake()
        #expect(try future.result?.get() == 10)
        let dropped = world.channel.map { $0 * 10 }
        _ = dropped.receiveFuture()
        world.channel.offer(2)
        #expect(world.undelivered.all == [2])
    }

    @Test func `that is dropped`() {
        let world = World()
        _ = world.channel.receiveFuture()
        world.channel.offer(1)
        #expect(world.undelivered.all == [1])
    }

    @Test func `that is dropped but observed`() {
        let world = World()
        let received = Collected<Int>()
        world.channel.receiveFuture().whenSuccess { received.append($0) }
        world.channel.receiveFuture().map { $0 * 10 }.whenSuccess { received.append($0) }
        world.channel.offer(1)
        world.channel.offer(2)
        #expect(received.all == [1, 20])
        #expect(world.undelivered.all == [])
    }

    @Test func `leaves nothing behind`() async throws {
        let tracker = LifetimeTracker()
        do {
            let token = tracker.token("channel")
            let channel = CoChannel<Int>(
                buffering: .bounded(capacity: 1),
                onUndelivered: { _ in withExtendedLifetime(token) {} }
            )
            let futures = (0..<4).map { _ in channel.receiveFuture() }
            futures[0].cancel()
            futures[1].abandon()
            channel.offer(1)
            channel.close()
            #expect(futures.allSatisfy { $0.result != nil })
        }
        try await tracker.allReleased()
    }

    @Test(arguments: GivingUp.allCases.filter { $0 != .cancelMapped })
    func `given up in a race`(way: GivingUp) {
        for number in 0..<StressScale.rounds(20_000) {
            let world = World(.bounded(capacity: 1))
            let future = world.channel.receiveFuture()
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 0 { way.apply(to: future, future) } else { world.channel.offer(number) }
            }
            let places = [try? future.result?.get(), world.channel.poll()].compactMap { $0 } + world.undelivered.all
            guard places == [number] else {
                Issue.record("\(number): \(places)")
                return
            }
        }
    }
}
