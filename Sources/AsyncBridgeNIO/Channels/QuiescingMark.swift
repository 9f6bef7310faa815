// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import NIOCore

/// Says in a pipeline that the server ends, for a bridge that is added later: the event is sent only once.
final class QuiescingMark: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    /// Leaves a mark in a channel without a bridge, on its loop.
    static func add(to channel: any Channel) {
        let pipeline = channel.pipeline.syncOperations
        guard (try? pipeline.context(handlerType: BridgeHandler.self)) == nil,
            (try? pipeline.context(handlerType: Self.self)) == nil
        else { return }
        // If the channel is closed, nobody will look for it.
        try? pipeline.addHandler(QuiescingMark())
    }

    /// Takes the mark away, on the channel's loop.
    ///
    /// - Returns: Whether there was one.
    static func remove(from channel: any Channel) -> Bool {
        let pipeline = channel.pipeline.syncOperations
        guard let context = try? pipeline.context(handlerType: Self.self) else { return false }
        pipeline.removeHandler(context: context, promise: nil)
        return true
    }
}
#endif
