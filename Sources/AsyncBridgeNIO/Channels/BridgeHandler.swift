// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import NIOCore
import Synchronization

/// The end of a pipeline, where a ``BridgedChannel`` begins: what the state machines decide is done here, on the loop.
final class BridgeHandler<Inbound: Sendable, Outbound: Sendable>: ChannelDuplexHandler {
    typealias InboundIn = Inbound
    typealias OutboundIn = Never
    typealias OutboundOut = Outbound

    private let inbound: CoChannel<Inbound>.Sender
    private let outbound: CoChannel<Outbound>.Receiver
    private let window: ReadWindow
    private let elementOfEvent: (@Sendable (Any) -> Inbound?)?
    private let onUndelivered: (@Sendable (sending Inbound) -> Void)?
    private var state = BridgeState()
    private var context: ChannelHandlerContext?
    private var lastWrite: EventLoopFuture<Void>?
    private var hasFlushPlanned = false

    /// How many elements are written before other work of the loop has its turn.
    private static var batch: Int { 64 }

    init(
        inbound: CoChannel<Inbound>.Sender,
        outbound: CoChannel<Outbound>.Receiver,
        window: ReadWindow,
        elementOfEvent: (@Sendable (Any) -> Inbound?)?,
        onUndelivered: (@Sendable (sending Inbound) -> Void)?
    ) {
        self.inbound = inbound
        self.outbound = outbound
        self.window = window
        self.elementOfEvent = elementOfEvent
        self.onUndelivered = onUndelivered
    }

    // MARK: The life of the channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        self.inbound.whenFinished { _ in handler.onLoop { $0.inboundHasEnded() } }
        if context.channel.isActive { self.pump() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.end(throwing: ChannelError.ioOnClosedChannel)
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        self.pump()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.end(throwing: ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }

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
        self.outbound.refuse(throwing: error)
        if toReceivers { self.inbound.close(throwing: error) } else { self.inbound.close() }
    }

    private func perform(_ action: BridgeState.EndAction) {
        switch action {
        case .none:
            break
        case .closeChannel:
            self.context?.close(promise: nil)
        case .closeOutput:
            guard let context = self.context else { return }
            let promise = context.eventLoop.makePromise(of: Void.self)
            let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
            // A channel without halves is closed as a whole.
            promise.futureResult.whenFailure { _ in handler.onLoop { $0.context?.close(promise: nil) } }
            context.close(mode: .output, promise: promise)
        }
    }

    // MARK: Inbound

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { self.receive(self.unwrapInboundIn(data)) }

    func read(context: ChannelHandlerContext) { if self.window.read() { context.read() } }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            self.inbound.close()
        } else if let element = self.elementOfEvent?(event) {
            self.receive(element)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func receive(_ element: Inbound) {
        self.window.received()
        // Refused if the consumer is gone.
        if !self.inbound.offer(element) { self.onUndelivered?(element) }
    }

    private func inboundHasEnded() {
        if self.window.end() { self.context?.read() }
        self.perform(self.state.endInput())
    }

    // MARK: Outbound

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, self.state.becameWritable() { self.writeAll() }
        context.fireChannelWritabilityChanged()
    }

    /// Begins to write what is sent, unless that is being done already.
    private func pump() { if self.state.beginPumping() { self.writeAll() } }

    /// Writes what has been sent, as long as the channel takes it; then waits for more.
    private func writeAll() {
        var count = 0
        while let context = self.context, self.state.isPumping {
            guard context.channel.isWritable else {
                self.state.block()
                context.flush()
                // Race: a flush may have made it writable before it was blocked.
                if context.channel.isWritable, self.state.becameWritable() { continue }
                return
            }
            guard count < Self.batch else {
                context.flush()
                let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
                return context.eventLoop.execute { handler.value.writeAll() }
            }
            guard let result = self.next(context) else { return }
            self.write(result, context)
            count += 1
        }
    }

    /// The next element, or the end, if it is there; otherwise a callback waits for it.
    private func next(_ context: ChannelHandlerContext) -> Result<Outbound, any Error>? {
        if let element = self.outbound.poll() { return .success(element) }
        self.planFlush(context)
        guard self.state.beginReceiving() else { return nil }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        self.outbound.whenReceive { result in
            let result = result
            handler.onLoop { $0.received(result) }
        }
        return nil
    }

    private func received(_ result: Result<Outbound, any Error>) {
        guard self.state.beginPumping(), let context = self.context else { return }
        self.write(result, context)
        self.writeAll()
    }

    private func write(_ result: Result<Outbound, any Error>, _ context: ChannelHandlerContext) {
        switch result {
        case .success(let element):
            let promise = context.eventLoop.makePromise(of: Void.self)
            let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
            promise.futureResult.whenFailure { error in handler.onLoop { $0.writeHasFailed(error) } }
            self.lastWrite = promise.futureResult
            context.write(self.wrapOutboundOut(element), promise: promise)
        case .failure:
            guard self.state.endOutput() else { return }
            context.flush()
            guard let lastWrite = self.lastWrite else { return self.perform(self.state.drained()) }
            let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
            // A channel sends in the order of the writes.
            lastWrite.whenComplete { _ in handler.onLoop { $0.perform($0.state.drained()) } }
        }
    }

    private func writeHasFailed(_ error: any Error) {
        // Nothing new if the channel was closed meanwhile.
        guard let context = self.context, context.channel.isActive else { return }
        self.errorCaught(context: context, error: error)
    }

    /// Flushes once the loop has done what else there is to do: elements that come one by one go together.
    private func planFlush(_ context: ChannelHandlerContext) {
        guard !self.hasFlushPlanned else { return }
        self.hasFlushPlanned = true
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            handler.value.hasFlushPlanned = false
            handler.value.context?.flush()
        }
    }
}

extension NIOLoopBound {
    /// Calls a closure with the value, on the loop: now, if the caller is on it.
    fileprivate func onLoop(_ body: @escaping @Sendable (Value) -> Void) {
        if self.eventLoop.inEventLoop { body(self.value) } else { self.eventLoop.execute { body(self.value) } }
    }
}

/// The lock around a ``ReadWindowState``, which the loop and the consumer share.
final class ReadWindow: Sendable {
    private let state: Mutex<ReadWindowState>

    init(low: Int, high: Int) { self.state = Mutex(ReadWindowState(low: low, high: high)) }

    func received() { self.state.withLock { $0.received() } }

    func read() -> Bool { self.state.withLock { $0.read() } }

    func consumed() -> Bool { self.state.withLock { $0.consumed() } }

    func end() -> Bool { self.state.withLock { $0.end() } }
}
#endif
