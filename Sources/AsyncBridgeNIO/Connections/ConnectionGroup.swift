// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
public import NIOCore

/// The connections of a server, which end together: gracefully, or at once.
///
/// ```swift
/// struct LineService {
///     let bootstrap: Bootstrap
///     let connections = ConnectionGroup()
///
///     func run() async throws {
///         let listener = self.bootstrap.childChannelInitializer { channel in
///             channel.eventLoop.makeCompletedFuture {
///                 self.connections.add(channel)
///                 try channel.pipeline.syncOperations.addHandler(codec())
///                 let lines = try channel.bridge(inbound: String.self, outbound: String.self)
///                 Task { try await serve(lines) }
///             }
///         }
///         self.connections.add(listener: try await listener.bind().value())
///         try await self.connections.run()
///     }
/// }
/// ```
///
/// This has the shape of swift-service-lifecycle's `Service`. With that package the last line is:
///
/// ```swift
/// try await withGracefulShutdownHandler {
///     try await self.connections.run()
/// } onGracefulShutdown: {
///     self.connections.endGracefully()
/// }
/// ```
///
/// ## A graceful end
/// ``endGracefully()`` closes the listeners, and fires NIO's `ChannelShouldQuiesceEvent` in each connection's pipeline.
/// A bridge then ends its inbound half, after the elements that have come. So the loop of the code that serves it ends,
/// the code returns, and what it has sent is written before the channel is closed. NIO's handlers for HTTP know the
/// event, too. A connection that has not ended after the time `grace` is closed.
///
/// ## Isolation
/// May be used on any thread.
public final class ConnectionGroup: Sendable {
    private let storage: ConnectionsStorage

    /// Makes a group without connections.
    ///
    /// - Parameter grace: How long a connection has for a graceful end.
    /// - Complexity: O(1).
    public init(grace: TimeAmount = .seconds(30)) { self.storage = ConnectionsStorage(grace: grace) }

    /// How many channels there are, listeners included.
    ///
    /// - Complexity: O(1).
    public var count: Int { self.storage.count }

    /// Adds a connection, until it is closed; after the end of the group it is closed at once.
    ///
    /// - Parameter channel: The connection's channel; call it in the channel's initializer.
    /// - Complexity: O(1) on average.
    public func add(_ channel: any Channel) { self.storage.add(channel, as: .connection) }

    /// Adds a listener: it is closed when the end begins, and if it is closed before, the end begins.
    ///
    /// - Parameter channel: The listener's channel.
    /// - Complexity: O(1) on average.
    public func add(listener channel: any Channel) { self.storage.add(channel, as: .listener) }

    /// Begins the graceful end: no more connections come, and each that is open finishes what it has begun.
    ///
    /// Nothing happens if an end was begun before.
    ///
    /// - Complexity: O(*n*) in the number of channels.
    public func endGracefully() { self.storage.endGracefully() }

    /// Closes all channels at once.
    ///
    /// - Complexity: O(*n*) in the number of channels.
    public func closeAll() { self.storage.closeAll() }

    /// Waits until an end was begun, and all channels are closed.
    ///
    /// ## Cancellation
    /// Closes all channels at once, and throws `CancellationError` when they are closed.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Throws: `CancellationError`, and nothing else. Errors of connections are not errors here.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func run() async throws {
        let storage = self.storage
        try await withTaskCancellationHandler {
            try await storage.finished.value(cancellation: .ignore)
        } onCancel: {
            storage.closeAll()
        }
        try Task.checkCancellation()
    }
}
#endif
