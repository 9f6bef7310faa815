// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import NIOCore
import NIOPosix
import Testing

@Suite("Closing a bridged channel at any moment", .timeLimit(.minutes(60)))
struct BridgeClosingStressTests {
    /// Servers and clients of all kinds, which end in all ways.
    private struct Case: Sendable {
        var serverHasHalves = Bool.random()
        var clientHasHalves = Bool.random()
        var serverLimits = Bool.random() ? BridgedChannelLimits(low: 0, high: 1) : BridgedChannelLimits()
        var isOnItsLoop = Bool.random()
        var answers = Int.random(in: 0...64)
        var requests = Int.random(in: 1...100)
        var read = Int.random(in: 1...2)
        var patience = Int.random(in: 0...200)
    }

    private static let word = String(repeating: "x", count: Int.random(in: 1...16_000))

    @Test
    func `a client that sends more than is read gets all of the answer`() async throws {
        try await withLoops(2) { group in
            for _ in 0..<StressScale.rounds(60) { try await self.run(Case(), group) }
        }
    }

    private func run(_ it: Case, _ group: MultiThreadedEventLoopGroup) async throws {
        let served = CoPromise<any Channel>()
        let listener = try await ServerBootstrap(group: group)
            .childChannelOption(.allowRemoteHalfClosure, value: it.serverHasHalves)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let lines = try channel.bridgeLines(limits: it.serverLimits)
                    served.success(channel)
                    Task(executorPreference: it.isOnItsLoop ? channel.eventLoop.taskExecutor : nil) {
                        for _ in 0..<min(it.read, it.requests) { _ = try await lines.inbound.receive() }
                        for _ in 0..<it.answers { try await lines.outbound.send(Self.word) }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .value()
        let connected = CoPromise<Lines>()
        _ = try await ClientBootstrap(group: group)
            .channelOption(.allowRemoteHalfClosure, value: it.clientHasHalves)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { connected.success(try channel.bridgeLines()) }
            }
            .connect(to: #require(listener.localAddress))
            .value()
        let client = try await connected.value
        let (inbound, outbound, clientChannel) = (client.inbound, client.outbound, client.channel)
        let requesting = Task {
            for _ in 0..<it.requests { try await outbound.send(Self.word) }
        }
        for _ in 0..<it.patience { await Task.yield() }
        var received = 0
        for try await line in inbound where line == Self.word { received += 1 }
        #expect(received == it.answers, "\(it)")
        _ = await requesting.result
        outbound.close()
        try await clientChannel.closeFuture.value()
        try await served.value.closeFuture.value()
        try await listener.close().value()
    }
}
#endif
