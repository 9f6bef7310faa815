// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Hummingbird
import NIOCore
import NIOPosix
import ServerSupport
import Synchronization
import Testing

@testable import QuotableServer

@Suite("Clients that leave", .timeLimit(.minutes(10)))
struct DepartureTests {
    enum Leaving: CaseIterable {
        case closing, resetting, closingOneHalf
    }

    private func leave(_ channel: any Channel, by way: Leaving) async throws {
        switch way {
        case .closing: break
        case .resetting:
            // Safe: a channel of `ClientBootstrap` is a socket.
            try await (channel as! any SocketOptionProvider).setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        case .closingOneHalf: return try await channel.close(mode: .output)
        }
        try await channel.close()
    }

    @Test(arguments: Leaving.allCases)
    func `have their work cancelled`(leaving: Leaving) async throws {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        try await withLiveServer { router in
            router.get("wait") { _, _ in
                start.yield()
                do { try await Task.sleep(for: .seconds(600)) } catch {
                    end.yield(Task.isCancelled)
                    throw error
                }
                return ""
            }
        } _: { address in
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .connect(host: address.host, port: address.port).get()
            try await channel.writeAndFlush(ByteBuffer(string: "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"))
            _ = await starts.first { _ in true }
            try await self.leave(channel, by: leaving)
            #expect(await ends.first { _ in true } == true)
            try? await channel.close()
        }
    }

    @Test
    func `have their work cancelled, also if they left before it began`() {
        let departures = Departures()
        let isCancelled = Mutex(false)
        departures.begin(on: ObjectIdentifier(departures)) { isCancelled.withLock { $0 = true } }
        #expect(isCancelled.withLock { $0 })
    }

    @Test
    func `do not take the work of others along, nor of the same connection's next request`() async throws {
        try await QuoteServer.withServer(configuration: .init(requestsPerMinute: nil)) { address in
            let client = NetworkTransport(address: address)
            for _ in 0..<100 {
                let gone = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connect(host: address.host, port: address.port).get()
                try await gone.writeAndFlush(ByteBuffer(string: "GET /quotes HTTP/1.1\r\nHost: x\r\n\r\n"))
                try await self.leave(gone, by: .resetting)
                #expect(try await client.answer("/random").status == .ok)
            }
        }
    }
}
