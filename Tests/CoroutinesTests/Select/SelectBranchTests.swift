// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

@Suite("select: every kind of branch, in tasks and coroutines", .timeLimit(.minutes(10)))
struct SelectBranchTests {
    @Test(arguments: Selector.allCases, SelectWorld.Kind.allCases)
    func `the one that happens`(selector: Selector, kind: SelectWorld.Kind) async throws {
        let world = SelectWorld()
        let selected = selector.select { [world.otherBranch, world.branch(kind)] }
        await until { world.other.hasReceivers }
        try await world.trigger(kind)
        #expect(try await selected.value == SelectWorld.outcome(kind))
        try await world.expectNoTrace()
    }

    @Test(arguments: Selector.allCases, SelectWorld.Kind.allCases)
    func `the one that does not`(selector: Selector, kind: SelectWorld.Kind) async throws {
        let world = SelectWorld()
        let selected = selector.select { [world.branch(kind), world.otherBranch] }
        await until { world.other.hasReceivers }
        #expect(world.other.offer(3))
        #expect(try await selected.value == "other 3")
        try await world.expectNoTrace()
        // The channels and the future are as they were.
        #expect(!world.channel.offer(7))
        #expect(world.outbox.poll() == nil)
        #expect(!world.promise.isCancelled)
    }

    @Test(arguments: Selector.allCases, SelectWorld.Kind.allCases)
    func `cancelled while it waits`(selector: Selector, kind: SelectWorld.Kind) async throws {
        let world = SelectWorld()
        let log = EventLog()
        let selected = selector.select(log: log) { [world.branch(kind), world.otherBranch] }
        await until { world.other.hasReceivers }
        selected.cancel()
        await #expect(throws: CancellationError.self) { try await selected.value }
        try await log.events(atLeast: 1)
        let isSending = kind == .send || kind == .sendToHalf
        try await world.expectNoTrace(undelivered: isSending ? ["element"] : [])
    }

    /// All at once, with all that is needed for each of them.
    @Test(arguments: Selector.allCases)
    func `one of all at once`(selector: Selector) async throws {
        // The error of a future may be thrown: below.
        for kind in SelectWorld.Kind.allCases where kind != .failure {
            let world = SelectWorld()
            let selected = selector.select { SelectWorld.Kind.allCases.map { world.branch($0) } + [world.otherBranch] }
            await until { world.other.hasReceivers }
            try await world.trigger(kind)
            let outcome = try await selected.value
            switch kind {
            case .receive, .receiveFromHalf, .receiveMapped, .result, .resultFromHalf:
                #expect(["7", "twice mapped 7", "success(7)"].contains(outcome))
            case .value, .resultOfFuture: #expect(["7", "success(7)", "not failed"].contains(outcome))
            case .send, .sendToHalf, .after, .failure: #expect(outcome == SelectWorld.outcome(kind))
            }
            try await world.expectNoTrace()
        }
    }
}
