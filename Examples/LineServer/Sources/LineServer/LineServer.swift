// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeNIO
import ConnectionLimits
public import NIOCore
import NIOExtras
import NIOPosix

/// A server for lines of text, in three forms that do the same.
public struct LineServer: Sendable {
    /// How the code of a connection is written.
    public enum Form: String, CaseIterable, Sendable {
        /// A handler of NIO.
        case handler
        /// A task, with `NIOAsyncChannel`.
        case task
        /// A coroutine on the connection's event loop, with `bridge(inbound:outbound:)`.
        case coroutine
    }

    private let form: Form
    private let host: String
    private let port: Int
    private let threads: Int
    private let connections: Int

    /// Describes a server.
    ///
    /// - Parameters:
    ///   - form: How it is written.
    ///   - host: The name or address of the interface to listen on.
    ///   - port: The port; 0 is any free one.
    ///   - threads: How many event loops serve.
    ///   - connections: How many connections are served at once, or fewer, if the process may have fewer descriptors;
    ///     more wait until one has ended.
    public init(
        form: Form,
        host: String = "127.0.0.1",
        port: Int = 0,
        threads: Int = 1,
        connections: Int = Self.defaultConnections
    ) {
        (self.form, self.host, self.port, self.threads) = (form, host, port, threads)
        self.connections = ConnectionLimit.ofProcess(atMost: connections)
    }

    /// How many connections are served at once, if nobody says otherwise.
    public static var defaultConnections: Int { 1000 }

    /// Serves until the task is cancelled; then closes all connections, and waits until their code has ended.
    ///
    /// - Parameter onStart: Called with the address, when clients can connect.
    /// - Throws: NIO's error, if it cannot listen.
    public func run(onStart: (SocketAddress?) -> Void = { _ in }) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: self.threads)
        let result: Result<Void, any Error>
        do {
            result = .success(try await self.serve(on: group, onStart))
        } catch is CancellationError {
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // Nothing uses the event loops any more: NIO ends a process whose promises cannot be kept.
        try await group.shutdownGracefully()
        try result.get()
    }

    private func serve(on group: MultiThreadedEventLoopGroup, _ onStart: (SocketAddress?) -> Void) async throws {
        let (room, quiescing) = (Room(on: group.next()), ServerQuiescingHelper(group: group))
        let address = Address(
            host: self.host,
            port: self.port,
            connections: self.connections,
            group: group,
            quiescing: quiescing
        )
        let end = try await self.listen(on: address, in: room, onStart)
        // A cancelled task stops waiting, and goes on to close all.
        do { try await end.value() } catch is CancellationError {}
        let areClosed = group.next().makePromise(of: Void.self)
        quiescing.initiateShutdown(promise: areClosed)
        try await areClosed.futureResult.value(cancellation: .ignore)
        try await end.value(cancellation: .ignore)
        try await room.close().value(cancellation: .ignore)
    }

    /// Begins to serve.
    ///
    /// - Returns: Ends when nobody listens any more.
    private func listen(
        on address: Address,
        in room: Room,
        _ onStart: (SocketAddress?) -> Void
    ) async throws -> EventLoopFuture<Void> {
        let listener: any Channel
        switch self.form {
        case .handler: listener = try await HandlerForm.listen(on: address, room: room)
        case .coroutine: listener = try await CoroutineForm.listen(on: address, room: room)
        case .task:
            let server = try await TaskForm.listen(on: address)
            onStart(server.channel.localAddress)
            // Not in the task that is cancelled: there the loop over connections would end at once, and drop those that
            // it has not taken, for which NIO ends the process.
            return address.group.next().future { try await TaskForm.serve(server, in: room) }
        }
        onStart(listener.localAddress)
        return listener.closeFuture
    }
}

/// Where to listen, and on which event loops.
struct Address: Sendable {
    let host: String
    let port: Int
    /// How many are open at once.
    let connections: Int
    let group: MultiThreadedEventLoopGroup
    /// Closes the connections at the end.
    let quiescing: ServerQuiescingHelper
}

extension ServerBootstrap {
    /// What all forms have in common.
    convenience init(lines address: Address) {
        self.init(group: address.group)
        _ = self.serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // The gate decides before each read, which then accepts one connection.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let quiescing = address.quiescing.makeServerChannelHandler(channel: channel)
                    try channel.pipeline.syncOperations.addHandlers(ConnectionGate(address.connections), quiescing)
                }
            }
            // A client that has said all it wants to say still gets its answers.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
    }
}
