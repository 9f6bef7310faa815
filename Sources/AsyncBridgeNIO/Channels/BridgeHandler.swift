// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
public import NIOCore

/// The end of a pipeline, where a ``BridgedChannel`` begins: what the state machines decide is done here, on the loop.
///
/// Not generic: what depends on the types of the elements is in ``BridgeElements``.
@usableFromInline
final class BridgeHandler: ChannelDuplexHandler, RemovableChannelHandler {
    @usableFromInline typealias InboundIn = NIOAny
    @usableFromInline typealias OutboundIn = Never
    @usableFromInline typealias OutboundOut = NIOAny

    /// How the peer, or the pipeline, has ended the input.
    enum PeerEnd {
        case none
        case closed
        case failed(any Error)
    }

    /// Whether the handler was added before anything came that was for it.
    private enum Arrival {
        case inTime
        /// The channel was active. In an event of the pipeline that is right, and the handler gets that event, or one
        /// that follows, before the loop's next task.
        case unknown
    }

    let elements: BridgeElements
    let window: ReadWindow
    let traits: BridgeTraits
    var state = BridgeState()
    var context: ChannelHandlerContext?
    /// The context's: asked for each element.
    var channel: (any Channel)?
    var turns: LoopTurns?
    /// Waits for the next element to write: ``received(_:)`` gets it.
    var waitForElement: (() -> Void)?
    var onWrite: (@Sendable (Result<Void, any Error>) -> Void)?
    var plannedFlush: (@Sendable () -> Void)?
    var lastWrite: EventLoopFuture<Void>?
    var singles = SingleWrites()
    let begunWrites = BegunWrites()
    var arrivedWrites = 0
    var highestNumber = 0
    /// The number of the last single write that comes before the senders' end, once that was seen.
    var lastNumber: Int?
    var needsFlush = false
    var hasFlushPlanned = false
    private var lingerEnd: Scheduled<Void>?
    /// A place at the loop's end, until the channel is active.
    ///
    /// NIO closes an active channel when its loop is shut down; of another one nothing is heard.
    private var placeAtLoop: LoopPlace?
    /// What became of closing the output alone, once that was tried.
    private var outputEnd: EventLoopFuture<Void>?
    /// The first end counts; a peer may end its half after an error of the pipeline.
    private var peerEnd = PeerEnd.none
    private var peerHasClosed = false
    /// Why nothing more can be written, once that is so; the first reason counts.
    private var firstRefusal: (any Error)?
    /// What to do when the bridge was removed, or could not be.
    private var onRemoval: ((Result<PeerEnd, any Error>) -> Void)?
    /// Whether it is being removed in this call: receivers, whose code may run at once, are told after the change.
    private var isChanging = false
    private var arrival = Arrival.inTime
    /// Whether the server ends, and with it the inbound half.
    private var isQuiescing = false

    @usableFromInline
    init(_ elements: BridgeElements, window: ReadWindow, traits: BridgeTraits) {
        self.elements = elements
        self.window = window
        self.traits = traits
    }

    /// Adds the handler to a channel, on its loop.
    @usableFromInline
    func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        guard (try? pipeline.context(handlerType: BridgeHandler.self)) == nil else {
            throw BridgedChannelError.alreadyBridged
        }
        try pipeline.addHandler(self)
    }

    // MARK: The life of the channel

    @usableFromInline
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        self.channel = context.channel
        let turns = LoopTurns.join(on: context.eventLoop)
        self.turns = turns
        self.lastWrite = turns.lastWriteOfReplaced(in: context.channel)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        self.lastWrite?.whenFailure { _ in handler.onLoop { $0.writeInSpite() } }
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
        let begunWrites = self.begunWrites
        self.elements.outbound.whenFinished {
            let lastWrite = begunWrites.total
            handler.onLoop { $0.sendersHaveEnded(afterWrite: lastWrite) }
        }
        if context.channel.isActive {
            self.begin(context, handler)
        } else {
            self.endWithLoop(context.eventLoop, handler)
        }
        if QuiescingMark.remove(from: context.channel) { self.quiesce() }
    }

    /// The channel was active before.
    private func begin(_ context: ChannelHandlerContext, _ handler: NIOLoopBound<BridgeHandler>) {
        // Before the code around this, which has read what it wants to read, lets the channel read by itself.
        if (try? context.channel.syncOptions?.getOption(.autoRead)) == true {
            self.arrival = .unknown
            context.eventLoop.execute { handler.value.checkArrival() }
        }
        self.pump()
    }

    private func endWithLoop(_ eventLoop: any EventLoop, _ handler: NIOLoopBound<BridgeHandler>) {
        let end = LoopEndAction { handler.onLoop { $0.end(throwing: EventLoopError.shutdown) } }
        self.placeAtLoop = LoopPlace.at(eventLoop, for: end)
        if !LoopWait.isRunning(eventLoop) { self.end(throwing: EventLoopError.shutdown) }
    }

    private func leaveLoop() {
        self.placeAtLoop?.leave()
        self.placeAtLoop = nil
    }

    private func checkArrival() {
        guard case .unknown = self.arrival, self.channel != nil else { return }
        self.arrival = .inTime
        self.traits.reportLate()
    }

    @usableFromInline
    func handlerRemoved(context: ChannelHandlerContext) {
        self.end(throwing: ChannelError.ioOnClosedChannel)
        (self.context, self.channel) = (nil, nil)
        self.turns?.leave()
        self.turns = nil
        self.leaveLoop()
        self.lingerEnd?.cancel()
        self.lingerEnd = nil
        // They hold this handler.
        (self.waitForElement, self.onWrite, self.plannedFlush) = (nil, nil, nil)
    }

    @usableFromInline
    func channelActive(context: ChannelHandlerContext) {
        self.arrival = .inTime
        self.leaveLoop()
        context.fireChannelActive()
        self.pump()
        self.linger()
    }

    @usableFromInline
    func channelInactive(context: ChannelHandlerContext) {
        self.arrival = .inTime
        self.end(throwing: ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }

    @usableFromInline
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.arrival = .inTime
        if let receive = self.elements.elementOfError(error) { return receive() }
        switch self.traits.kind(of: context.channel) {
        case .stream: self.inputHasEnded(.failed(error))
        // It is about one of them.
        case .datagrams: break
        }
        context.fireErrorCaught(error)
    }

    /// Ends both halves: senders get the error; receivers get what has come, and then the end, or the error too.
    func end(throwing error: any Error, toReceivers: Bool = false) {
        self.state.endBoth()
        _ = self.window.end()
        let error = if case .failed(let failure) = self.peerEnd { failure } else { error }
        self.firstRefusal = self.firstRefusal ?? error
        let onRemoval = exchange(&self.onRemoval, with: nil)
        var singles = exchange(&self.singles, with: SingleWrites())
        // Senders first: a receiver that learns of it must not be able to send any more.
        self.elements.outbound.refuse(self.refusal)
        while let write = singles.pop() { write.promise.fail(error) }
        if !self.isChanging { self.elements.closeInbound(toReceivers ? error : nil) }
        onRemoval?(.failure(error))
    }

    var refusal: any Error { self.firstRefusal ?? ChannelError.outputClosed }

    func perform(_ action: BridgeState.EndAction) {
        switch action {
        case .none:
            break
        case .closeChannel:
            self.context?.close(promise: nil)
        case .closeOutput:
            // A channel without halves refuses, and is closed when its inbound is over too.
            _ = self.closeOutput()
        case .discardInput:
            guard let context = self.context else { return }
            let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
            self.closeOutput()?.whenFailure { error in
                // Somebody else has closed it, which is as good.
                if error as? ChannelError == .outputClosed { return }
                handler.onLoop { $0.context?.close(promise: nil) }
            }
            self.context?.read()
            self.linger()
        }
    }

    private func closeOutput() -> EventLoopFuture<Void>? {
        if let end = self.outputEnd { return end }
        guard let context = self.context else { return nil }
        let promise = context.eventLoop.makePromise(of: Void.self)
        self.outputEnd = promise.futureResult
        context.close(mode: .output, promise: promise)
        return promise.futureResult
    }

    /// Limits how long a peer that does not read, or does not end its half, keeps the channel open when nothing else
    /// does.
    func linger() {
        guard self.state.isLingering, self.lingerEnd == nil, let context = self.context else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        self.lingerEnd = context.eventLoop.scheduleTask(in: self.traits.lingering) {
            handler.value.context?.close(promise: nil)
        }
    }

    // MARK: Inbound

    @usableFromInline
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.arrival = .inTime
        self.turns?.sawInput()
        self.elements.receive(data)
    }

    @usableFromInline
    func channelReadComplete(context: ChannelHandlerContext) {
        self.arrival = .inTime
        self.flush()
        // Also where nothing reads by itself.
        if self.state.isDiscarding { context.read() }
        context.fireChannelReadComplete()
    }

    @usableFromInline
    func read(context: ChannelHandlerContext) {
        // After `channelActive`, when the handlers have passed that on: nothing was read before.
        self.arrival = .inTime
        if self.window.read() { context.read() }
    }

    @usableFromInline
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        self.arrival = .inTime
        if let event = event as? ChannelEvent, event == .inputClosed {
            self.inputHasEnded(.closed)
        } else if let receive = self.elements.elementOfEvent(event) {
            receive()
        } else if event is ChannelShouldQuiesceEvent {
            self.quiesce()
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func quiesce() {
        self.isQuiescing = true
        self.elements.closeInbound(nil)
    }

    private func inputHasEnded(_ end: PeerEnd) {
        if case .none = self.peerEnd { self.peerEnd = end }
        if case .failed(let error) = end {
            self.elements.closeInbound(error)
        } else {
            self.peerHasClosed = true
            // Before the inbound half learns of it, which ends it for any reason.
            let action = self.state.peerHasEnded()
            self.elements.closeInbound(nil)
            self.perform(action)
        }
    }

    private func inboundHasEnded() {
        if self.window.end() { self.context?.read() }
        self.perform(self.state.endInput())
        self.linger()
    }

    private func sendersHaveEnded(afterWrite number: Int) {
        self.endWrites(after: number)
        self.state.endSending()
        self.linger()
    }

    // MARK: Removal

    /// Removes the handler when what was sent is written.
    ///
    /// - Parameters:
    ///   - lastWrite: The number of the last single write that was begun before.
    ///   - onRemoval: Called once, in the step of the loop in which it was removed, or could not be.
    func remove(afterWrite lastWrite: Int, _ onRemoval: @escaping (Result<PeerEnd, any Error>) -> Void) {
        guard self.context != nil, self.state.beginRemoving() else { return onRemoval(.failure(self.refusal)) }
        self.firstRefusal = BridgedChannelError.removed
        self.onRemoval = onRemoval
        self.endWrites(after: lastWrite)
        self.elements.outbound.close(BridgedChannelError.removed)
        self.linger()
    }

    func removeNow(_ context: ChannelHandlerContext) {
        self.needsFlush = false
        context.flush()
        // The flush may have closed the channel.
        guard let onRemoval = exchange(&self.onRemoval, with: nil) else { return }
        let (channel, end, isReadHeld) = (context.channel, self.peerEnd, self.window.end())
        self.isChanging = true
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        // What was written here is the new one's to wait for before it closes the channel.
        LoopTurns.replacing(in: channel, self.lastWrite) { onRemoval(.success(end)) }
        self.isChanging = false
        // A bridge that has taken its place misses nothing: the closure got what was left.
        let next = try? channel.pipeline.syncOperations.context(handlerType: BridgeHandler.self).handler
        if let next = next as? BridgeHandler {
            next.arrival = .inTime
            // No event will say so again. An error was the old protocol's.
            if self.peerHasClosed { next.inputHasEnded(.closed) }
            if self.isQuiescing { next.quiesce() }
        } else if self.isQuiescing {
            QuiescingMark.add(to: channel)
        }
        if isReadHeld { channel.read() }
        self.elements.closeInbound(nil)
    }
}
#endif
