// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines
import Testing

#if DEBUG

/// Real conflicts are found, before and after a coroutine has changed threads.
///
/// In debug builds only: the optimiser removes checks.
@Suite("A real conflict of accesses ends the process", .timeLimit(.minutes(10)))
struct ExclusivityExitTests {
    typealias Account = ExclusivityTests.Account

    static func expectConflict(_ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation) {
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Simultaneous accesses to"), sourceLocation: sourceLocation)
    }

    @Test func `within a coroutine`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let account = Account()
            try await withCoroutine {
                ExclusivityTests.modify(&account.balance, &account.log) { account.balance += 1 }
            }
        }
        Self.expectConflict(result)
    }

    @Test func `after it has changed threads`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let threads = ThreadPair()
            let task = Task(executorPreference: threads) {
                let account = Account()
                try await withCoroutine {
                    try ExclusivityTests.modify(&account.balance, &account.log) {
                        try ExclusivityTests.hop(on: threads)
                        account.balance += 1
                    }
                }
            }
            try await task.value
        }
        Self.expectConflict(result)
    }

    @Test func `between suspended code and its operation`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let account = Account()
            try await withCoroutine {
                try ExclusivityTests.modify(&account.balance, &account.log) {
                    try Coroutine.await {
                        await Task.yield()
                        account.balance += 1
                    }
                }
            }
        }
        Self.expectConflict(result)
    }

    @Test func `with an access of the task`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            func modify(_ number: inout Int, _ account: Account) async throws {
                try await withCoroutine {
                    try Coroutine.yield()
                    account.balance += 1
                }
                number += 1
            }
            let account = Account()
            try await modify(&account.balance, account)
        }
        Self.expectConflict(result)
    }

    @Test func `on a scheduler`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let threads = ThreadPair()
            await withCheckedContinuation { continuation in
                threads.startCoroutine {
                    let account = Account()
                    try ExclusivityTests.modify(&account.balance, &account.log) {
                        try Coroutine.yield()
                        account.balance += 1
                    }
                    continuation.resume()
                }
            }
        }
        Self.expectConflict(result)
    }

    /// The other tests would pass if every process ended so.
    @Test func `without a conflict the process ends well`() async throws {
        await #expect(processExitsWith: .success) {
            let (account, other) = (Account(), Account())
            try await withCoroutine {
                try ExclusivityTests.modify(&account.balance, &account.log) {
                    try Coroutine.yield()
                    other.balance += 1
                    account.name += "."
                }
            }
        }
    }
}

#endif
