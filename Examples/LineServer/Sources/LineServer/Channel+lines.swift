// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import NIOCore
import NIOExtras

extension Channel {
    /// Lets the pipeline read and write strings, a line each; on the channel's event loop.
    ///
    /// A line of more than 64 KiB is an error of the pipeline; what is no UTF-8 is repaired.
    ///
    /// - Throws: The pipeline's error, if it takes no handler.
    public func addLineCodec() throws {
        try self.pipeline.syncOperations.addHandlers(
            ByteToMessageHandler(LineBasedFrameDecoder(), maximumBufferSize: LineStrings.longestLine),
            LineStrings()
        )
    }
}

/// A line has more than 64 KiB.
struct LineTooLong: Error {}

/// Frames to strings, and strings to bytes with a line feed.
private final class LineStrings: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = String
    typealias OutboundIn = String
    typealias OutboundOut = ByteBuffer

    /// In bytes.
    static var longestLine: Int { 64 * 1024 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = self.unwrapInboundIn(data)
        // The decoder's limit is for what it keeps; one read may bring more than that, and its end.
        guard frame.readableBytes <= Self.longestLine else { return context.fireErrorCaught(LineTooLong()) }
        context.fireChannelRead(self.wrapInboundOut(String(buffer: frame)))
    }

    /// A server that ends closes its connections.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let line = self.unwrapOutboundIn(data)
        var buffer = context.channel.allocator.buffer(capacity: line.utf8.count + 1)
        buffer.writeString(line)
        buffer.writeInteger(UInt8(ascii: "\n"))
        context.write(self.wrapOutboundOut(buffer), promise: promise)
    }
}
