// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import NIOCore

/// The outbound side: takes what is sent, and writes it.
extension BridgeHandler {
    /// How many elements are written before other tasks of the loop have their turn.
    private static var batch: Int { 64 }

    @usableFromInline
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, self.state.becameWritable() { self.writeAll() }
        context.fireChannelWritabilityChanged()
    }

    /// Begins to write what is sent, unless that was done.
    func pump() { if self.state.begin() { self.writeAll() } }

    /// Writes more, if that was not ended meanwhile.
    func goOn() { if self.state.goOn() { self.writeAll() } }

    /// The wait for an element is over.
    ///
    /// - Parameter element: The element; nothing if no more will come.
    @usableFromInline
    func received(_ element: BridgeWrite?) {
        guard self.state.received(), let context = self.context else {
            element?.giveBack?()
            return
        }
        if let element {
            self.write(element, context)
        } else if self.singles.isEmpty {
            guard self.haveWritesArrived else { return self.pauseForOthers(context) }
            self.endOutput(context)
        }
        // Single writes that are in line come first; then the end is received once more.
        self.writeAll()
    }

    /// Whether the single writes that come before the senders' end are here, and that was seen.
    private var haveWritesArrived: Bool { self.arrivedWrites >= self.lastNumber ?? .max }

    /// The senders have ended: no single write is begun any more that will be written.
    ///
    /// - Parameter number: That of the last write that was begun before.
    func endWrites(after number: Int) {
        guard self.lastNumber == nil else { return }
        // Race: one that was begun later has come already. Then those before it are on their way.
        self.lastNumber = max(number, self.highestNumber)
    }

    /// Goes on when the loop has done what waits for it now.
    private func pauseForOthers(_ context: ChannelHandlerContext) {
        self.state.pause()
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { handler.value.goOn() }
    }

    /// Writes what has been sent, as long as the channel takes it; then waits for more.
    ///
    /// Invariant: called only after an event of the state that has said so.
    private func writeAll() {
        var count = 0
        while self.state.isPumping, let context = self.context, let channel = self.channel, let turns = self.turns {
            guard self.takesMore(channel, context) else { return }
            guard turns.mayWrite() else {
                self.state.pause()
                context.flush()
                return turns.wait(self)
            }
            guard count < Self.batch else {
                self.pauseForOthers(context)
                return context.flush()
            }
            guard self.writeNext(context) else { return self.receiveNext(context) }
            count += 1
        }
    }

    /// Whether the channel takes an element; if not, the output is blocked.
    private func takesMore(_ channel: any Channel, _ context: ChannelHandlerContext) -> Bool {
        if channel.isWritable { return true }
        self.state.block()
        context.flush()
        // Race: a flush may have made it writable before it was blocked.
        guard channel.isWritable || self.isStuck(channel) else { return false }
        return self.state.becameWritable()
    }

    private func receiveNext(_ context: ChannelHandlerContext) {
        self.planFlush(context)
        if self.state.beginReceiving() { self.waitForElement?() }
    }

    /// - Returns: Whether there was something to write.
    @inline(__always)
    private func writeNext(_ context: ChannelHandlerContext) -> Bool {
        if self.singles.isEmpty {
            guard let element = self.elements.poll() else { return false }
            self.write(element, context)
            return true
        }
        if let single = self.singles.popDue() {
            self.write(single, context)
            return true
        }
        // Before it is taken. That lets a sender go on, which may be a coroutine on this loop, and make a single write
        // in this call: that one counts the elements which wait then, and no longer this one.
        self.singles.takeElement()
        if let element = self.elements.poll() {
            self.write(element, context)
        } else if let single = self.singles.pop() {
            self.write(single, context)
        }
        return true
    }

    @inline(__always)
    private func write(_ element: BridgeWrite, _ context: ChannelHandlerContext) {
        let promise = context.eventLoop.makePromise(of: Void.self)
        if let giveBack = element.giveBack { promise.futureResult.whenFailure { _ in giveBack() } }
        if let onWrite = self.onWrite { promise.futureResult.whenComplete(onWrite) }
        self.lastWrite = promise.futureResult
        context.write(element.data, promise: promise)
    }

    private func write(_ single: SingleWrites.Write, _ context: ChannelHandlerContext) {
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        single.promise.futureResult.whenFailure { _ in handler.onLoop { $0.writeInSpite() } }
        self.lastWrite = single.promise.futureResult
        context.write(single.data, promise: single.promise)
    }

    /// Writes an element by itself, after what was sent before.
    ///
    /// - Parameters:
    ///   - data: The element.
    ///   - number: That of the write, which tells whether it was begun before the senders' end.
    ///   - promise: Gets the result of this write; nobody else does.
    @usableFromInline
    func writeAlone(_ data: NIOAny, _ number: Int, _ promise: EventLoopPromise<Void>) {
        guard number <= self.lastNumber ?? .max else { return promise.fail(self.refusal) }
        self.arrivedWrites += 1
        self.highestNumber = max(self.highestNumber, number)
        guard let context = self.context else { return promise.fail(self.refusal) }
        let count = self.elements.outbound.countUnlessAwaited()
        switch self.state.writing(isAwaited: count == nil) {
        case .write:
            self.lastWrite = promise.futureResult
            context.write(data, promise: promise)
            self.planFlush(context)
        case .enqueue:
            self.singles.append(data, promise, after: count ?? 0)
        case .refuse:
            promise.fail(self.refusal)
        }
    }

    /// No more will be sent: ends the output when everything was sent, or removes the bridge.
    private func endOutput(_ context: ChannelHandlerContext) {
        switch self.state.endOutput() {
        case .none: break
        case .drain: self.drain(context)
        case .removeBridge: self.removeNow(context)
        }
    }

    private func drain(_ context: ChannelHandlerContext) {
        context.flush()
        guard let lastWrite = self.lastWrite else { return self.perform(self.state.drained()) }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        // A channel sends in the order of the writes.
        lastWrite.whenComplete { _ in handler.onLoop { $0.perform($0.state.drained()) } }
        self.linger()
    }

    /// A write of a sender that has not asked for its result.
    func writeHasFailed(_ error: any Error) {
        // Nothing new if the channel was closed meanwhile.
        guard let context = self.context, context.channel.isActive else { return }
        switch self.traits.kind(of: context.channel) {
        case .datagrams:
            self.writeInSpite()
        case .stream:
            // What comes after it makes no sense to the peer.
            self.end(throwing: error, toReceivers: true)
            // What comes before it does.
            context.flush()
            context.close(promise: nil)
            context.fireErrorCaught(error)
        }
    }

    /// Whether the channel is not writable, and nothing of this bridge is on its way that will make it so.
    ///
    /// NIO leaves it so when the datagram that has filled its buffer was too long to be sent. The next one that is sent
    /// makes it writable; but not one that fails at once, such as that for another peer than the socket's own.
    private func isStuck(_ channel: any Channel) -> Bool {
        var hasFailed = false
        // A result that is there comes at once. What was written before the last one has its own by then, or will tell.
        self.lastWrite?.assumeIsolated().whenFailure { _ in hasFailed = true }
        return hasFailed && self.traits.kind(of: channel) == .datagrams
    }

    /// Writes the next datagram, though the channel is not writable: the one before it has failed.
    func writeInSpite() {
        guard self.state.isBlocked, let context = self.context, context.channel.isActive else { return }
        guard self.traits.kind(of: context.channel) == .datagrams, self.state.becameWritable() else { return }
        if self.writeNext(context) { self.writeAll() } else { self.receiveNext(context) }
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

    func flush() {
        guard self.needsFlush else { return }
        self.needsFlush = false
        self.context?.flush()
    }
}
#endif
