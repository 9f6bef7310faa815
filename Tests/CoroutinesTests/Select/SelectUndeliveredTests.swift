// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

/// What becomes of an element that a selection was to send, and did not.
@Suite("select: the element that was not sent", .timeLimit(.minutes(10)))
struct SelectUndeliveredTests {
    let undelivered = Collected<Int>()
    let outbox: CoChannel<Int>
    let other = CoChannel<Int>(buffering: .rendezvous)

    init() {
        let undelivered = self.undelivered
        self.outbox = CoChannel(buffering: .rendezvous, onUndelivered: { undelivered.append($0) })
    }

    @Test(arguments: Selector.allCases)
    func `the channel has ended`(selector: Selector) async throws {
        let outbox = self.outbox
        outbox.close()
        let selected = selector.select { [.send(1, to: outbox) { true }] }
        await #expect(throws: CoChannelError.closed) { try await selected.value }
        let fromHalf = selector.select { [.send(2, to: outbox.sender) { true }] }
        await #expect(throws: CoChannelError.closed) { try await fromHalf.value }
        #expect(self.undelivered.all == [1, 2])
    }

    @Test(arguments: Selector.allCases)
    func `the channel ends meanwhile`(selector: Selector) async throws {
        let (outbox, other) = (self.outbox, self.other)
        let selected = selector.select { [.send(1, to: outbox) { 0 }, .receive(from: other) { $0 }] }
        await until { outbox.hasSenders && other.hasReceivers }
        outbox.close()
        await #expect(throws: CoChannelError.closed) { try await selected.value }
        #expect(self.undelivered.all == [1])
        #expect(!other.hasReceivers)
    }

    @Test(arguments: Selector.allCases)
    func `the wait is cancelled`(selector: Selector) async throws {
        let (outbox, other, log) = (self.outbox, self.other, EventLog())
        let selected = selector.select(log: log) {
            [.send(1, to: outbox) { 0 }, .send(2, to: outbox) { 0 }, .receive(from: other) { $0 }]
        }
        await until { other.hasReceivers }
        selected.cancel()
        await #expect(throws: CancellationError.self) { try await selected.value }
        try await log.events(atLeast: 1)
        #expect(self.undelivered.all.sorted() == [1, 2])
        #expect(!outbox.hasSenders)
    }

    @Test func `a coroutine that was cancelled before`() async throws {
        let outbox = self.outbox
        let task = Task {
            try await withCoroutine {
                withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try select(.send(1, to: outbox) { 0 })
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(self.undelivered.all == [1])
    }

    @Test func `outside a coroutine`() {
        func selectHere() {
            #expect(throws: CoroutineError.outsideCoroutine) {
                try select(.send(1, to: self.outbox) { 1 }, .send(2, to: self.outbox.sender) { 1 })
            }
        }
        selectHere()
        #expect(self.undelivered.all == [1, 2])
    }

    /// The coroutine is dropped while it waits, and unwound.
    @Test func `the coroutine is dropped`() {
        let (outbox, other, scheduler) = (self.outbox, self.other, ManualScheduler())
        let coroutine = scheduler.startCoroutine {
            _ = try select(.send(1, to: outbox) { 0 }, .receive(from: other) { $0 })
        }
        scheduler.run()
        coroutine.cancel()
        scheduler.dropOne()
        #expect(self.undelivered.all == [1])
        #expect(!outbox.hasSenders && !other.hasReceivers)
    }

    /// If another branch happens, the element is released, and not undelivered: the caller chose that.
    @Test(arguments: Selector.allCases)
    func `another branch happens`(selector: Selector) async throws {
        let (outbox, other) = (self.outbox, self.other)
        let selected = selector.select { [.send(1, to: outbox) { 0 }, .receive(from: other) { $0 }] }
        await until { outbox.hasSenders && other.hasReceivers }
        #expect(other.offer(5))
        #expect(try await selected.value == 5)
        let full = CoChannel<Int>()
        full.offer(6)
        #expect(try await selector.select { [.send(1, to: outbox) { 0 }, .receive(from: full) { $0 }] }.value == 6)
        #expect(self.undelivered.all == [])
    }

    /// What was handed over before the wait was given up stays where it is.
    @Test func `sent and then dropped`() {
        let (outbox, scheduler) = (self.outbox, ManualScheduler())
        scheduler.startCoroutine { _ = try select(.send(1, to: outbox) { 0 }) }
        scheduler.run()
        #expect(outbox.poll() == 1)
        scheduler.dropOne()
        #expect(self.undelivered.all == [])
    }

    /// Its element would be sent twice, or given up twice.
    @Test func `a branch that is used again`() async {
        await #expect(processExitsWith: .failure) {
            let outbox = CoChannel<Int>()
            try await withCoroutine {
                let branch: SelectBranch<Int> = .send(1, to: outbox) { 0 }
                #expect(try select(branch) == 0)
                _ = try select(branch)
            }
        }
        await #expect(processExitsWith: .failure) {
            func selectHere() {
                let branch: SelectBranch<Int> = .send(1, to: CoChannel<Int>()) { 0 }
                #expect(throws: CoroutineError.outsideCoroutine) { try select(branch) }
                _ = try? select(branch)
            }
            selectHere()
        }
        // While it waits: in the same coroutine's thread, by another coroutine.
        await #expect(processExitsWith: .failure) {
            let (outbox, scheduler) = (CoChannel<Int>(buffering: .rendezvous), ManualScheduler())
            let branches = Collected<SentBranch>()
            branches.append(SentBranch(branch: .send(1, to: outbox) { 0 }))
            for _ in 0..<2 { scheduler.startCoroutine { _ = try select(branches.all[0].branch) } }
            scheduler.run()
        }
    }
}

/// Safe: used by coroutines of one thread.
private struct SentBranch: @unchecked Sendable { let branch: SelectBranch<Int> }
