// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import AsyncBridgeTesting
import NIOCore
import NIOEmbedded
import Testing

/// What may happen to a bridged channel, in random order.
private enum Event: CaseIterable {
    case activate
    case addBridge
    case read
    case receive
    case send
    case write
    case toggleWritability
    case runLoop
    case endInput
    case quiesce
    case fail
    case closeOutbound
    case cancelInbound
    case removeBridge
    case waitLong
    case closeChannel

    /// The ends are rare, so that histories are long.
    static let often: [Self] =
        [.activate, .addBridge, .toggleWritability, .runLoop, .receive]
        + [.read, .send, .write, .runLoop, .read, .send, .receive, .toggleWritability]
        + [.read, .send, .send, .read, .runLoop]
        + Self.allCases
}

/// What must be so after each event, whatever the implementation.
private struct Model {
    var isActive = false
    var isClosed = false
    var isWritable = true
    var isBridged = false
    /// What was sent and is not yet written, and whether the sender asked for the result.
    var sent: [String] = []
    var written: [String] = []
    var read: [String] = []
    var isInputOver = false
    var hasPeerEnded = false
    var isOutboundClosed = false
    var isRemoving = false
    var isRemoved = false

    /// Whether nobody is left here, so that the bridge may close the channel, if the peer takes too long.
    var isLeft: Bool { self.isBridged && !self.isRemoving && self.isInputOver && self.isOutboundClosed }

    /// Whether nobody is left there either.
    var mayClose: Bool { self.isLeft && self.hasPeerEnded }

    /// Whether a peer that does not read keeps the bridge from being removed, which it may do for a while.
    var isRemovalHeld: Bool { self.isActive && !self.isClosed && self.isRemoving && !self.isRemoved }
}

/// Lets the output be closed alone, as a socket does; an embedded channel closes all.
private final class HalfCloser: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = Any

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output { promise?.succeed() } else { context.close(mode: mode, promise: promise) }
    }
}

/// One history: an embedded channel, and the model beside it.
private final class History {
    private let channel = EmbeddedChannel(handler: HalfCloser())
    private var model = Model()
    private var lines: Lines?
    private let undelivered = Collected<String>()
    private let unsent = Collected<String>()
    private let failedWrites = Collected<String>()
    private let remainder = Collected<String>()
    private let removals = Collected<Bool>()
    private var accepted: [String] = []
    private var received: [String] = []
    private var isCancelled = false
    private var writes = 0
    private let results = Count()
    private var number = 0
    private(set) var log: [String] = []
    private(set) var problems: [String] = []

    private func check(_ isRight: Bool, _ problem: @autoclosure () -> String) {
        if !isRight { self.problems.append("\(problem()) after \(self.log)") }
    }

    private func name() -> String {
        self.number += 1
        return "\(self.number)"
    }

    func take(_ event: Event) throws {
        self.log.append("\(event)")
        switch event {
        case .activate:
            guard !self.model.isActive, !self.model.isClosed else { return }
            try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
            self.model.isActive = true
        case .addBridge:
            guard self.lines == nil, !self.model.isClosed else { return }
            let (undelivered, unsent) = (self.undelivered, self.unsent)
            self.lines = try self.channel.bridge(
                inbound: String.self,
                outbound: String.self,
                limits: BridgedChannelLimits(low: 1, high: 3, outbound: 3),
                onUndelivered: { undelivered.append($0) },
                onUnsent: { unsent.append($0) }
            )
            self.model.isBridged = true
        case .read:
            guard self.model.isActive, !self.model.isClosed else { return }
            let name = self.name()
            self.channel.pipeline.fireChannelRead(name)
            self.channel.pipeline.fireChannelReadComplete()
            if self.model.isBridged, !self.model.isRemoved { self.model.read.append(name) }
        case .receive:
            if let element = self.lines?.inbound.poll() { self.received.append(element) }
        case .send:
            let name = self.name()
            guard let lines = self.lines, lines.outbound.offer(name) else { return }
            self.accepted.append(name)
            self.check(!self.model.isOutboundClosed, "sent after the end")
        case .write:
            guard let lines = self.lines else { return }
            let name = self.name()
            self.accepted.append(name)
            let (failed, results) = (self.failedWrites, self.results)
            self.writes += 1
            lines.write(name).whenComplete { result in
                results.add()
                if case .failure = result { failed.append(name) }
            }
        case .toggleWritability:
            self.model.isWritable.toggle()
            self.channel.isWritable = self.model.isWritable
            self.channel.pipeline.fireChannelWritabilityChanged()
        case .runLoop:
            self.channel.embeddedEventLoop.run()
        case .endInput:
            self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            if self.model.isBridged, !self.model.isRemoved { self.model.hasPeerEnded = true }
            self.endInput()
        case .quiesce:
            self.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            self.endInput()
        case .fail:
            self.channel.pipeline.fireErrorCaught(LoopError())
            self.endInput()
        case .closeOutbound:
            self.lines?.outbound.close()
            if self.lines != nil { self.model.isOutboundClosed = true }
        case .cancelInbound:
            guard let lines = self.lines else { return }
            if !lines.inbound.isClosed { self.isCancelled = true }
            lines.inbound.cancel()
            self.endInput()
        case .removeBridge:
            guard let lines = self.lines else { return }
            let (remainder, removals) = (self.remainder, self.removals)
            if !self.model.isOutboundClosed, !self.model.isClosed { self.model.isRemoving = true }
            self.model.isOutboundClosed = true
            lines.remove { _, left in for element in left.elements { remainder.append(element) } }
                .whenComplete { result in
                    if case .success = result { removals.append(true) }
                }
        case .waitLong:
            let isRemovalHeld = self.model.isRemovalHeld && !self.model.isWritable
            self.channel.embeddedEventLoop.advanceTime(by: .seconds(31))
            if isRemovalHeld, self.removals.all.isEmpty, self.model.isActive {
                self.check(!self.channel.isActive, "being removed for ever")
                self.model.isClosed = true
            }
            if self.model.isLeft, self.model.isActive {
                self.check(!self.channel.isActive, "open for ever")
                self.model.isClosed = true
            }
        case .closeChannel:
            self.channel.close(promise: nil)
            self.model.isClosed = true
        }
        try self.compare()
    }

    private func endInput() {
        if self.model.isBridged, !self.model.isRemoved { self.model.isInputOver = true }
    }

    private func compare() throws {
        while let element = try self.channel.readOutbound(as: String.self) { self.model.written.append(element) }
        if !self.removals.all.isEmpty { self.model.isRemoved = true }
        if self.model.isActive, !self.model.isClosed, !self.channel.isActive {
            self.check(self.model.mayClose, "closed too early")
            self.model.isClosed = true
        }
        // In the order in which it was sent, and nothing twice.
        let written = Set(self.model.written)
        self.check(
            self.model.written == self.accepted.filter { written.contains($0) },
            "wrote \(self.model.written) of \(self.accepted)"
        )
    }

    /// All is over: everything has gone somewhere, once.
    func finish() throws {
        self.channel.embeddedEventLoop.run()
        try self.compare()
        let quiet = self.model.isActive && !self.model.isClosed && self.model.isWritable && self.lines != nil
        if quiet {
            self.check(self.model.written == self.accepted.filter { !self.failedWrites.all.contains($0) }, "stalled")
            self.check(!self.model.isRemoving || self.model.isRemoved, "not removed")
            self.check(!self.model.mayClose, "not closed")
        }
        if self.model.isActive, !self.model.isClosed { try self.take(.closeChannel) }
        self.channel.embeddedEventLoop.run()
        try self.compare()
        while let element = self.lines?.inbound.poll() { self.received.append(element) }
        _ = try? self.channel.finish(acceptAlreadyClosed: true)
        self.channel.embeddedEventLoop.run()
        guard let lines = self.lines else { return }
        self.check(
            (self.received + self.remainder.all + self.undelivered.all).sorted() == self.model.read.sorted(),
            "received \(self.received), left \(self.remainder.all), undelivered \(self.undelivered.all)"
                + " of \(self.model.read)"
        )
        let inOrder = self.received + self.remainder.all
        let isRead = Set(inOrder)
        self.check(inOrder == self.model.read.filter { isRead.contains($0) }, "received \(inOrder)")
        if !self.isCancelled, !self.model.isInputOver { self.check(self.undelivered.all.isEmpty, "undelivered") }
        let ends = self.model.written + self.unsent.all + self.failedWrites.all
        self.check(
            ends.sorted() == self.accepted.sorted(),
            "wrote \(self.model.written), unsent \(self.unsent.all), failed \(self.failedWrites.all) of "
                + "\(self.accepted)"
        )
        self.check(self.results.value == self.writes, "\(self.results.value) results of \(self.writes) writes")
        self.check(lines.inbound.isClosed || lines.inbound.isCancelled, "an open inbound half")
        self.check(lines.outbound.isClosed || lines.outbound.isCancelled, "an open outbound half")
    }
}

@Suite("Histories of a bridged channel", .timeLimit(.minutes(5)))
struct BridgeHistoryTests {
    @Test
    func `in any order of events nothing is lost, doubled or out of order, and all ends`() throws {
        var problems: [String] = []
        for seed in 0..<UInt64(StressScale.rounds(1_000)) where problems.count < 3 {
            var numbers = SplitMix(seed: seed)
            let history = History()
            for _ in 0..<Int.random(in: 5...40, using: &numbers) {
                guard let event = Event.often.randomElement(using: &numbers) else { break }
                try history.take(event)
            }
            try history.finish()
            problems += history.problems.prefix(1).map { "seed \(seed): \($0)" }
        }
        #expect(problems.isEmpty)
    }
}
#endif
