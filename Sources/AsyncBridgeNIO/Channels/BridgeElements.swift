// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import AsyncBridgeFutures
public import NIOCore

/// What a ``BridgeHandler`` does with elements.
///
/// The closures are made where the user calls `bridge`, so that they are specialised there. The witnesses of a generic
/// handler are not, and look up the types of the elements for each of them.
@usableFromInline
struct BridgeElements {
    /// Gives an element to the consumer.
    let receive: (NIOAny) -> Void
    /// How to receive the element that a user event, or an error, stands for, if any.
    let elementOfEvent: (Any) -> (() -> Void)?
    let elementOfError: (any Error) -> (() -> Void)?
    let closeInbound: ((any Error)?) -> Void
    let whenInboundFinished: (@escaping @Sendable () -> Void) -> Void
    /// The next element to write, if there is one.
    let poll: () -> BridgeWrite?
    /// Makes a function that waits for the next element to write, and gives it to the handler.
    let makeWait: (NIOLoopBound<BridgeHandler>) -> () -> Void
    let outbound: OutboundEnd

    @usableFromInline
    init(
        receive: @escaping (NIOAny) -> Void,
        elementOfEvent: @escaping (Any) -> (() -> Void)?,
        elementOfError: @escaping (any Error) -> (() -> Void)?,
        closeInbound: @escaping ((any Error)?) -> Void,
        whenInboundFinished: @escaping (@escaping @Sendable () -> Void) -> Void,
        poll: @escaping () -> BridgeWrite?,
        makeWait: @escaping (NIOLoopBound<BridgeHandler>) -> () -> Void,
        outbound: OutboundEnd
    ) {
        self.receive = receive
        self.elementOfEvent = elementOfEvent
        self.elementOfError = elementOfError
        self.closeInbound = closeInbound
        self.whenInboundFinished = whenInboundFinished
        self.poll = poll
        self.makeWait = makeWait
        self.outbound = outbound
    }

    @inlinable
    init<Inbound: Sendable, Outbound: Sendable>(
        inbound: CoChannel<Inbound>.Sender,
        window: ReadWindow,
        onUndelivered: @escaping @Sendable (sending Inbound) -> Void,
        outbound: CoChannel<Outbound>.Receiver,
        closures: BridgeClosures<Inbound, Outbound>
    ) {
        let (size, onUnsent) = (closures.size, closures.onUnsent)
        let (userEvent, onError) = (closures.userEvent, closures.onError)
        let receive = { (element: Inbound) in
            window.received(BridgeClosures<Inbound, Outbound>.size(of: element, size))
            // Refused if the consumer is gone.
            if !inbound.offer(element) { onUndelivered(element) }
        }
        let write = { @Sendable (element: Outbound) in
            BridgeWrite(
                ElementTypes<Inbound, Outbound>.wrapOutboundOut(element),
                giveBack: onUnsent.map { onUnsent in { @Sendable in onUnsent(element) } }
            )
        }
        self.init(
            receive: { receive(ElementTypes<Inbound, Outbound>.unwrapInboundIn($0)) },
            elementOfEvent: { event in userEvent?(event).map { element in { receive(element) } } },
            elementOfError: { error in onError?(error).map { element in { receive(element) } } },
            closeInbound: { error in if let error { inbound.close(throwing: error) } else { inbound.close() } },
            // Not `whenFinished`; see `whenEnded` of receivers.
            whenInboundFinished: { callback in inbound.whenComplete(callback) },
            poll: { outbound.poll().map(write) },
            makeWait: { handler in
                let callback = { @Sendable (result: sending Result<Outbound, any Error>) in
                    let element = try? result.get()
                    // Not `onLoop`, whose closure is an allocation for each element.
                    if handler.eventLoop.inEventLoop {
                        handler.value.received(element.map(write))
                    } else {
                        let arrival = BridgeArrival(element, at: handler, write: write, onUnsent: onUnsent)
                        handler.eventLoop.execute { arrival.pass() }
                    }
                }
                return { outbound.whenReceive(callback) }
            },
            outbound: OutboundEnd(outbound)
        )
    }
}

/// An element on its way into the pipeline.
@usableFromInline
struct BridgeWrite {
    let data: NIOAny
    /// Gives the element back, if it is not sent.
    let giveBack: (@Sendable () -> Void)?

    @usableFromInline
    init(_ data: NIOAny, giveBack: (@Sendable () -> Void)?) {
        self.data = data
        self.giveBack = giveBack
    }
}

/// An element on its way to the loop, which drops it if it has ended.
///
/// Safe: `element` is written before the loop gets this object, then on the loop, and at last by `deinit`.
@usableFromInline
final class BridgeArrival<Element: Sendable>: @unchecked Sendable {
    @usableFromInline nonisolated(unsafe) var element: Element?
    @usableFromInline let handler: NIOLoopBound<BridgeHandler>
    @usableFromInline let write: @Sendable (Element) -> BridgeWrite
    @usableFromInline let onUnsent: (@Sendable (sending Element) -> Void)?

    @inlinable
    init(
        _ element: Element?,
        at handler: NIOLoopBound<BridgeHandler>,
        write: @escaping @Sendable (Element) -> BridgeWrite,
        onUnsent: (@Sendable (sending Element) -> Void)?
    ) {
        unsafe self.element = element
        (self.handler, self.write, self.onUnsent) = (handler, write, onUnsent)
    }

    /// Gives the element to the handler, on the loop.
    @inlinable
    func pass() { self.handler.value.received(unsafe self.element.take().map(self.write)) }

    @inlinable
    deinit { if let element = unsafe self.element.take() { self.onUnsent?(element) } }
}

/// The end of the senders' channel, for the handler; not inlined: it is not for users' modules.
@usableFromInline
struct OutboundEnd {
    /// Discards what waits; later senders get the error.
    let refuse: (any Error) -> Void
    /// Keeps what waits; later senders get the error.
    let close: (any Error) -> Void
    let whenFinished: (@escaping @Sendable () -> Void) -> Void
    /// How many elements wait; nothing if the handler waits for one, and none is on its way to the loop.
    let countUnlessAwaited: () -> Int?

    @usableFromInline
    init<Outbound>(_ receiver: CoChannel<Outbound>.Receiver) {
        self.refuse = { receiver.refuse(throwing: $0) }
        self.close = { receiver.close(throwing: $0) }
        self.whenFinished = { receiver.whenEnded($0) }
        self.countUnlessAwaited = { receiver.countUnlessAwaited }
    }
}

/// The closures that a user passes to `bridge`.
@usableFromInline
struct BridgeClosures<Inbound: Sendable, Outbound: Sendable> {
    @usableFromInline let size: (@Sendable (Inbound) -> Int)?
    @usableFromInline let userEvent: (@Sendable (Any) -> Inbound?)?
    @usableFromInline let onError: (@Sendable (any Error) -> Inbound?)?
    @usableFromInline let onUndelivered: (@Sendable (sending Inbound) -> Void)?
    @usableFromInline let onUnsent: (@Sendable (sending Outbound) -> Void)?

    @inlinable
    init(
        size: (@Sendable (Inbound) -> Int)?,
        userEvent: (@Sendable (Any) -> Inbound?)?,
        onError: (@Sendable (any Error) -> Inbound?)?,
        onUndelivered: (@Sendable (sending Inbound) -> Void)?,
        onUnsent: (@Sendable (sending Outbound) -> Void)?
    ) {
        self.size = size
        self.userEvent = userEvent
        self.onError = onError
        self.onUndelivered = onUndelivered
        self.onUnsent = onUnsent
    }

    /// Makes a function that gives back an element which nobody gets: it counts for the window no longer.
    @inlinable
    func giveBack(
        _ window: ReadWindow,
        reading channel: any Channel
    ) -> @Sendable (sending Inbound) -> Void {
        let (size, onUndelivered) = (self.size, self.onUndelivered)
        return { element in
            let size = Self.size(of: element, size)
            onUndelivered?(element)
            // Last: the read may bring the next element in this call.
            if window.consumed(size) { channel.read() }
        }
    }

    /// What an element counts for the window: at least 1, or there could be any number of them.
    @inlinable @inline(__always)
    static func size(of element: Inbound, _ size: (@Sendable (Inbound) -> Int)?) -> Int {
        if let size { max(1, size(element)) } else { 1 }
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
    /// Calls a closure with the value, on the loop, unless that was shut down: now, if the caller is on it.
    @inlinable
    func onLoop(_ body: @escaping @Sendable (Value) -> Void) {
        if self.eventLoop.inEventLoop {
            body(self.value)
        } else if LoopWait.isRunning(self.eventLoop) {
            self.eventLoop.execute { body(self.value) }
        }
    }

    /// Calls a closure with the value and a promise, on the loop: now, if the caller is on it.
    ///
    /// - Returns: The promise's future. It fails, and the closure is not called, if the loop was shut down.
    @inlinable
    func future<Result: Sendable>(
        _ body: @escaping @Sendable (Value, EventLoopPromise<Result>) -> Void
    ) -> EventLoopFuture<Result> {
        let eventLoop = self.eventLoop
        guard !eventLoop.inEventLoop else {
            let promise = eventLoop.makePromise(of: Result.self)
            body(self.value, promise)
            return promise.futureResult
        }
        guard LoopWait.isRunning(eventLoop) else { return eventLoop.makeFailedFuture(EventLoopError.shutdown) }
        let result = LoopPromise<Result>(on: eventLoop)
        let wait = LoopWait(result)
        if wait.join(eventLoop) { eventLoop.execute { if wait.leave() { body(self.value, result.promise) } } }
        return result.future
    }
}
#endif
