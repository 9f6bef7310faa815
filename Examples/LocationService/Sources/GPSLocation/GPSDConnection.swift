// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import NIOCore
import NIOExtras
import NIOPosix

/// A connection to gpsd, which is made anew whenever it ends, until it is stopped.
final class GPSDConnection: Sendable {
    enum Event: Sendable {
        case position(GPSDPosition)
        /// Somebody listens, or is known to be gpsd.
        case contact(LocationManager.Contact)
        /// The daemon does not hear a receiver any more.
        case gone(device: String)
        /// There is no connection, or it has ended. Told once until there is one again.
        case problem(LocationManagerError)
    }

    /// How long to wait, in milliseconds.
    struct Pauses: Sendable {
        /// Before the next attempt; doubled after each, until a connection lasts for the longest pause.
        var first: Int64
        var longest: Int64
        /// For the first line of a connection, which gpsd sends at once.
        var greeting: Int64
    }

    private struct State {
        var isStopped = false
        var channel: (any Channel)?
        var retry: Scheduled<Void>?
        /// Ends a connection over which nothing comes.
        var silence: Scheduled<Void>?
        var pause: Int64
        /// Whether gpsd's first line has come over this connection.
        var hasGreeting = false
        /// Since when the daemon has reported over this connection.
        var start: NIODeadline?
        /// What was told since the last good connection.
        var problem: LocationManagerError?
        /// Why the handler has closed the connection.
        var reason: LocationManagerError?
    }

    private let host: String
    private let port: Int
    private let pauses: Pauses
    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>
    private let onEvent: @Sendable (Event) -> Void

    /// Connects; `onEvent` is called on the event loop, not after ``stop()`` on the same loop.
    init(host: String, port: Int, pauses: Pauses, onEvent: @escaping @Sendable (Event) -> Void) {
        (self.host, self.port, self.pauses, self.onEvent) = (host, port, pauses, onEvent)
        self.loop = MultiThreadedEventLoopGroup.singleton.next()
        self.state = .makeBoxSendingValue(State(pause: pauses.first), eventLoop: self.loop)
        self.loop.execute { self.connect() }
    }

    /// Ends the connection, and every attempt to make one.
    func stop() {
        self.loop.execute {
            self.state.value.isStopped = true
            self.state.value.retry?.cancel()
            self.state.value.silence?.cancel()
            self.state.value.channel?.close(promise: nil)
        }
    }

    private func connect() {
        guard !self.state.value.isStopped else { return }
        self.state.value.reason = nil
        self.state.value.hasGreeting = false
        ClientBootstrap(group: self.loop)
            .connectTimeout(.seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Known at once: `stop` may come before it is connected.
                    self.state.value.channel = channel
                    try channel.pipeline.syncOperations.addHandlers(
                        ByteToMessageHandler(LineBasedFrameDecoder(), maximumBufferSize: GPSDHandler.longestLine),
                        GPSDHandler(onReport: self.take, onError: self.note)
                    )
                }
            }
            .connect(host: self.host, port: self.port)
            .whenComplete { result in
                switch result {
                case .failure(let error):
                    if let error = error as? NIOConnectionError, error.connectionErrors.isEmpty {
                        self.note(LocationManagerError(.network, "There is no machine named '\(self.host)'."))
                    }
                    self.end()
                case .success(let channel):
                    // Of several addresses, the channel that has won.
                    self.state.value.channel = channel
                    if self.state.value.isStopped {
                        channel.close(promise: nil)
                    } else if channel.isActive, !self.state.value.hasGreeting {
                        self.awaitGreeting(channel)
                    }
                    channel.closeFuture.whenComplete { _ in self.end() }
                }
            }
    }

    /// Somebody listens, who may be no gpsd.
    private func awaitGreeting(_ channel: any Channel) {
        self.onEvent(.contact(.port))
        self.state.value.silence = self.loop.scheduleTask(in: .milliseconds(self.pauses.greeting)) {
            self.note(
                LocationManagerError(
                    .malformedData,
                    "What listens at \(self.host) port \(self.port) says nothing. A gpsd greets at once."
                )
            )
            channel.close(promise: nil)
        }
    }

    private func take(_ report: GPSDReport) {
        guard !self.state.value.isStopped else { return }
        switch report {
        case .version:
            self.state.value.hasGreeting = true
            self.state.value.silence?.cancel()
            self.onEvent(.contact(.daemon))
        case .other: break
        case .gone(let device): self.onEvent(.gone(device: device))
        case .watch:
            self.state.value.problem = nil
            self.state.value.start = .now()
        case .position(let position):
            self.onEvent(.position(position))
        case .refusal(let message):
            self.note(LocationManagerError(.malformedData, "gpsd refuses to report: \(message.quoted(200))."))
            self.state.value.channel?.close(promise: nil)
        }
    }

    private func note(_ error: LocationManagerError) {
        if self.state.value.reason == nil { self.state.value.reason = error }
    }

    /// A connection has ended, or could not be made.
    private func end() {
        guard !self.state.value.isStopped else { return }
        self.state.value.channel = nil
        self.state.value.silence?.cancel()
        // Not for a daemon that says a word and goes, again and again: it would be asked without a pause.
        if let start = self.state.value.start, .now() - start >= .milliseconds(self.pauses.longest) {
            self.state.value.pause = self.pauses.first
        }
        self.state.value.start = nil
        let problem =
            self.state.value.reason
            ?? LocationManagerError(
                .network,
                "There is no gpsd at \(self.host) port \(self.port), or it has ended the connection."
            )
        if problem != self.state.value.problem {
            self.state.value.problem = problem
            self.onEvent(.problem(problem))
        }
        let pause = self.state.value.pause
        self.state.value.pause = min(pause * 2, self.pauses.longest)
        self.state.value.retry = self.loop.scheduleTask(in: .milliseconds(pause)) { self.connect() }
    }
}

/// Asks for reports and reads them.
///
/// Whatever makes no sense ends the connection.
private final class GPSDHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// In bytes; gpsd's longest, of satellites, has some ten thousand.
    static let longestLine = 64 * 1024

    private let onReport: (GPSDReport) -> Void
    private let onError: (LocationManagerError) -> Void
    private var hasVersion = false
    private var hasFailed = false

    init(onReport: @escaping (GPSDReport) -> Void, onError: @escaping (LocationManagerError) -> Void) {
        (self.onReport, self.onError) = (onReport, onError)
    }

    func channelActive(context: ChannelHandlerContext) {
        let request = context.channel.allocator.buffer(string: #"?WATCH={"enable":true,"json":true};"# + "\n")
        context.writeAndFlush(self.wrapOutboundOut(request), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What is left of a read after a mistake.
        guard !self.hasFailed else { return }
        do {
            let line = self.unwrapInboundIn(data)
            // The decoder's limit is for what it keeps; one read may bring more than that, and its end.
            guard line.readableBytes <= Self.longestLine else { throw ByteToMessageDecoderError.PayloadTooLargeError() }
            let report = try GPSDReport(line)
            if !self.hasVersion {
                guard case .version(protocolMajor: 3) = report else {
                    throw LocationManagerError(.malformedData, "This is not a gpsd with version 3 of the protocol.")
                }
                self.hasVersion = true
            } else if case .version(let major) = report, major != 3 {
                throw LocationManagerError(.malformedData, "gpsd has changed to version \(major) of its protocol.")
            }
            // After a refusal nothing else counts, also of the same read.
            if case .refusal = report { self.hasFailed = true }
            self.onReport(report)
        } catch {
            self.errorCaught(context: context, error: error)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.hasFailed = true
        switch error {
        case let error as LocationManagerError: self.onError(error)
        case is ByteToMessageDecoderError.PayloadTooLargeError:
            self.onError(LocationManagerError(.malformedData, "gpsd has sent a line of more than 64 KiB."))
        // The connection was lost, perhaps in the middle of a line.
        default: break
        }
        context.close(promise: nil)
    }
}
