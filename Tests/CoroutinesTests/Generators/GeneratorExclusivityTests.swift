// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// Accesses in progress in a loop and in the bodies of its generators, each on a stack of its own.
@Suite("Accesses in progress around generators", .timeLimit(.minutes(10)))
struct GeneratorExclusivityTests {
    /// Its properties are accessed dynamically.
    class Account {
        var balance = 0
        var other = 0
    }

    /// Does some work in the middle of an access.
    @inline(never)
    static func during(_ number: inout Int, _ work: () throws -> Void) rethrows {
        number += 1
        try work()
        number += 1
    }

    /// Counts the changes of threads that it makes.
    final class Hops {
        private let threads: ThreadPair
        private let suspend: (ThreadPair) throws -> Void
        private(set) var count = 0

        init(
            _ threads: ThreadPair,
            by suspend: @escaping (ThreadPair) throws -> Void = { threads in try Coroutine.await { await threads.hop() }
            }
        ) {
            self.threads = threads
            self.suspend = suspend
        }

        func hop() throws {
            let lane = self.threads.lane
            try self.suspend(self.threads)
            if self.threads.lane != lane { self.count += 1 }
        }
    }

    /// A loop over a generator over a generator: each waits, on both sides of its elements, within accesses.
    static func iterate(elements: Int, _ hops: Hops) throws -> [Int] {
        let (loop, outer, inner) = (Account(), Account(), Account())
        let numbers = Generator { yield in
            for n in 0..<elements {
                try self.during(&inner.balance) {
                    try hops.hop()
                    try yield(n)
                    try hops.hop()
                }
            }
        }
        let doubled = Generator { yield in
            try self.during(&outer.balance) {
                for n in numbers {
                    try self.during(&outer.other) { try yield(2 * n) }
                }
            }
        }
        var iterator = doubled.makeIterator()
        var sum = 0
        var isOver = false
        while !isOver {
            self.during(&loop.balance) {
                if let n = iterator.next() { sum += n } else { isOver = true }
            }
            try self.during(&loop.other) {
                try hops.hop()
                try hops.hop()
            }
        }
        return [sum, loop.balance, loop.other, outer.balance, outer.other, inner.balance]
    }

    static func results(elements count: Int) -> [Int] {
        [count * (count - 1), 2 * (count + 1), 2 * (count + 1), 2, 2 * count, 2 * count]
    }

    @Test
    func `stay apart when the threads change 200,000 times, under stress`() async throws {
        let count = 50_000
        let threads = ThreadPair()
        let task = Task(executorPreference: threads) {
            try await withCoroutine {
                let hops = Hops(threads)
                let results = try Self.iterate(elements: count, hops)
                return (results, hops.count)
            }
        }
        let (results, hops) = try await task.value
        #expect(results == Self.results(elements: count))
        #expect(hops == 4 * count + 2)
    }

    @Test
    func `stay apart on a scheduler`() async throws {
        let threads = ThreadPair()
        let log = EventLog()
        for _ in 0..<4 {
            threads.startCoroutine {
                let hops = Hops(threads) { _ in try Coroutine.yield() }
                let results = try Self.iterate(elements: 1000, hops)
                #expect(results == Self.results(elements: 1000))
                #expect(hops.count == 4002)
                log.record("end")
            }
        }
        try await log.events(atLeast: 4)
    }

    /// Without a coroutine: the lists of several generators, suspended and ended in any order.
    @Test
    func `of several generators, interleaved`() {
        let loop = Account()
        let accounts = (0..<5).map { _ in Account() }
        func iterator(_ account: Account) -> Generator<Int>.Iterator {
            Generator { yield in
                try Self.during(&account.balance) {
                    for n in 1... { try Self.during(&account.other) { try yield(n) } }
                }
            }.makeIterator()
        }
        var iterators = accounts.map(iterator)
        for round in 1...20 {
            Self.during(&loop.balance) {
                for index in iterators.indices.shuffled() { #expect(iterators[index].next() == round) }
            }
        }
        while !iterators.isEmpty {
            Self.during(&loop.other) { _ = iterators.remove(at: iterators.count / 2) }
        }
        // An access that is unwound ends like any other, but for the work that the error skips.
        #expect(accounts.map(\.balance) == Array(repeating: 1, count: 5))
        #expect(accounts.map(\.other) == Array(repeating: 2 * 19 + 1, count: 5))
        #expect([loop.balance, loop.other] == [40, 10])
    }
}

#if DEBUG

/// Real conflicts are found all the same.
///
/// In debug builds only: the optimiser removes checks.
@Suite("A real conflict around a generator ends the process", .timeLimit(.minutes(10)))
struct GeneratorExclusivityExitTests {
    typealias Account = GeneratorExclusivityTests.Account

    private func expectConflict(_ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation) {
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Simultaneous accesses to"), sourceLocation: sourceLocation)
    }

    @Test func `between loop and body`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let account = Account()
            var iterator = Generator { yield in
                account.balance += 1
                try yield(1)
            }.makeIterator()
            GeneratorExclusivityTests.during(&account.balance) { _ = iterator.next() }
        }
        self.expectConflict(result)
    }

    @Test func `within a body that has yielded`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let account = Account()
            let generator = Generator { yield in
                try GeneratorExclusivityTests.during(&account.balance) {
                    try yield(1)
                    account.balance += 1
                }
            }
            for _ in generator {}
        }
        self.expectConflict(result)
    }

    @Test func `within a body that has changed threads`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let threads = ThreadPair()
            let task = Task(executorPreference: threads) {
                try await withCoroutine {
                    let account = Account()
                    let generator = Generator { yield in
                        try GeneratorExclusivityTests.during(&account.balance) {
                            try GeneratorExclusivityTests.Hops(threads).hop()
                            try yield(1)
                            account.balance += 1
                        }
                    }
                    for _ in generator { try GeneratorExclusivityTests.Hops(threads).hop() }
                }
            }
            try await task.value
        }
        self.expectConflict(result)
    }

    /// The other tests would pass if every process ended so.
    @Test func `without a conflict the process ends well`() async {
        await #expect(processExitsWith: .success) {
            let (account, other) = (Account(), Account())
            let generator = Generator { yield in
                try GeneratorExclusivityTests.during(&account.balance) {
                    other.balance += 1
                    try yield(1)
                    other.balance += 1
                }
            }
            for _ in generator { other.other += 1 }
        }
    }
}

#endif
