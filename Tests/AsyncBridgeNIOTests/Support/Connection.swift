// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

typealias Lines = BridgedChannel<String, String>

/// Lines, separated by a line feed; `!` is no line.
final class LineDecoder: ByteToMessageDecoder {
    typealias InboundOut = String

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let end = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else { return .needMoreData }
        let line = buffer.readString(length: end - buffer.readerIndex) ?? ""
        buffer.moveReaderIndex(forwardBy: 1)
        if line == "!" { throw LoopError() }
        context.fireChannelRead(Self.wrapInboundOut(line))
        return .continue
    }

    func decodeLast(context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool) throws -> DecodingState {
        try self.decode(context: context, buffer: &buffer)
    }
}

/// The other way; `?` cannot be sent.
final class LineEncoder: MessageToByteEncoder {
    typealias OutboundIn = String

    func encode(data: String, out: inout ByteBuffer) throws {
        if data == "?" { throw LoopError() }
        out.writeString(data + "\n")
    }
}

extension Channel {
    /// Adds the codec and the bridge.
    func bridgeLines(limits: BridgedChannelLimits = BridgedChannelLimits()) throws -> Lines {
        try self.pipeline.syncOperations.addHandlers(
            ByteToMessageHandler(LineDecoder()),
            MessageToByteHandler(LineEncoder())
        )
        return try self.bridge(inbound: String.self, outbound: String.self, limits: limits)
    }
}

extension Channel {
    /// Closes it so that the peer sees a reset.
    func closeWithReset() async throws {
        try await self.eventLoop.flatSubmit { () -> EventLoopFuture<Void> in
            guard let provider = self as? any SocketOptionProvider else {
                return self.eventLoop.makeFailedFuture(LoopError())
            }
            return provider.setSoLinger(linger(l_onoff: 1, l_linger: 0)).flatMap { self.close() }
        }
        .value()
    }
}

/// Runs code with the client's end of a connection over loopback, whose other end a server serves.
func withClient<Value>(
    serverLimits: BridgedChannelLimits = BridgedChannelLimits(),
    clientReads: Bool = true,
    serve: @escaping @Sendable (Lines) -> Void,
    _ body: (_ client: Lines) async throws -> Value
) async throws -> Value {
    try await withLoops(2) { group in
        let listener = try await ServerBootstrap(group: group)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { serve(try channel.bridgeLines(limits: serverLimits)) }
            }
            .bind(host: "127.0.0.1", port: 0)
            .value()
        let connected = CoPromise<Lines>()
        let client = ClientBootstrap(group: group)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.autoRead, value: clientReads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { connected.success(try channel.bridgeLines()) }
            }
        guard let address = listener.localAddress else { throw LoopError() }
        _ = try await client.connect(to: address).value()
        let result: Result<Value, any Error>
        do { result = .success(try await body(connected.value)) } catch { result = .failure(error) }
        try? await listener.close().value()
        return try result.get()
    }
}

/// Runs code with both ends of a connection over loopback.
func withConnection<Value>(
    serverLimits: BridgedChannelLimits = BridgedChannelLimits(),
    clientReads: Bool = true,
    _ body: (_ server: Lines, _ client: Lines) async throws -> Value
) async throws -> Value {
    let accepted = CoPromise<Lines>()
    return try await withClient(serverLimits: serverLimits, clientReads: clientReads) {
        accepted.success($0)
    } _: { client in
        try await body(accepted.value, client)
    }
}
#endif
