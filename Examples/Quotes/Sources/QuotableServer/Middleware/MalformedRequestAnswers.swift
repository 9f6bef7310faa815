// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Gives the answer to bytes that are no HTTP request a body like that of all errors.
///
/// Hummingbird answers such a request itself, before there is one for the router, and with an empty body. No route
/// answers 400 with an empty body, by which the answer is told.
final class MalformedRequestAnswers: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = Self.unwrapOutboundIn(data),
            head.status == .badRequest, head.headerFields[.contentLength] == "0",
            let body = try? JSONEncoder().encode(
                RefusalBody(statusCode: head.status.code, statusMessage: "The request could not be understood")
            )
        else {
            context.write(data, promise: promise)
            return
        }
        head.headerFields[.contentType] = "application/json; charset=utf-8"
        head.headerFields[.contentLength] = "\(body.count)"
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: promise)
    }
}
