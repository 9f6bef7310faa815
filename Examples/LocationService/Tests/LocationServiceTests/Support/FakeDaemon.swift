// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import NIOCore
import NIOPosix
import Synchronization

/// A daemon that says what the test wants: for exact numbers, and for what a real gpsd would never say.
final class FakeDaemon: Sendable {
    static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
    static let watch = #"{"class":"WATCH","enable":true,"json":true,"nmea":false}"#

    /// One client.
    struct Connection: Sendable {
        let channel: any Channel

        /// Sends lines.
        func send(_ lines: String...) async throws {
            try await self.write(lines.map { $0 + "\n" }.joined())
        }

        func write(_ text: String) async throws { try await self.channel.writeAndFlush(ByteBuffer(string: text)).get() }

        func write(bytes: [UInt8]) async throws { try await self.channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() }

        func close() async throws { try await self.channel.close().get() }

        /// Waits until the client has gone.
        func ended() async throws { try await self.channel.closeFuture.get() }
    }

    private let listener = CoPromise<any Channel>()
    private let connections = CoChannel<Connection>(buffering: .unbounded)
    private let open = Mutex<(channels: [ObjectIdentifier: any Channel], isStopped: Bool)>(([:], false))

    var port: Int { (try? self.listener.result?.get())?.localAddress?.port ?? 0 }

    /// How many clients there are.
    var count: Int { self.open.withLock { $0.channels.count } }

    private init() {}

    /// Runs code beside a daemon, which ends with it.
    ///
    /// - Parameters:
    ///   - port: The port; 0 is any free one.
    ///   - greeting: What each client is sent before it has said anything.
    ///   - answer: What each client is sent after its first request.
    ///   - body: The code.
    /// - Returns: What the code returns.
    /// - Throws: What the code throws.
    nonisolated(nonsending) static func with<Result>(
        port: Int = 0,
        greeting: [String] = [FakeDaemon.version],
        answer: [String] = [FakeDaemon.watch],
        _ body: nonisolated(nonsending) (FakeDaemon) async throws -> Result
    ) async throws -> Result {
        let daemon = FakeDaemon()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    daemon.add(channel)
                    let handler = Greeter(greeting: greeting, answer: answer) {
                        daemon.connections.offer(Connection(channel: channel))
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        daemon.listener.success(listener)
        do {
            let result = try await body(daemon)
            try await daemon.stop()
            return result
        } catch {
            try await daemon.stop()
            throw error
        }
    }

    /// Waits until the next client has made its request.
    func connection() async throws -> Connection { try await self.connections.receive() }

    private func add(_ channel: any Channel) {
        let isStopped = self.open.withLock { open in
            open.channels[ObjectIdentifier(channel)] = channel
            return open.isStopped
        }
        channel.closeFuture.whenComplete { _ in
            _ = self.open.withLock { $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
        }
        if isStopped { channel.close(promise: nil) }
    }

    private func stop() async throws {
        try await self.listener.value.close().get()
        let channels = self.open.withLock { open in
            open.isStopped = true
            return Array(open.channels.values)
        }
        for channel in channels { channel.close(promise: nil) }
    }

    private final class Greeter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let greeting: [String]
        private let answer: [String]
        private let onRequest: () -> Void
        private var hasRequest = false

        init(greeting: [String], answer: [String], onRequest: @escaping () -> Void) {
            (self.greeting, self.answer, self.onRequest) = (greeting, answer, onRequest)
        }

        func channelActive(context: ChannelHandlerContext) { self.send(self.greeting, context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !self.hasRequest, String(buffer: self.unwrapInboundIn(data)).hasPrefix("?WATCH={") else { return }
            self.hasRequest = true
            self.send(self.answer, context)
            self.onRequest()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func send(_ lines: [String], _ context: ChannelHandlerContext) {
            let text = lines.map { $0 + "\n" }.joined()
            context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }
    }
}

/// A report of a position, as gpsd writes it.
///
/// - Parameters:
///   - second: Its time, in seconds after ten o'clock.
///   - mode: Whether there is a fix.
///   - device: The receiver.
///   - latitude: Where.
/// - Returns: The line, without its end.
func report(_ second: Int, mode: Int = 3, device: String = "/dev/gps0", latitude: Double = 48.2) -> String {
    let place =
        mode < 2
        ? "" : #","lat":\#(latitude),"lon":16.37,"altMSL":170.5,"epv":34.5,"eph":20.9,"speed":1.4,"track":90.0"#
    return #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"time":"\#(time(second))"\#(place)}"#
}

/// A time, in seconds after ten o'clock, as gpsd writes it.
func time(_ second: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "2026-11-20T\(two(10 + second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)).000Z"
}
