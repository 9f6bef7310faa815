// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import HTTPTypes
public import NIOCore
public import NIOHTTPTypes

/// Gives the answer to bytes that are no HTTP request a body like that of all errors.
///
/// Hummingbird answers such a request itself, before there is one for the router, and with an empty body. No route
/// answers 400 with an empty body, by which the answer is told.
public final class MalformedRequestAnswers: ChannelOutboundHandler, RemovableChannelHandler {
    /// The parts of an answer.
    public typealias OutboundIn = HTTPResponsePart
    /// The parts of an answer.
    public typealias OutboundOut = HTTPResponsePart

    private let json: String

    /// - Parameter json: The body.
    public init(json: String) { self.json = json }

    /// Passes on a part of an answer, with the body if it has none.
    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = Self.unwrapOutboundIn(data),
            head.status == .badRequest, head.headerFields[.contentLength] == "0"
        else {
            context.write(data, promise: promise)
            return
        }
        head.headerFields[.contentType] = "application/json; charset=utf-8"
        head.headerFields[.contentLength] = "\(self.json.utf8.count)"
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(ByteBuffer(string: self.json))), promise: promise)
    }
}
