// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import AsyncBridgeFutures
public import NIOCore
import Synchronization

/// The end of a pipeline, where a ``BridgedChannel`` begins: what the state machines decide is done here, on the loop.
///
/// Not generic: what depends on the types of the elements is in ``BridgeElements``.
@usableFromInline
final class BridgeHandler: ChannelDuplexHandler {
    @usableFromInline typealias InboundIn = NIOAny
    @usableFromInline typealias OutboundIn = Never
    @usableFromInline typealias OutboundOut = NIOAny

    private let elements: BridgeElements
    private let window: ReadWindow
    private let lingering: TimeAmount
    private var state = BridgeState()
    private var context: ChannelHandlerContext?
    /// The context's: asked for each element.
    private var channel: (any Channel)?
    private var turns: LoopTurns?
    /// Waits for the next element to write: ``received(_:)`` gets it.
    private var waitForElement: (() -> Void)?
    private var onWrite: (@Sendable (Result<Void, any Error>) -> Void)?
    private var plannedFlush: (@Sendable () -> Void)?
    private var lastWrite: EventLoopFuture<Void>?
    private var needsFlush = false
    private var hasFlushPlanned = false
    private var lingerEnd: Scheduled<Void>?

    /// How many elements are written before other tasks of the loop have their turn.
    private static var batch: Int { 64 }

    @usableFromInline
    init(_ elements: BridgeElements, window: ReadWindow, lingering: TimeAmount) {
        self.elements = elements
        self.window = window
        self.lingering = lingering
    }

    // MARK: The life of the channel

    @usableFromInline
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        self.channel = context.channel
        self.turns = .join(on: context.eventLoop)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        self.waitForElement = self.elements.makeWait(handler)
        // Made once: they are used for each element.
        self.onWrite = { result in
            if case .failure(let error) = result { handler.onLoop { $0.writeHasFailed(error) } }
        }
        self.plannedFlush = {
            handler.value.hasFlushPlanned = false
            handler.value.flush()
        }
        self.elements.whenInboundFinished { handler.onLoop { $0.inboundHasEnded() } }
        if context.channel.isActive { self.pump() }
    }

    @usableFromInline
    func handlerRemoved(context: ChannelHandlerContext) {
        self.end(throwing: ChannelError.ioOnClosedChannel)
        (self.context, self.channel) = (nil, nil)
        self.turns?.leave()
        self.turns = nil
        self.lingerEnd?.cancel()
        self.lingerEnd = nil
        // They hold this handler.
        (self.waitForElement, self.onWrite, self.plannedFlush) = (nil, nil, nil)
    }

    @usableFromInline
    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        self.pump()
    }

    @usableFromInline
    func channelInactive(context: ChannelHandlerContext) {
        self.end(throwing: ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }

    @usableFromInline
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.end(throwing: error, toReceivers: true)
        context.close(promise: nil)
        context.fireErrorCaught(error)
    }

    /// Ends both halves: senders get the error; receivers get what has come, and then the end, or the error too.
    private func end(throwing error: any Error, toReceivers: Bool = false) {
        self.state.endBoth()
        _ = self.window.end()
        // Senders first: a receiver that learns of it must not be able to send any more.
        self.elements.refuseOutbound(error)
        self.elements.closeInbound(toReceivers ? error : nil)
    }

    private func perform(_ action: BridgeState.EndAction) {
        switch action {
        case .none:
            break
        case .closeChannel:
            self.context?.close(promise: nil)
        case .closeOutput:
            // A channel without halves refuses, and is closed when its inbound is over too.
            self.context?.close(mode: .output, promise: nil)
        }
    }

    /// Limits how long a peer that does not read keeps the channel open, when nothing else does.
    private func linger() {
        guard self.state.isLingering, self.lingerEnd == nil, let context = self.context else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        self.lingerEnd = context.eventLoop.scheduleTask(in: self.lingering) {
            handler.value.context?.close(promise: nil)
        }
    }

    // MARK: Inbound

    @usableFromInline
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.turns?.sawInput()
        self.window.received()
        self.elements.receive(data)
    }

    @usableFromInline
    func channelReadComplete(context: ChannelHandlerContext) {
        self.flush()
        context.fireChannelReadComplete()
    }

    @usableFromInline
    func read(context: ChannelHandlerContext) { if self.window.read() { context.read() } }

    @usableFromInline
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            self.elements.closeInbound(nil)
        } else if let receive = self.elements.elementOfEvent(event) {
            self.window.received()
            receive()
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func inboundHasEnded() {
        if self.window.end() { self.context?.read() }
        self.perform(self.state.endInput())
        self.linger()
    }

    // MARK: Outbound

    @usableFromInline
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, self.state.becameWritable() { self.writeAll() }
        context.fireChannelWritabilityChanged()
    }

    /// Begins to write what is sent, unless that is being done already.
    private func pump() { if self.state.beginPumping() { self.writeAll() } }

    /// Writes what has been sent, as long as the channel takes it; then waits for more.
    private func writeAll() {
        var count = 0
        while self.state.isPumping, let context = self.context, let channel = self.channel, let turns = self.turns {
            guard channel.isWritable else {
                self.state.block()
                context.flush()
                // Race: a flush may have made it writable before it was blocked.
                if channel.isWritable, self.state.becameWritable() { continue }
                return
            }
            guard turns.mayWrite() else {
                context.flush()
                return turns.wait(self)
            }
            guard count < Self.batch else {
                context.flush()
                let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
                return context.eventLoop.execute { handler.value.goOn() }
            }
            guard let element = self.elements.poll() else {
                self.planFlush(context)
                if self.state.beginReceiving() { self.waitForElement?() }
                return
            }
            self.write(element, context)
            count += 1
        }
    }

    /// Writes more, if that was not ended meanwhile.
    func goOn() { self.writeAll() }

    /// The wait for an element is over.
    ///
    /// - Parameter element: The element; nothing if all senders are gone.
    @usableFromInline
    func received(_ element: NIOAny?) {
        guard self.state.beginPumping(), let context = self.context else { return }
        if let element { self.write(element, context) } else { self.drain(context) }
        self.writeAll()
    }

    private func write(_ element: NIOAny, _ context: ChannelHandlerContext) {
        let promise = context.eventLoop.makePromise(of: Void.self)
        if let onWrite = self.onWrite { promise.futureResult.whenComplete(onWrite) }
        self.lastWrite = promise.futureResult
        context.write(element, promise: promise)
    }

    /// All senders are gone: ends the output when everything was sent.
    private func drain(_ context: ChannelHandlerContext) {
        guard self.state.endOutput() else { return }
        context.flush()
        guard let lastWrite = self.lastWrite else { return self.perform(self.state.drained()) }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        // A channel sends in the order of the writes.
        lastWrite.whenComplete { _ in handler.onLoop { $0.perform($0.state.drained()) } }
        self.linger()
    }

    private func writeHasFailed(_ error: any Error) {
        // Nothing new if the channel was closed meanwhile.
        guard let context = self.context, context.channel.isActive else { return }
        self.errorCaught(context: context, error: error)
    }

    /// Flushes when the read is over, or the loop has done what else there is to do: elements that come one by one go
    /// together.
    private func planFlush(_ context: ChannelHandlerContext) {
        self.needsFlush = true
        // Also in a read: a handler may keep the read's end from this one.
        guard !self.hasFlushPlanned, let plannedFlush = self.plannedFlush else { return }
        self.hasFlushPlanned = true
        context.eventLoop.execute(plannedFlush)
    }

    private func flush() {
        guard self.needsFlush else { return }
        self.needsFlush = false
        self.context?.flush()
    }
}

/// What a ``BridgeHandler`` does with elements.
///
/// The closures are made where the user calls `bridge`, so that they are specialised there. The witnesses of a generic
/// handler are not, and look up the types of the elements for each of them.
@usableFromInline
struct BridgeElements {
    /// Gives an element to the consumer.
    let receive: (NIOAny) -> Void
    /// How to receive the element that a user event stands for, if any.
    let elementOfEvent: (Any) -> (() -> Void)?
    let closeInbound: ((any Error)?) -> Void
    let whenInboundFinished: (@escaping @Sendable () -> Void) -> Void
    /// The next element to write, if there is one.
    let poll: () -> NIOAny?
    /// Makes a function that waits for the next element to write, and gives it to the handler.
    let makeWait: (NIOLoopBound<BridgeHandler>) -> () -> Void
    let refuseOutbound: (any Error) -> Void

    @usableFromInline
    init(
        receive: @escaping (NIOAny) -> Void,
        elementOfEvent: @escaping (Any) -> (() -> Void)?,
        closeInbound: @escaping ((any Error)?) -> Void,
        whenInboundFinished: @escaping (@escaping @Sendable () -> Void) -> Void,
        poll: @escaping () -> NIOAny?,
        makeWait: @escaping (NIOLoopBound<BridgeHandler>) -> () -> Void,
        refuseOutbound: @escaping (any Error) -> Void
    ) {
        self.receive = receive
        self.elementOfEvent = elementOfEvent
        self.closeInbound = closeInbound
        self.whenInboundFinished = whenInboundFinished
        self.poll = poll
        self.makeWait = makeWait
        self.refuseOutbound = refuseOutbound
    }

    @inlinable
    init<Inbound: Sendable, Outbound: Sendable>(
        inbound: CoChannel<Inbound>.Sender,
        outbound: CoChannel<Outbound>.Receiver,
        elementOfEvent: (@Sendable (Any) -> Inbound?)?,
        onUndelivered: (@Sendable (sending Inbound) -> Void)?
    ) {
        let receive = { (element: Inbound) in
            // Refused if the consumer is gone.
            if !inbound.offer(element) { onUndelivered?(element) }
        }
        self.init(
            receive: { receive(ElementTypes<Inbound, Outbound>.unwrapInboundIn($0)) },
            elementOfEvent: { event in elementOfEvent?(event).map { element in { receive(element) } } },
            closeInbound: { error in if let error { inbound.close(throwing: error) } else { inbound.close() } },
            whenInboundFinished: { callback in inbound.whenFinished { _ in callback() } },
            poll: { outbound.poll().map { ElementTypes<Inbound, Outbound>.wrapOutboundOut($0) } },
            makeWait: { handler in
                let callback = { @Sendable (result: sending Result<Outbound, any Error>) in
                    let element = try? result.get()
                    // Not `onLoop`, whose closure is an allocation for each element.
                    if handler.eventLoop.inEventLoop {
                        handler.value.received(element.map { ElementTypes<Inbound, Outbound>.wrapOutboundOut($0) })
                    } else {
                        handler.eventLoop.execute {
                            handler.value.received(element.map { ElementTypes<Inbound, Outbound>.wrapOutboundOut($0) })
                        }
                    }
                }
                return { outbound.whenReceive(callback) }
            },
            refuseOutbound: { Self.refuse(outbound, $0) }
        )
    }

    /// Not inlined: it is not for users' modules.
    @usableFromInline
    static func refuse<Outbound>(_ outbound: CoChannel<Outbound>.Receiver, _ error: any Error) {
        outbound.refuse(throwing: error)
    }
}

/// Converts elements from and to NIO's type for what passes through a pipeline; never part of one.
@usableFromInline
final class ElementTypes<Inbound, Outbound>: ChannelDuplexHandler {
    @usableFromInline typealias InboundIn = Inbound
    @usableFromInline typealias OutboundIn = Never
    @usableFromInline typealias OutboundOut = Outbound
}

extension NIOLoopBound {
    /// Calls a closure with the value, on the loop: now, if the caller is on it.
    @inlinable
    func onLoop(_ body: @escaping @Sendable (Value) -> Void) {
        if self.eventLoop.inEventLoop { body(self.value) } else { self.eventLoop.execute { body(self.value) } }
    }
}

/// The lock around a ``ReadWindowState``, which the loop and the consumer share.
@usableFromInline
final class ReadWindow: Sendable {
    private let state: Mutex<ReadWindowState>

    @usableFromInline
    init(low: Int, high: Int) { self.state = Mutex(ReadWindowState(low: low, high: high)) }

    func received() { self.state.withLock { $0.received() } }

    func read() -> Bool { self.state.withLock { $0.read() } }

    @usableFromInline
    func consumed() -> Bool { self.state.withLock { $0.consumed() } }

    func end() -> Bool { self.state.withLock { $0.end() } }
}
#endif
