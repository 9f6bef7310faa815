// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines
import Dispatch
import Testing

@Suite("Channels between coroutines and tasks", .timeLimit(.minutes(10)))
struct ChannelInCoroutineTests {
    static let bufferTypes: [BufferingPolicy] = [
        .rendezvous, .bounded(capacity: 1), .bounded(capacity: 8), .unbounded,
    ]

    @Test(arguments: bufferTypes)
    func `from coroutine to task`(type: BufferingPolicy) async throws {
        let channel = CoChannel<Int>(buffering: type)
        let sent = DispatchQueue.global().coroutineFuture {
            for number in 0..<1000 { try channel.awaitSend(number) }
            channel.close()
        }
        var received: [Int] = []
        for try await number in channel { received.append(number) }
        #expect(received == Array(0..<1000))
        try await sent.value
    }

    @Test(arguments: bufferTypes)
    func `from task to coroutine of a task`(type: BufferingPolicy) async throws {
        let channel = CoChannel<Int>(buffering: type)
        let sender = Task {
            for number in 0..<1000 { try await channel.send(number) }
            channel.close()
        }
        let received = try await withCoroutine { Array(channel.makeIterator()) }
        #expect(received == Array(0..<1000))
        try await sender.value
    }

    @Test(arguments: bufferTypes)
    func `on a serial scheduler`(type: BufferingPolicy) async throws {
        let channel = CoChannel<Int>(buffering: type)
        let scheduler = SerialScheduler()
        scheduler.startCoroutine {
            for number in 0..<1000 { try channel.awaitSend(number) }
            channel.close()
        }
        let received = scheduler.coroutineFuture { Array(channel.makeIterator()) }
        #expect(try await received.value == Array(0..<1000))
    }

    @Test
    func `a serial scheduler on one that runs at once goes on in a loop, not in a recursion`() throws {
        let scheduler = SerialScheduler(on: ImmediateScheduler())
        let channel = CoChannel<Int>(buffering: .rendezvous)
        scheduler.startCoroutine {
            for number in 0..<100_000 { try channel.awaitSend(number) }
            channel.close()
        }
        let count = scheduler.coroutineFuture { channel.makeIterator().reduce(0) { count, _ in count + 1 } }
        #expect(try count.result?.get() == 100_000)
    }
}
