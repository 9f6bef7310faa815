// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Coroutines
import Testing

/// Channels that have ended, futures that have failed, and defaults.
@Suite("select: ends, errors and defaults", .timeLimit(.minutes(10)))
struct SelectEndTests {
    @Test(arguments: Selector.allCases)
    func `a closed channel can be received from at once`(selector: Selector) async throws {
        let (closed, open) = (CoChannel<Int>(), CoChannel<Int>())
        closed.offer(1)
        closed.close()
        let first = selector.select { [.receive(from: closed) { $0 }, .receive(from: open) { $0 }] }
        #expect(try await first.value == 1)
        let second = selector.select { [.receive(from: closed) { $0 }, .receive(from: open) { $0 }] }
        await #expect(throws: CoChannelError.closed) { try await second.value }
        let third = selector.select { [.result(from: closed) { (try? $0.get()) ?? -1 }, .receive(from: open) { $0 }] }
        #expect(try await third.value == -1)
        #expect(!open.hasReceivers)
    }

    @Test(arguments: Selector.allCases)
    func `a channel that ends meanwhile`(selector: Selector) async throws {
        let (ending, open) = (CoChannel<Int>(), CoChannel<Int>())
        let closed = selector.select { [.receive(from: ending) { $0 }, .receive(from: open) { $0 }] }
        await until { open.hasReceivers }
        ending.close()
        await #expect(throws: CoChannelError.closed) { try await closed.value }
        #expect(!open.hasReceivers)

        let cancelled = selector.select { [.receive(from: open) { $0 }] }
        await until { open.hasReceivers }
        open.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    @Test(arguments: Selector.allCases)
    func `sender that is gone`(selector: Selector) async throws {
        var pair: (receiver: CoChannel<Int>.Receiver, sender: CoChannel<Int>.Sender)? = CoChannel<Int>().pair
        let receiver = try #require(pair?.receiver)
        let selected = selector.select { [.receive(from: receiver) { $0 }] }
        pair = nil
        await #expect(throws: CoChannelError.self) { try await selected.value }
    }

    @Test(arguments: Selector.allCases)
    func `a future that fails`(selector: Selector) async throws {
        let (promise, channel) = (CoPromise<Int>(), CoChannel<Int>())
        let branches: @Sendable () -> [SelectBranch<Int>] = {
            [.value(of: promise) { $0 }, .receive(from: channel) { $0 }]
        }
        let waiting = selector.select(branches)
        await until { channel.hasReceivers }
        promise.fail(Failure(1))
        await #expect(throws: Failure(1)) { try await waiting.value }
        await #expect(throws: Failure(1)) { try await selector.select(branches).value }
    }

    @Test(arguments: Selector.allCases)
    func `what the closure throws`(selector: Selector) async throws {
        let (channel, other) = (CoChannel<Int>(), CoChannel<Int>())
        channel.offer(1)
        let selected = selector.select { () -> [SelectBranch<Int>] in
            [.receive(from: channel) { throw Failure($0) }, .receive(from: other) { $0 }]
        }
        await #expect(throws: Failure(1)) { try await selected.value }
        #expect(channel.isEmpty)
        #expect(!other.hasReceivers)
    }

    // MARK: Defaults

    @Test(arguments: Selector.allCases, [0, 1, 2])
    func `a default happens if nothing else can`(selector: Selector, place: Int) async throws {
        let (left, right) = (CoChannel<Int>(buffering: .rendezvous), CoChannel<Int>(buffering: .rendezvous))
        let promise = CoPromise<Int>()
        @Sendable func branches() -> [SelectBranch<Int>] {
            var branches: [SelectBranch<Int>] = [
                .receive(from: left) { $0 }, .send(1, to: right) { 0 }, .value(of: promise) { $0 },
            ]
            branches.insert(.otherwise { -1 }, at: place)
            return branches
        }
        #expect(try await selector.select { branches() }.value == -1)
        #expect(!left.hasReceivers && !right.hasSenders)
        promise.success(5)
        #expect(try await selector.select { branches() }.value == 5)
    }

    @Test(arguments: Selector.allCases)
    func `a default alone`(selector: Selector) async throws {
        #expect(try await selector.select { [.otherwise { 1 }] }.value == 1)
    }

    @Test func `outside a coroutine`() async {
        func selectHere() { #expect(throws: CoroutineError.outsideCoroutine) { try select(.otherwise { 1 }) } }
        selectHere()
    }
}
