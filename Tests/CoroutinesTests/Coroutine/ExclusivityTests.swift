// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// Accesses in progress go with the coroutine: not with the thread that it left, not to the thread that it comes to by
/// mistake.
@Suite("Accesses in progress", .timeLimit(.minutes(10)))
struct ExclusivityTests {
    /// Its properties are accessed dynamically.
    class Account {
        var balance = 0
        var log: [Int] = []
        var name = ""
    }

    static let rounds = 1000

    /// Modifies a number while it changes threads.
    ///
    /// - Returns: How often it changed threads.
    @inline(never)
    static func modify(
        _ number: inout Int,
        times count: Int,
        on threads: ThreadPair,
        suspend: () throws -> Void
    ) throws -> Int {
        var changes = 0
        for _ in 0..<count {
            let lane = threads.lane
            try suspend()
            if threads.lane != lane { changes += 1 }
            number += 1
        }
        return changes
    }

    @inline(never)
    static func modify(_ number: inout Int, _ log: inout [Int], _ work: () throws -> Void) rethrows {
        number += 1
        log.append(number)
        try work()
        number += 1
        log.append(number)
    }

    static func hop(on threads: ThreadPair) throws { try Coroutine.await { await threads.hop() } }

    // MARK: In a task

    @Test
    func `one access, resumed on another thread a thousand times`() async throws {
        let threads = ThreadPair()
        let task = Task(executorPreference: threads) {
            let account = Account()
            let changes = try await withCoroutine {
                try Self.modify(&account.balance, times: Self.rounds, on: threads) { try Self.hop(on: threads) }
            }
            return (changes, account.balance)
        }
        let (changes, balance) = try await task.value
        #expect(changes == Self.rounds)
        #expect(balance == Self.rounds)
    }

    @Test
    func `a thousand accesses, each ended on another thread than begun`() async throws {
        let threads = ThreadPair()
        let tasks = (0..<4).map { _ in
            Task(executorPreference: threads) {
                let account = Account()
                try await withCoroutine {
                    for _ in 0..<Self.rounds {
                        try Self.modify(&account.balance, &account.log) {
                            account.name += "."
                            try Self.hop(on: threads)
                            account.name += "."
                        }
                    }
                }
                return (account.balance, account.log.count, account.name.count)
            }
        }
        for task in tasks { #expect(try await task.value == (2 * Self.rounds, 2 * Self.rounds, 2 * Self.rounds)) }
        try await Self.expectNothingInProgress(on: threads)
    }

    /// The code around the coroutine has an access in progress as well, which is the task's.
    @Test
    func `within an access of async code`() async throws {
        func modify(_ text: inout String, _ account: Account, on threads: ThreadPair) async throws {
            for _ in 0..<100 {
                text += "."
                try await withCoroutine {
                    try Self.modify(&account.balance, &account.log) { try Self.hop(on: threads) }
                }
                await threads.hop()
            }
        }
        let threads = ThreadPair()
        let task = Task(executorPreference: threads) {
            let account = Account()
            try await modify(&account.name, account, on: threads)
            return (account.name.count, account.balance)
        }
        #expect(try await task.value == (100, 200))
        try await Self.expectNothingInProgress(on: threads)
    }

    /// An operation has accesses of its own, nested in those of the code that waits for it.
    @Test
    func `of an operation, within those of the code that waits for it`() async throws {
        let threads = ThreadPair()
        func add(to number: inout Int) async {
            await threads.hop()
            number += 1
            await threads.hop()
        }
        let task = Task(executorPreference: threads) {
            let (outer, inner) = (Account(), Account())
            try await withCoroutine {
                for _ in 0..<100 {
                    try Self.modify(&outer.balance, &outer.log) {
                        try Coroutine.await { await add(to: &inner.balance) }
                    }
                }
            }
            return (outer.balance, inner.balance)
        }
        #expect(try await task.value == (200, 100))
        try await Self.expectNothingInProgress(on: threads)
    }

    /// What the thread itself has in progress stays there, whatever coroutine comes and goes.
    @Test
    func `of the thread stay with the thread`() async throws {
        let executor = ManualExecutor()
        let own = Account()
        let task = Task(executorPreference: executor) {
            let account = Account()
            try await withCoroutine {
                for _ in 0..<100 { try Self.modify(&account.balance, &account.log) { try Coroutine.yield() } }
            }
            return account.balance
        }
        // Each job runs within another access of this thread.
        var jobs = 0
        var isOver = false
        while !isOver {
            Self.modify(&own.balance, &own.log) { isOver = !executor.runOne() }
            jobs += 1
        }
        #expect(try await task.value == 200)
        #expect(jobs > 100)
        #expect(own.balance == 2 * jobs)
    }

    // MARK: On a scheduler

    @Test
    func `of a coroutine without a task, resumed on another thread a thousand times`() async throws {
        let threads = ThreadPair()
        let tracker = LifetimeTracker()
        let results = EventLog()
        for _ in 0..<4 {
            let token = tracker.token()
            threads.startCoroutine {
                defer { withExtendedLifetime(token) {} }
                let account = Account()
                let changes = try Self.modify(&account.balance, times: Self.rounds, on: threads) {
                    try Coroutine.yield()
                }
                for _ in 0..<Self.rounds {
                    try Self.modify(&account.balance, &account.log) { try Coroutine.yield() }
                }
                results.record("\(changes) \(account.balance) \(account.log.count)")
            }
        }
        try await tracker.allReleased()
        #expect(results.events == Array(repeating: "\(Self.rounds) \(3 * Self.rounds) \(2 * Self.rounds)", count: 4))
        try await Self.expectNothingInProgress(on: threads)
    }

    // MARK: In generators

    /// Where an access is in progress while the others run.
    struct Places: OptionSet, Sendable {
        let rawValue: Int
        static let coroutine = Self(rawValue: 1)
        static let generator = Self(rawValue: 2)
        static let threads = Self(rawValue: 4)
    }

    /// The generator's accesses, the coroutine's and those of each thread: kept apart when the coroutine changes
    /// threads from within the generator, whichever of the three are in progress.
    @Test(arguments: (0..<8).map { Places(rawValue: $0) })
    func `of a generator that waits`(places: Places) async throws {
        let (inCoroutine, inGenerator) = (places.contains(.coroutine), places.contains(.generator))
        let threads = ThreadPair()
        let own = places.contains(.threads) ? (Account(), Account()) : nil
        nonisolated(unsafe) let ofThreads = own
        let task = Task(executorPreference: HeldExecutor(threads, accounts: ofThreads)) {
            try await withCoroutine {
                let (outer, inner) = (Account(), Account())
                let generator = try RawGenerator { generator in
                    for _ in 0..<100 {
                        if inGenerator {
                            try Self.modify(&inner.balance, &inner.log) {
                                try Self.hop(on: threads)
                                generator.yield()
                                try Self.hop(on: threads)
                            }
                        } else {
                            try Self.hop(on: threads)
                            inner.balance += 2
                            generator.yield()
                        }
                    }
                }
                var elements = 0
                while true {
                    var hasElement = false
                    if inCoroutine {
                        Self.modify(&outer.balance, &outer.log) { hasElement = generator.next() }
                    } else {
                        hasElement = generator.next()
                        outer.balance += 2
                    }
                    guard hasElement else { break }
                    elements += 1
                    try Self.hop(on: threads)
                }
                if let error = generator.error { throw error }
                return (elements, outer.balance, inner.balance)
            }
        }
        #expect(try await task.value == (100, 202, 200))
        try await Self.expectNothingInProgress(on: threads)
    }

    /// Runs the jobs of a task on two threads, each job within an access of its thread.
    ///
    /// Safe: each account is used by one of the threads.
    final class HeldExecutor: TaskExecutor, @unchecked Sendable {
        private let threads: ThreadPair
        private let accounts: (Account, Account)?

        init(_ threads: ThreadPair, accounts: (Account, Account)?) {
            self.threads = threads
            self.accounts = accounts
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            self.threads.perform(on: self.threads.lane ?? .first) {
                guard let accounts = self.accounts else { return self.run(job) }
                let own = self.threads.lane == .first ? accounts.0 : accounts.1
                ExclusivityTests.modify(&own.balance, &own.log) { self.run(job) }
            }
        }

        private func run(_ job: UnownedJob) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    // MARK: Afterwards

    /// Begins and ends accesses on both threads: a list with a node on a stack that is gone would not survive it.
    static func expectNothingInProgress(on threads: ThreadPair) async throws {
        for lane in [ThreadPair.Lane.first, .second] {
            let sum = await withCheckedContinuation { continuation in
                threads.perform(on: lane) {
                    let account = Account()
                    for _ in 0..<100 { Self.modify(&account.balance, &account.log) { account.name += "." } }
                    continuation.resume(returning: account.balance + account.name.count)
                }
            }
            #expect(sum == 300)
        }
    }
}
