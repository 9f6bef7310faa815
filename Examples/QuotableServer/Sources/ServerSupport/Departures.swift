// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Hummingbird
public import NIOCore
import Synchronization

/// A context that knows on which connection the request came.
public protocol ConnectionContext: RequestContext {
    /// The connection's; nil where there is no network.
    var connection: ObjectIdentifier? { get }
}

extension ConnectionContext {
    /// What a context keeps of where a request came from.
    public static func connection(of source: ApplicationRequestContextSource) -> ObjectIdentifier? {
        source.channel is any SocketOptionProvider ? ObjectIdentifier(source.channel) : nil
    }
}

/// Answers requests, and cancels the work for clients that have left.
///
/// Hummingbird notices that a client has left when it writes to it, which is after the work. Why not its
/// `consumeWithCancellationOnInboundClose`: that closes the connection after the answer.
public struct DepartureWatch<Responder: HTTPResponder>: HTTPResponder where Responder.Context: ConnectionContext {
    private let responder: Responder
    private let departures: Departures

    /// Watches over a responder.
    public init(responder: Responder, departures: Departures) {
        self.responder = responder
        self.departures = departures
    }

    /// Answers a request, and cancels that if the client leaves.
    @concurrent public func respond(to request: Request, context: Responder.Context) async throws -> Response {
        guard let connection = context.connection else {
            return try await self.responder.respond(to: request, context: context)
        }
        // Why not `callAsync`: it does not begin what was cancelled before. Here the routes answer that, too.
        let work = Task { try await self.responder.respond(to: request, context: context) }
        self.departures.begin(on: connection) { work.cancel() }
        defer { self.departures.finish(on: connection) }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }
}

/// Which clients have left, of those that are connected.
///
/// One that has closed its half of the connection is taken to have left: so it looks when a client is stopped.
public final class Departures: Sendable {
    private struct Connection {
        var hasLeft = false
        /// Stops the request under way; a connection has one at a time.
        var cancel: (@Sendable () -> Void)?
    }

    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    /// Knows of no connection yet.
    public init() {}

    /// Makes what watches a connection.
    public func makeWatch() -> Watch { Watch(self) }

    /// A request begins; the closure stops it, now if the client has left.
    public func begin(on connection: ObjectIdentifier, cancel: @escaping @Sendable () -> Void) {
        let hasLeft = self.connections.withLock { connections in
            connections[connection]?.cancel = cancel
            // One that is not known any more has left before its request was looked at.
            return connections[connection]?.hasLeft ?? true
        }
        if hasLeft { cancel() }
    }

    fileprivate func finish(on connection: ObjectIdentifier) {
        self.connections.withLock { $0[connection]?.cancel = nil }
    }

    private func add(_ connection: ObjectIdentifier) {
        self.connections.withLock { $0[connection] = Connection() }
    }

    private func leave(_ connection: ObjectIdentifier) {
        let cancel = self.connections.withLock { connections in
            connections[connection]?.hasLeft = true
            return connections[connection]?.cancel
        }
        cancel?()
    }

    private func remove(_ connection: ObjectIdentifier) {
        self.leave(connection)
        _ = self.connections.withLock { $0.removeValue(forKey: connection) }
    }

    /// Learns from a connection's events whether its client has left.
    public final class Watch: ChannelInboundHandler, RemovableChannelHandler {
        /// It looks at no message.
        public typealias InboundIn = NIOAny

        private let departures: Departures

        fileprivate init(_ departures: Departures) { self.departures = departures }

        /// The connection is there.
        public func handlerAdded(context: ChannelHandlerContext) {
            self.departures.add(ObjectIdentifier(context.channel))
        }

        /// The connection is gone.
        public func handlerRemoved(context: ChannelHandlerContext) {
            self.departures.remove(ObjectIdentifier(context.channel))
        }

        /// The client may have closed its half.
        public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event as? ChannelEvent == .inputClosed { self.departures.leave(ObjectIdentifier(context.channel)) }
            context.fireUserInboundEventTriggered(event)
        }

        /// The connection has ended.
        public func channelInactive(context: ChannelHandlerContext) {
            self.departures.leave(ObjectIdentifier(context.channel))
            context.fireChannelInactive()
        }
    }
}
