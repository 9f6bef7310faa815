// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridge
public import OpenCombineShim

/// How a sequence subscribes to its publisher.
@usableFromInline
struct DemandPolicy<Element: Sendable>: Sendable {
    @usableFromInline let buffering: BufferingPolicy
    @usableFromInline let onUndelivered: (@Sendable (sending Element) -> Void)?
    @usableFromInline let bridge: StaticString
    @usableFromInline let made: CallSite

    // The bridge is the function that subscribes, for reports.
    @inlinable
    init(
        buffering: BufferingPolicy,
        onUndelivered: (@Sendable (Element) -> Void)?,
        bridge: StaticString = "elements(buffering:)",
        made: CallSite
    ) {
        self.buffering = buffering
        self.bridge = bridge
        self.made = made
        if let onUndelivered {
            self.onUndelivered = { (element: sending Element) in onUndelivered(element) }
        } else {
            self.onUndelivered = nil
        }
    }

    /// What the sequence does with elements that nobody has consumed yet.
    ///
    /// Where demand bounds them, all are kept: those that were not asked for are reported.
    @usableFromInline var kept: BufferingPolicy {
        self.buffering.overflow == .keep ? .unbounded : self.buffering
    }

    /// Subscribes at once, to a sequence for one consumer.
    @inlinable
    func subscribe<Upstream: Publisher>(
        to publisher: Upstream
    ) -> (CallbackSequence<Element, Upstream.Failure>, DemandWindow) where Upstream.Output == Element {
        let (sequence, sink) = CallbackSequence<Element, Upstream.Failure>.makeSequence(
            buffering: self.kept,
            onUndelivered: self.onUndelivered,
            fileID: self.made.fileIDLiteral,
            line: self.made.line
        )
        let window = DemandWindow(self.buffering)
        self.connect(publisher, sink, window)
        return (sequence, window)
    }

    /// Subscribes for one iteration, unless the task is cancelled.
    @inlinable
    func begin<Upstream: Publisher>(
        _ publisher: Upstream,
        _ window: DemandWindow
    ) -> CallbackSequence<Element, Upstream.Failure>.AsyncIterator where Upstream.Output == Element {
        let start = StartNow<CallbackSequence<Element, Upstream.Failure>.Sink> { sink in
            self.connect(publisher, sink, window)
        }
        let sequence = CallbackSequence<Element, Upstream.Failure>.starting(
            buffering: self.kept,
            onUndelivered: self.onUndelivered,
            fileID: self.made.fileIDLiteral,
            line: self.made.line
        ) { sink in start.run(sink) }
        return sequence.makeAsyncIterator()
    }

    @inlinable
    func connect<Upstream: Publisher>(
        _ publisher: Upstream,
        _ sink: CallbackSequence<Element, Upstream.Failure>.Sink,
        _ window: DemandWindow
    ) where Upstream.Output == Element {
        // Not the subscriber, which holds the sink: a publisher that drops its subscriber ends the sequence.
        sink.onTermination { _ in window.cancel() }
        window.begin()
        let subscriber = ElementSubscriber<Element, Upstream.Failure>(
            window,
            bridge: self.bridge,
            made: self.made,
            onElement: { sink.yield($0) },
            onCompletion: { completion in
                switch completion {
                case .finished: sink.finish()
                case .failure(let error): sink.fail(error)
                }
            },
            onDrop: { sink.end(.subscriberDropped) }
        )
        window.adopt(subscriber)
        publisher.subscribe(subscriber)
    }
}

/// A closure for a call that runs it before it returns, or not at all.
///
/// Safe: it does not leave the caller's isolation.
@usableFromInline
struct StartNow<Argument>: @unchecked Sendable {
    @usableFromInline let run: (Argument) -> Void

    @inlinable
    init(_ run: @escaping (Argument) -> Void) { self.run = run }
}
#endif
