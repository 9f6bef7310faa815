// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeNIO
public import NIOCore
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

    /// Describes a server.
    ///
    /// - Parameters:
    ///   - form: How it is written.
    ///   - host: The name or address of the interface to listen on.
    ///   - port: The port; 0 is any free one.
    ///   - threads: How many event loops serve.
    public init(form: Form, host: String = "127.0.0.1", port: Int = 0, threads: Int = 1) {
        (self.form, self.host, self.port, self.threads) = (form, host, port, threads)
    }

    /// Serves until the task is cancelled; then closes all connections.
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
        // Closes the connections.
        try await group.shutdownGracefully()
        try result.get()
    }

    private func serve(on group: MultiThreadedEventLoopGroup, _ onStart: (SocketAddress?) -> Void) async throws {
        let room = Room(on: group.next())
        let address = Address(host: self.host, port: self.port, group: group)
        let listener: any Channel
        switch self.form {
        case .handler: listener = try await HandlerForm.listen(on: address, room: room)
        case .task: return try await TaskForm.run(on: address, room: room, onStart: onStart)
        case .coroutine: listener = try await CoroutineForm.listen(on: address, room: room)
        }
        onStart(listener.localAddress)
        try await listener.closeFuture.value(cancellation: .propagate { listener.close(promise: nil) })
    }
}

/// Where to listen, and on which event loops.
struct Address: Sendable {
    let host: String
    let port: Int
    let group: MultiThreadedEventLoopGroup
}

extension ServerBootstrap {
    /// What all forms have in common.
    convenience init(lines address: Address) {
        self.init(group: address.group)
        _ = self.serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // A client that has said all it wants to say still gets its answers.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
    }
}
