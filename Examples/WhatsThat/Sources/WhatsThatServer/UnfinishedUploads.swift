// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends the connection of a client that was answered in the middle of its upload.
///
/// Such a client may see the answer only when it has sent all: so what it sends is read and dropped, up to a limit and
/// for some time. To close the connection at once would take the answer away, and to read forever is what an attacker
/// wants.
final class UnfinishedUploads: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limit: Int
    private let time: TimeAmount
    /// How many requests came to their ends, minus how many answers did.
    private var unanswered = 0
    private var dropped = 0
    /// The answer was sent in the middle of the upload.
    private var isDropping = false
    private var isWritten = false
    /// Nothing more comes that could be understood.
    private var isOver = false
    private var end: Scheduled<Void>?

    /// - Parameters:
    ///   - limit: How many bytes are dropped.
    ///   - time: How long they are.
    init(limit: Int = 64 << 20, time: TimeAmount = .seconds(10)) {
        self.limit = limit
        self.time = time
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = Self.unwrapInboundIn(data)
        if case .end = part { self.unanswered += 1 }
        guard self.isDropping else {
            context.fireChannelRead(data)
            return
        }
        switch part {
        case .head: break
        case .body(let bytes):
            self.dropped += bytes.readableBytes
            if self.dropped > self.limit { context.close(promise: nil) }
        case .end:
            self.isOver = true
            self.closeIfDone(context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Nobody else asks for more.
        if self.isDropping { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.isOver = true
        context.fireErrorCaught(error)
        self.closeIfDone(context)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch Self.unwrapOutboundIn(data) {
        case .head(var head) where self.unanswered == 0:
            head.headerFields[.connection] = "close"
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        case .end where self.unanswered == 0:
            self.drop(context, data, promise)
        case .end:
            self.unanswered -= 1
            context.write(data, promise: promise)
        case .head, .body:
            context.write(data, promise: promise)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // Some clients stop sending when they see it, and do not look at the answer.
        if self.isDropping, mode == .output {
            promise?.succeed(())
        } else {
            context.close(mode: mode, promise: promise)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.end?.cancel() }

    private func drop(_ context: ChannelHandlerContext, _ end: NIOAny, _ promise: EventLoopPromise<Void>?) {
        self.isDropping = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.whenComplete { _ in
            let (handler, context) = bound.value
            handler.isWritten = true
            handler.closeIfDone(context)
        }
        self.end = context.eventLoop.scheduleTask(in: self.time) { bound.value.1.close(promise: nil) }
        context.writeAndFlush(end, promise: written)
        context.read()
    }

    private func closeIfDone(_ context: ChannelHandlerContext) {
        if self.isDropping, self.isWritten, self.isOver { context.close(promise: nil) }
    }
}
