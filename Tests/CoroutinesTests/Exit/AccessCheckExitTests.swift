// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Coroutines
import Synchronization
import Testing

/// The switch belongs to the whole process, and so do the handler and the policy.
@Suite("The check of accesses across a wait", .timeLimit(.minutes(10)))
struct AccessCheckExitTests {
    private func text(_ result: ExitTest.Result?) throws -> String {
        String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    }

    @inline(never)
    static func add(to ledger: inout Ledger, _ wait: () throws -> Void) throws {
        try wait()
        ledger.total += 1
    }

    @Test func `is on at first in debug builds only`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let book = Book()
            try await withCoroutine { try Self.add(to: &book.ledger) { try Coroutine.yield() } }
            precondition(book.ledger.total == 1)
        }
        #if DEBUG
        let text = try self.text(result)
        #expect(text.contains("the wait for its next turn at CoroutinesTests/AccessCheckExitTests.swift:"))
        #expect(text.contains("access across a wait"))
        #expect(text.split(separator: "\n").count == 1)
        #else
        #expect(try self.text(result).isEmpty)
        #endif
    }

    @Test func `off it reports nothing`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            BridgeDiagnostics.checksAccesses = false
            precondition(!BridgeDiagnostics.checksAccesses)
            let book = Book()
            try await withCoroutine { try Self.add(to: &book.ledger) { try Coroutine.yield() } }
            for _ in Generator({ yield in try Self.add(to: &book.ledger) { try yield(1) } }) {}
            precondition(book.ledger.total == 2)
        }
        #expect(try self.text(result).isEmpty)
    }

    @Test func `on it reports once and again when places are forgotten`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            BridgeDiagnostics.checksAccesses = true
            precondition(BridgeDiagnostics.checksAccesses)
            let book = Book()
            for round in 0..<4 {
                if round == 2 { BridgeDiagnostics.forgetReportedPlaces() }
                try await withCoroutine { try Self.add(to: &book.ledger) { try Coroutine.yield() } }
            }
        }
        #expect(try self.text(result).split(separator: "\n").count == 2)
    }

    /// A handler runs in the coroutine's steps, but the coroutine cannot wait for it.
    @Test func `a handler cannot wait in the coroutine`() async throws {
        await #expect(processExitsWith: .success) {
            BridgeDiagnostics.checksAccesses = true
            let refusals = Mutex(0)
            BridgeDiagnostics.setHandler { misuse in
                // Not of its own wait, which is reported, too.
                guard misuse.kind == .accessAcrossWait else { return }
                do { try Coroutine.yield() } catch {
                    if case CoroutineError.outsideCoroutine = error { refusals.withLock { $0 += 1 } }
                }
            }
            let book = Book()
            try await withCoroutine {
                try Self.add(to: &book.ledger) { try Coroutine.yield() }
                // The coroutine is itself again.
                try Coroutine.yield()
            }
            precondition(refusals.withLock { $0 } == 1)
        }
    }

    @Test func `the policy trap ends the process`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            BridgeDiagnostics.checksAccesses = true
            BridgeDiagnostics.policy = .trap
            let book = Book()
            try await withCoroutine { try Self.add(to: &book.ledger) { try Coroutine.yield() } }
        }
        #expect(try self.text(result).contains("access across a wait"))
    }
}
