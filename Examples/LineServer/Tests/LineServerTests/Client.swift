// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeNIO
import LineServer
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs code beside a server, which ends with it.
func withServer(
    _ form: LineServer.Form,
    threads: Int = 1,
    connections: Int = LineServer.defaultConnections,
    _ body: nonisolated(nonsending) (_ address: SocketAddress) async throws -> Void
) async throws {
    let started = CoPromise<SocketAddress>()
    let server = Task {
        do {
            try await LineServer(form: form, threads: threads, connections: connections).run { address in
                if let address { started.success(address) }
            }
        } catch {
            started.fail(error)
            throw error
        }
    }
    let result: Result<Void, any Error>
    do { result = .success(try await body(started.value)) } catch { result = .failure(error) }
    server.cancel()
    try await server.value
    try result.get()
}

/// One end of a connection, as straight code.
struct Client: Sendable {
    private let lines: BridgedChannel<String, String>

    /// Connects; reads at once, or when it is told to.
    init(to address: SocketAddress, reads: Bool = true) async throws {
        let lines = CoPromise<BridgedChannel<String, String>>()
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.autoRead, value: reads)
            // Little room in the systems' buffers, so that they are full soon.
            .channelOption(.socketOption(.so_rcvbuf), value: 8192)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.addLineCodec()
                    lines.success(try channel.bridge(inbound: String.self, outbound: String.self))
                }
            }
        _ = try await bootstrap.connect(to: address).value()
        self.lines = try await lines.value
    }

    func say(_ text: String...) async throws { for line in text { try await self.lines.outbound.send(line) } }

    /// The next lines.
    func hear(_ count: Int) async throws -> [String] {
        var heard: [String] = []
        for _ in 0..<count { heard.append(try await self.lines.inbound.receive()) }
        return heard
    }

    /// All lines until the server ends the connection.
    func hearAll() async throws -> [String] {
        var heard: [String] = []
        for try await line in self.lines.inbound { heard.append(line) }
        return heard
    }

    /// Says that nothing more will be said.
    func endSpeech() { self.lines.outbound.close() }

    /// Begins or ends to read; what has been read already is heard.
    func read(_ reads: Bool) async throws {
        try await self.lines.channel.setOption(.autoRead, value: reads).value()
        if reads { self.lines.channel.read() }
    }

    /// Goes away without a word.
    func vanish() async throws {
        try await self.lines.channel.eventLoop.flatSubmit { () -> EventLoopFuture<Void> in
            guard let provider = self.lines.channel as? any SocketOptionProvider else {
                return self.lines.channel.close()
            }
            return provider.setSoLinger(linger(l_onoff: 1, l_linger: 0)).flatMap { self.lines.channel.close() }
        }
        .value()
    }

    /// Sends until the system takes no more.
    ///
    /// - Returns: How many lines.
    func sayUntilFull(_ line: String) async throws -> Int {
        let sent = Task {
            var sent = 0
            while (try? await self.lines.outbound.send(line)) != nil { sent += 1 }
            return sent
        }
        // The test's time limit cancels it.
        while self.lines.outbound.count < 16 || self.lines.channel.isWritable, !Task.isCancelled { await Task.yield() }
        sent.cancel()
        return await sent.value
    }
}
