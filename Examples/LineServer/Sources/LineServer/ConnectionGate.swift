// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import NIOCore

/// Accepts no connection while as many are open as may be; those that come wait in the system's queue.
///
/// In the pipeline of the listening channel, in every form: a connection is accepted by a read.
final class ConnectionGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let limit: Int
    private var open = 0
    private var isReadHeld = false
    private var isRemoved = false

    init(_ limit: Int) { self.limit = limit }

    func read(context: ChannelHandlerContext) {
        if self.open < self.limit { context.read() } else { self.isReadHeld = true }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.open += 1
        let (gate, boundContext) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
        // Its descriptor is free then, whatever its code still does.
        self.unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in
            gate.value.connectionHasEnded(boundContext.value)
        }
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.isRemoved = true }

    private func connectionHasEnded(_ context: ChannelHandlerContext) {
        self.open -= 1
        guard self.isReadHeld, !self.isRemoved else { return }
        self.isReadHeld = false
        context.read()
    }
}
