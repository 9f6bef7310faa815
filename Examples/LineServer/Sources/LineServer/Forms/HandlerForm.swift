// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeNIO
import NIOCore
import NIOPosix
import Synchronization

/// The server as a handler of NIO: where the other forms wait, this one has a state, and each event looks at it.
final class HandlerForm: ChannelDuplexHandler {
    typealias InboundIn = String
    typealias OutboundIn = Never
    typealias OutboundOut = String

    private let room: Room
    /// Lines that came while something was waited for.
    private var lines = CircularBuffer<String>()
    private var seat: Room.Seat?
    /// The numbers that are still to be sent.
    private var numbers: (next: Int, last: Int)?
    private var waitsForRoom = false
    private var isReadHeld = false
    private var hasInputEnded = false
    private var isEnding = false
    private var isRemoved = false
    private var isAnswering = false

    init(room: Room) { self.room = room }

    func handlerAdded(context: ChannelHandlerContext) { self.room.beginVisit() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.lines.append(self.unwrapInboundIn(data))
        self.answer(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if self.isIdle { context.read() } else { self.isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.answer(context)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            self.hasInputEnded = true
            self.answer(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.isEnding = true
        self.leave()
        context.fireChannelInactive()
    }

    /// Comes also if the channel was closed before it was active.
    func handlerRemoved(context: ChannelHandlerContext) {
        self.isRemoved = true
        if !self.waitsForRoom { self.room.endVisit() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    // MARK: Answers

    /// Whether nothing is to be done before the next line is read.
    private var isIdle: Bool { self.lines.isEmpty && self.numbers == nil && !self.waitsForRoom }

    /// Answers as long as the channel takes it.
    private func answer(_ context: ChannelHandlerContext) {
        // A flush can make the channel writable, and come back here.
        guard !self.isAnswering else { return }
        self.isAnswering = true
        defer { self.isAnswering = false }
        while !self.isEnding, !self.waitsForRoom {
            guard context.channel.isWritable else {
                context.flush()
                // In the event loop's next turn: a client that reads as fast as this writes is not its only one.
                if context.channel.isWritable { self.answerLater(context) }
                return
            }
            if let (number, last) = self.numbers {
                self.numbers = number < last ? (number + 1, last) : nil
                context.write(self.wrapOutboundOut("\(number)"), promise: nil)
            } else if let line = self.lines.popFirst() {
                self.obey(Command(line), context)
            } else if self.hasInputEnded {
                self.end(context)
            } else {
                break
            }
        }
        // Lines that came by one read are answered by one flush: `channelReadComplete`.
        if self.isReadHeld, self.isIdle {
            self.isReadHeld = false
            context.flush()
            context.read()
        }
    }

    private func answerLater(_ context: ChannelHandlerContext) {
        let (handler, boundContext) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
        context.eventLoop.execute { handler.value.answer(boundContext.value) }
    }

    private func obey(_ command: Command, _ context: ChannelHandlerContext) {
        switch (command, self.seat) {
        case (.say(let line), let seat?):
            self.wait(for: self.room.say(line, from: seat), context) { _, _ in }
        case (.say(let line), nil), (.wrong(let line), _):
            context.write(self.wrapOutboundOut(line), promise: nil)
        case (.join(let name), nil):
            let (channel, count) = (context.channel, LineCount())
            let member = Room.Member(name: name) { line in
                // The room may be on another loop, and would run ahead of a busy one without a limit.
                guard channel.isWritable, count.onTheWay.load(ordering: .relaxed) < 16 else { return false }
                count.onTheWay.add(1, ordering: .relaxed)
                channel.writeAndFlush(line).whenComplete { _ in count.onTheWay.subtract(1, ordering: .relaxed) }
                return true
            }
            self.wait(for: self.room.join(member), context) { handler, seat in
                handler.seat = seat
                if handler.isEnding { handler.leave() }
            }
        case (.join, _?):
            context.write(self.wrapOutboundOut("? you are here already"), promise: nil)
        case (.count(let last), _):
            if last > 0 { self.numbers = (1, last) }
        case (.quit, _):
            self.end(context)
        }
    }

    /// How many of the room's lines a client's event loop has yet to write.
    private final class LineCount: Sendable {
        let onTheWay = Atomic(0)
    }

    private func wait<Value: Sendable>(
        for future: EventLoopFuture<Value>,
        _ context: ChannelHandlerContext,
        then: @escaping @Sendable (HandlerForm, Value) -> Void
    ) {
        self.waitsForRoom = true
        let (handler, boundContext) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
        future.hop(to: context.eventLoop).whenSuccess { value in
            handler.value.waitsForRoom = false
            then(handler.value, value)
            if handler.value.isRemoved { return handler.value.room.endVisit() }
            handler.value.answer(boundContext.value)
        }
    }

    /// Closes the connection when all was sent.
    private func end(_ context: ChannelHandlerContext) {
        self.isEnding = true
        self.leave()
        context.flush()
        let bound = context.loopBound
        context.close(mode: .output).whenComplete { _ in bound.value.close(promise: nil) }
    }

    private func leave() {
        if let seat = self.seat { self.room.leave(seat) }
        self.seat = nil
    }

    // MARK: The server

    /// Starts to listen.
    static func listen(on address: Address, room: Room) async throws -> any Channel {
        try await ServerBootstrap(lines: address)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.addLineCodec()
                    try channel.pipeline.syncOperations.addHandler(HandlerForm(room: room))
                }
            }
            .bind(host: address.host, port: address.port)
            .value()
    }
}
