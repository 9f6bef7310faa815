// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import NIOCore
import NIOPosix
import QuoteKit
import Synchronization

/// A server that answers as it is told, be it wrong.
///
/// Each connection serves one request.
final class FaultyServer: Sendable {
    /// What a request gets.
    enum Reply: Sendable {
        /// An answer as it should be.
        case answer(Int, body: String)
        /// These bytes, and the end of the connection.
        case bytes(String)
        /// Nothing, forever.
        case nothing
    }

    /// Gets `asked` for each request and `closed` for each connection that the client closed.
    let log = EventLog()
    private let replies: Mutex<[Reply]>
    private let last: Reply

    /// Runs a server, which gives the replies in turn, and the last one from then on.
    static func run<Value>(
        _ replies: Reply...,
        body: (FaultyServer, _ url: String) async throws -> Value
    ) async throws -> Value {
        let server = Self(replies)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = listener.localAddress?.port ?? 0
        do {
            let value = try await body(server, "http://127.0.0.1:\(port)")
            try await listener.close()
            return value
        } catch {
            try? await listener.close()
            throw error
        }
    }

    private init(_ replies: [Reply]) {
        self.last = replies.last ?? .nothing
        self.replies = Mutex(replies)
    }

    /// How many requests have come.
    var requestCount: Int { self.log.events.count { $0 == "asked" } }

    private func next() -> Reply {
        self.log.record("asked")
        return self.replies.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? self.last
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let server: FaultyServer
        private var head = ""
        private var isAnswered = false

        init(_ server: FaultyServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.head += String(buffer: self.unwrapInboundIn(data))
            guard !self.isAnswered, self.head.contains("\r\n\r\n") else { return }
            self.isAnswered = true
            switch self.server.next() {
            case .answer(let status, let body):
                let head = "HTTP/1.1 \(status) -\r\nConnection: close\r\nContent-Length: \(body.utf8.count)"
                self.send("\(head)\r\n\r\n\(body)", context)
            case .bytes(let text):
                self.send(text, context)
            case .nothing:
                break
            }
        }

        func channelInactive(context: ChannelHandlerContext) { self.server.log.record("closed") }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func send(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            context.close(promise: nil)
        }
    }
}
