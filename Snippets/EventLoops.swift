// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Await on SwiftNIO's event loops". Only compiled: an event loop comes with NIOPosix, which the package does not need.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import Coroutines
import NIOCore

struct Connection: Sendable {
    let eventLoop: any EventLoop

    func send(_ request: String) -> EventLoopFuture<String> { self.eventLoop.makeSucceededFuture(request) }

    func close() {}
}

func answer(_ request: String) async throws -> String { request }

func wait(connection: Connection, request: String) async throws {
    // snippet.VALUE
    let reply = try await connection.send(request).value()
    // snippet.end
    print(reply)
}

func propagate(connection: Connection, request: String) async throws {
    // snippet.PROPAGATE
    let reply = try await connection.send(request).value(cancellation: .propagate { connection.close() })
    // snippet.end
    print(reply)
}

func limited(connection: Connection, request: String) async throws {
    // snippet.TIMEOUT
    let reply = try await withCallback(timeout: .seconds(1)) { callback in
        connection.send(request).whenComplete(callback.handler())
        callback.onCancel { connection.close() }
    }
    // snippet.end
    print(reply)
}

func inACoroutine(connection: Connection, request: String) throws {
    // snippet.COFUTURE
    let reply = try connection.send(request).coFuture().await()
    // snippet.end
    print(reply)
}

enum Trace {
    @TaskLocal static var id = ""
}

func traced(request: String, id: String) throws {
    // snippet.TASKLOCAL
    let reply = Trace.$id.withValue(id) { CoFuture { try await answer(request) } }
    print(try reply.await())
    // snippet.end
}

func offer(eventLoop: any EventLoop, request: String) {
    // snippet.EVENTLOOPFUTURE
    let reply = CoFuture { try await answer(request) }.eventLoopFuture(on: eventLoop)
    // snippet.end
    reply.whenSuccess { print($0) }
}

final class Handler: ChannelInboundHandler {
    typealias InboundIn = String
    typealias OutboundOut = String

    private let scope = CoScope()

    // snippet.HANDLER
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let request = self.unwrapInboundIn(data)
        let reply = context.eventLoop.future(in: self.scope) { try await answer(request) }
        reply.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let answer): context.writeAndFlush(self.wrapOutboundOut(answer), promise: nil)
            case .failure: context.close(promise: nil)
            }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.scope.cancel()
        context.fireChannelInactive()
    }
    // snippet.end
}

func onTheLoop(channel: any Channel, connection: Connection, request: String) {
    // snippet.SCHEDULER
    channel.eventLoop.scheduler.startCoroutine {
        let reply = try connection.send(request).coFuture().await()
        channel.writeAndFlush(reply, promise: nil)
    }
    // snippet.end
}

func taskOnTheLoop(channel: any Channel, lines: BridgedChannel<String, String>) async throws {
    // snippet.TASKEXECUTOR
    try await withTaskExecutorPreference(channel.eventLoop.taskExecutor) {
        try await serve(lines)
    }
    // snippet.end
}

func echo(_ lines: BridgedChannel<String, String>) async throws {
    // snippet.ECHO
    for try await line in lines.inbound { try await lines.outbound.send(line) }
    // snippet.end
}

func serveWhileThePeerIsThere(_ lines: BridgedChannel<String, String>, on channel: any Channel) {
    // snippet.GONE
    let task = Task { try await serve(lines) }
    channel.closeFuture.whenComplete { _ in task.cancel() }
    // snippet.end
}

// snippet.SERVE
func serve(_ lines: BridgedChannel<String, String>) async throws {
    for try await line in lines.inbound { try await lines.outbound.send(line) }
}
// snippet.end

// snippet.COROUTINE
func serveInACoroutine(_ lines: BridgedChannel<String, String>) {
    lines.channel.eventLoop.scheduler.startCoroutine {
        while let line = try lines.inbound.awaitNext() { try lines.outbound.awaitSend(line) }
    }
}
// snippet.end

// snippet.LOOPTIME
func lineWithinASecond(_ lines: BridgedChannel<String, String>) throws -> String? {
    let limit = lines.channel.eventLoop.scheduleTask(in: .seconds(1)) {}
    defer { limit.cancel() }
    return try select(
        .receive(from: lines.inbound) { $0 },
        .value(of: limit.futureResult.coFuture()) { nil }
    )
}
// snippet.end

func serveWithAClosure(_ lines: BridgedChannel<String, String>) throws {
    // snippet.FOREACH
    try Coroutine.forEach(lines.inbound) { line in try lines.outbound.awaitSend(line) }
    // snippet.end
}

/// Says how channels of a server begin, as NIO's `ServerBootstrap` does.
struct Bootstrap: Sendable {
    let listener: EventLoopFuture<any Channel>

    func childChannelOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> Self { self }

    @discardableResult
    func childChannelInitializer(_ body: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>) -> Self { self }

    func bind() -> EventLoopFuture<any Channel> { self.listener }
}

func codec() -> some ChannelHandler { Handler() }

func server(bootstrap: Bootstrap) {
    bootstrap
        // snippet.HALFCLOSURE
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        // snippet.end
        // snippet.BRIDGE
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(codec())
                let lines = try channel.bridge(inbound: String.self, outbound: String.self)
                Task { try await serve(lines) }
            }
        }
    // snippet.end
}

// MARK: Servers

struct Request: Sendable {}
struct Response: Sendable {}
struct ParsingError: Error {}

func errorsAsElements(channel: any Channel) throws {
    // snippet.ONERROR
    let requests = try channel.bridge(
        inbound: Result<Request, ParsingError>.self,
        outbound: Response.self,
        onError: { error in (error as? ParsingError).map { .failure($0) } }
    )
    // snippet.end
    print(requests)
}

func backPressureByBytes(channel: any Channel) throws {
    // snippet.SIZE
    let chunks = try channel.bridge(
        inbound: ByteBuffer.self,
        outbound: ByteBuffer.self,
        limits: BridgedChannelLimits(low: 64 * 1024, high: 256 * 1024),
        size: \.readableBytes
    )
    // snippet.end
    print(chunks)
}

typealias Datagram = AddressedEnvelope<ByteBuffer>

func reply(to request: Datagram) -> Datagram { request }

// snippet.WRITE
func answer(_ socket: BridgedChannel<Datagram, Datagram>) async throws {
    for try await request in socket.inbound {
        do {
            try await socket.write(reply(to: request)).value()
        } catch {
            print("not sent to \(request.remoteAddress): \(error)")
        }
    }
}
// snippet.end

struct EarlyLines: Error {}

// snippet.REMOVE
func upgrade(_ lines: BridgedChannel<String, String>) async throws -> BridgedChannel<ByteBuffer, ByteBuffer> {
    try await lines.outbound.send("go on in bytes")
    let upgraded = lines.remove { channel, left in
        // What the peer says before it has read the answer is against the protocol.
        guard left.elements.isEmpty else { throw EarlyLines() }
        return try channel.bridge(inbound: ByteBuffer.self, outbound: ByteBuffer.self)
    }
    return try await upgraded.value()
}
// snippet.end

// snippet.SERVICE
struct LineService {
    let bootstrap: Bootstrap
    let connections = ConnectionGroup()

    func run() async throws {
        let listener = self.bootstrap.childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                self.connections.add(channel)
                try channel.pipeline.syncOperations.addHandler(codec())
                let lines = try channel.bridge(inbound: String.self, outbound: String.self)
                Task { try await serve(lines) }
            }
        }
        self.connections.add(listener: try await listener.bind().value())
        try await self.connections.run()
    }
}
// snippet.end

/// Stands in for the function of swift-service-lifecycle, which calls the handler when a graceful shutdown begins.
func withGracefulShutdownHandler<Value>(
    operation: () async throws -> Value,
    onGracefulShutdown handler: @escaping @Sendable () -> Void
) async rethrows -> Value {
    handler()
    return try await operation()
}

extension LineService {
    func runUntilShutdown() async throws {
        // snippet.LIFECYCLE
        try await withGracefulShutdownHandler {
            try await self.connections.run()
        } onGracefulShutdown: {
            self.connections.endGracefully()
        }
        // snippet.end
    }
}

// MARK: STARTTLS

final class LineDecoder: ByteToMessageDecoder {
    typealias InboundOut = String

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState { .needMoreData }
}

func tls() -> some ChannelHandler { Handler() }

// snippet.STARTTLS
func startTLS(_ lines: BridgedChannel<String, String>) async throws {
    let pipeline = lines.channel.pipeline
    try await lines.write("ready").flatMapThrowing {
        // On the loop, before it reads again. What the peer has sent so far may be somebody else's: whole lines, which
        // the bridge has, and the beginning of one, which the decoder has.
        while lines.inbound.poll() != nil {}
        let decoder = try pipeline.syncOperations.handler(type: ByteToMessageHandler<LineDecoder>.self)
        try pipeline.syncOperations.addHandler(ByteToMessageHandler(LineDecoder()), position: .before(decoder))
        pipeline.syncOperations.removeHandler(decoder, promise: nil)
        try pipeline.syncOperations.addHandler(tls(), position: .first)
    }
    .value()
}
// snippet.end

struct LoopScheduler: CoroutineScheduler {
    let eventLoop: any EventLoop

    func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.eventLoop.execute(task) }

    // snippet.RESUME
    func resumeTask(_ task: @escaping @Sendable () -> Void) {
        if self.eventLoop.inEventLoop { task() } else { self.scheduleTask(task) }
    }
    // snippet.end
}
#endif
