// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import NIOCore

/// Counts the reads that pass a bridge.
final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = Any

    var count = 0

    func read(context: ChannelHandlerContext) {
        self.count += 1
        context.read()
    }
}
#endif
