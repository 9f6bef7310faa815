// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Synchronization
import Testing

@testable import WhatsThatServices

/// The elements are numbers in the order in which they were made; the first one is 1.
@Suite("The free list", .timeLimit(.minutes(10)))
struct FreeListTests {
    private struct Failure: Error {}

    private let executor = ManualExecutor()
    private let log = EventLog()

    private func list(limit: Int) -> FreeList<Int> {
        let made = Counter(1)
        return FreeList(1, limit: limit) { made.next() }
    }

    /// A user that keeps its element until the gate opens, and records what happens to it.
    private func user(_ name: String, of list: FreeList<Int>, until gate: CoPromise<Void>) -> Task<Void, Never> {
        Task(executorPreference: self.executor) {
            do {
                try await list.withElement { element in
                    self.log.record("\(name) has \(element)")
                    try await gate.future.value
                    self.log.record("\(name) ends")
                }
            } catch {
                self.log.record(error is CancellationError ? "\(name) is cancelled" : "\(name) fails")
            }
        }
    }

    @Test
    func `elements are made when they are needed, up to the limit, and used again`() {
        let list = self.list(limit: 3)
        let gate = CoPromise<Void>()
        for name in ["a", "b", "c", "d", "e"] { _ = self.user(name, of: list, until: gate) }
        self.executor.run()
        #expect(self.log.events == ["a has 1", "b has 2", "c has 3"])
        gate.success(())
        self.executor.run()
        #expect(self.log.events.contains { $0.hasPrefix("d has") } && self.log.events.contains { $0 == "e ends" })
        #expect(!self.log.events.contains { $0.hasSuffix("has 4") })
    }

    @Test
    func `none is made while one is free`() {
        let list = self.list(limit: 3)
        for name in ["a", "b"] {
            let gate = CoPromise<Void>()
            gate.success(())
            _ = self.user(name, of: list, until: gate)
            self.executor.run()
        }
        #expect(self.log.events == ["a has 1", "a ends", "b has 1", "b ends"])
    }

    @Test
    func `waiters get an element in order`() {
        let list = self.list(limit: 1)
        let (first, others) = (CoPromise<Void>(), CoPromise<Void>())
        others.success(())
        _ = self.user("first", of: list, until: first)
        for number in 0..<50 { _ = self.user("\(number)", of: list, until: others) }
        self.executor.run()
        #expect(self.log.events == ["first has 1"])
        first.success(())
        self.executor.run()
        #expect(
            self.log.events.filter { $0.hasSuffix("has 1") } == ["first has 1"] + (0..<50).map { "\($0) has 1" }
        )
    }

    @Test
    func `a cancelled waiter ends at once and takes no element`() {
        let list = self.list(limit: 1)
        let (first, others) = (CoPromise<Void>(), CoPromise<Void>())
        others.success(())
        _ = self.user("first", of: list, until: first)
        let waiters = ["a", "b", "c"].map { self.user($0, of: list, until: others) }
        self.executor.run()
        waiters[1].cancel()
        self.executor.run()
        #expect(self.log.events == ["first has 1", "b is cancelled"])
        first.success(())
        self.executor.run()
        #expect(self.log.events.dropFirst(2) == ["first ends", "a has 1", "a ends", "c has 1", "c ends"])
    }

    @Test
    func `a waiter that is cancelled when its turn has come takes no element`() {
        let list = self.list(limit: 1)
        let (first, others) = (CoPromise<Void>(), CoPromise<Void>())
        others.success(())
        _ = self.user("first", of: list, until: first)
        let waiters = ["a", "b"].map { self.user($0, of: list, until: others) }
        self.executor.run()
        first.success(())
        // It has given up its place to the next one, which has not run yet.
        while !self.log.events.contains("first ends") { self.executor.runOne() }
        waiters[0].cancel()
        self.executor.run()
        #expect(self.log.events == ["first has 1", "first ends", "a is cancelled", "b has 1", "b ends"])
    }

    @Test
    func `an element that cannot be made is an error of that call and leaves no place taken`() {
        let attempts = Counter(0)
        let list = FreeList(1, limit: 2) {
            if attempts.next() < 4 { throw Failure() }
            return 2
        }
        let gate = CoPromise<Void>()
        for name in ["a", "b", "c", "d", "e"] { _ = self.user(name, of: list, until: gate) }
        self.executor.run()
        #expect(self.log.events == ["a has 1", "b fails", "c fails", "d fails", "e has 2"])
        gate.success(())
        self.executor.run()
    }

    @Test
    func `who waits while another one fails to make an element makes one`() {
        let (failure, gate) = (CoPromise<Void>(), CoPromise<Void>())
        let attempts = Counter(0)
        let list = FreeList(1, limit: 2) {
            if attempts.next() == 1 { try await failure.future.value }
            return 2
        }
        for name in ["a", "b", "c"] { _ = self.user(name, of: list, until: gate) }
        self.executor.run()
        #expect(self.log.events == ["a has 1"])
        failure.fail(Failure())
        self.executor.run()
        #expect(self.log.events == ["a has 1", "b fails", "c has 2"])
        gate.success(())
        self.executor.run()
    }

    @Test
    func `an element whose user has failed is used again`() async throws {
        let list = self.list(limit: 1)
        for _ in 0..<10 {
            await #expect(throws: Failure.self) { try await list.withElement { _ in throw Failure() } }
        }
        #expect(try await list.withElement { $0 } == 1)
    }

    @Test
    func `users that are cancelled at many moments leave every element free, and none is used twice at once`()
        async throws
    {
        let made = Counter(1)
        let list = FreeList(1, limit: 2) { made.next() }
        let inUse = Numbers()
        let cancelled = Counter(0)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask { @Sendable in
                    for round in 0..<500 {
                        let task = Task {
                            try await list.withElement { element in
                                #expect(inUse.insert(element))
                                for _ in 0..<(round % 5) { await Task.yield() }
                                inUse.remove(element)
                            }
                        }
                        for _ in 0..<((round * 7 + worker) % 30) { await Task.yield() }
                        task.cancel()
                        if case .failure = await task.result { _ = cancelled.next() }
                    }
                }
            }
        }
        // Else the moments were not at random.
        #expect(cancelled.value > 0)
        #expect(made.value <= 2)
        // Both places are free: two users have an element at the same time.
        let other = try await list.withElement { one in try await list.withElement { [one, $0].sorted() } }
        #expect(other == [1, 2])
    }
}

/// Counts on any thread.
private final class Counter: Sendable {
    private let count: Mutex<Int>

    init(_ count: Int) { self.count = Mutex(count) }

    var value: Int { self.count.withLock { $0 } }

    func next() -> Int {
        self.count.withLock { count in
            count += 1
            return count
        }
    }
}

/// A set, used on any thread.
private final class Numbers: Sendable {
    private let numbers = Mutex<Set<Int>>([])

    /// - Returns: Whether it was not there.
    func insert(_ number: Int) -> Bool { self.numbers.withLock { $0.insert(number).inserted } }

    func remove(_ number: Int) { self.numbers.withLock { _ = $0.remove(number) } }
}
