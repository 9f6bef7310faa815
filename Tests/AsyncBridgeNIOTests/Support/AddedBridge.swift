// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import NIOCore

/// Where a program may add a bridge to a pipeline.
enum BridgePlace: CaseIterable {
    case initializer
    case handlerAdded
    case channelActive
    case channelActiveAfterOthers
    case registered
    case userEvent
    case channelRead
    case readComplete
    case task
}

/// Adds a bridge in one of its events, and passes them all on.
final class BridgeAdder: ChannelInboundHandler {
    typealias InboundIn = Any

    /// Nothing when it is added: events may come again.
    private var place: BridgePlace?
    private let made: (fileID: StaticString, line: UInt)
    private let use: (Lines) -> Void

    init(
        in place: BridgePlace,
        made: (fileID: StaticString, line: UInt) = (#fileID, #line),
        _ use: @escaping (Lines) -> Void
    ) {
        self.place = place
        self.made = made
        self.use = use
    }

    private func add(in place: BridgePlace, _ context: ChannelHandlerContext) {
        guard place == self.place else { return }
        self.place = nil
        do {
            let lines = try context.channel.bridge(
                inbound: String.self,
                outbound: String.self,
                limits: BridgedChannelLimits(outbound: 1),
                fileID: self.made.fileID,
                line: self.made.line
            )
            self.use(lines)
        } catch {
            context.fireErrorCaught(error)
        }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.add(in: .handlerAdded, context) }

    func channelRegistered(context: ChannelHandlerContext) {
        self.add(in: .registered, context)
        context.fireChannelRegistered()
    }

    func channelActive(context: ChannelHandlerContext) {
        self.add(in: .channelActive, context)
        context.fireChannelActive()
        self.add(in: .channelActiveAfterOthers, context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is AddBridge { self.add(in: .userEvent, context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let line = self.unwrapInboundIn(data) as? String
        if line == "add" { return self.add(in: .channelRead, context) }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        self.add(in: .readComplete, context)
        context.fireChannelReadComplete()
    }
}

/// Tells a ``BridgeAdder`` to add its bridge.
struct AddBridge {}
#endif
