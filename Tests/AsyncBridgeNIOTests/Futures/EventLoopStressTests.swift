// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import AsyncBridgeTesting
import Coroutines
import NIOCore
import NIOPosix
import Testing

@Suite("Event loops under stress", .timeLimit(.minutes(60)))
struct EventLoopStressTests {
    @Test
    func `a result and a cancellation that race: one of them arrives, and the work is stopped at most once`()
        async throws
    {
        try await withLoops(2) { group in
            for round in 0..<StressScale.rounds(5_000) {
                let promise = group.next().makePromise(of: Int.self)
                let stops = Count()
                let task = Task {
                    switch round % 3 {
                    case 0: try await promise.futureResult.value()
                    case 1: try await promise.futureResult.value(cancellation: .propagate { stops.add() })
                    default:
                        try await promise.futureResult.coFuture(onCancel: { stops.add() }).value(
                            cancellation: .propagate
                        )
                    }
                }
                // Now and then before it waits, and mostly while it does.
                if !round.isMultiple(of: 7) { await Task.yield() }
                let completing = Task.detached { promise.succeed(round) }
                task.cancel()
                switch await task.result {
                case .success(let value): #expect(value == round)
                case .failure(let error): #expect(error is CancellationError)
                }
                await completing.value
                #expect(stops.value <= (round % 3 == 0 ? 0 : 1))
            }
        }
    }

    @Test
    func `futures of tasks, scopes and promises that end in any way always fulfil their event loop's future`()
        async throws
    {
        try await withLoops(2) { group in
            for round in 0..<StressScale.rounds(3_000) {
                let loop = group.next()
                var future: EventLoopFuture<Int>
                switch round % 3 {
                case 0:
                    // Dropped.
                    future = CoPromise<Int>().eventLoopFuture(on: loop)
                case 1:
                    let promise = CoPromise<Int>()
                    future = promise.eventLoopFuture(on: loop)
                    Task.detached { promise.success(round) }
                    promise.cancel()
                default:
                    let scope = CoScope()
                    future = loop.future(in: scope) {
                        await Task.yield()
                        try Task.checkCancellation()
                        return round
                    }
                    if round.isMultiple(of: 2) { await Task.yield() }
                    scope.cancel()
                }
                if let value = try? await future.get() { #expect(value == round) }
            }
        }
    }

    @Test
    func `lines that peers send are received in order, without a gap, however the peers and the server leave`()
        async throws
    {
        try await withLoops(2) { group in
            let received = Collected<[String]>()
            let ended = Count()
            let listener = try await ServerBootstrap(group: group)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let lines = try channel.bridgeLines(
                            limits: BridgedChannelLimits(low: 0, high: 2, outbound: 1)
                        )
                        channel.eventLoop.scheduler.startCoroutine(onError: { _ in }) {
                            var heard: [String] = []
                            defer {
                                received.append(heard)
                                ended.add()
                            }
                            for line in lines.inbound.makeIterator() {
                                heard.append(line)
                                // Leaves in the middle.
                                if line == "17" { return }
                                try lines.outbound.awaitSend(line)
                            }
                        }
                    }
                }
                .bind(host: "127.0.0.1", port: 0)
                .value()
            guard let address = listener.localAddress else { throw LoopError() }
            let rounds = StressScale.rounds(300)
            for round in 0..<rounds {
                let connected = CoPromise<Lines>()
                let client = ClientBootstrap(group: group).channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { connected.success(try channel.bridgeLines()) }
                }
                _ = try await client.connect(to: address).value()
                let lines = try await connected.value
                let first = (round % 5) * 5
                do {
                    for number in first..<first + 10 { try await lines.outbound.send("\(number)") }
                    for _ in 0..<round % 4 { _ = try await lines.inbound.receive() }
                } catch {
                    // The server has left.
                }
                switch round % 3 {
                case 0: try? await lines.channel.closeWithReset()
                case 1: try? await lines.channel.close().value()
                default: lines.outbound.close()
                }
            }
            await until { ended.value == rounds }
            for heard in received.all {
                let numbers = heard.compactMap { Int($0) }
                if let first = numbers.first { #expect(numbers == Array(first..<first + numbers.count)) }
            }
            try await listener.close().value()
        }
    }
}
#endif
