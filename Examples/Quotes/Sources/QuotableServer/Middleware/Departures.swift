// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Hummingbird
import NIOCore
import Synchronization

/// Answers requests, and cancels the work for clients that have left.
///
/// Hummingbird notices that a client has left when it writes to it, which is after the work. Why not its
/// `consumeWithCancellationOnInboundClose`: that closes the connection after the answer.
struct DepartureWatch<Responder: HTTPResponder>: HTTPResponder where Responder.Context == QuotableContext {
    let responder: Responder
    let departures: Departures

    @concurrent func respond(to request: Request, context: QuotableContext) async throws -> Response {
        guard let connection = context.connection else {
            return try await self.responder.respond(to: request, context: context)
        }
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
final class Departures: Sendable {
    private struct Connection {
        var hasLeft = false
        /// Stops the request under way; a connection has one at a time.
        var cancel: (@Sendable () -> Void)?
    }

    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    /// What watches a connection.
    func makeWatch() -> Watch { Watch(self) }

    /// A request begins; the closure stops it, now if the client has left.
    func begin(on connection: ObjectIdentifier, cancel: @escaping @Sendable () -> Void) {
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
    final class Watch: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        private let departures: Departures

        fileprivate init(_ departures: Departures) { self.departures = departures }

        func handlerAdded(context: ChannelHandlerContext) { self.departures.add(ObjectIdentifier(context.channel)) }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.departures.remove(ObjectIdentifier(context.channel))
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event as? ChannelEvent == .inputClosed { self.departures.leave(ObjectIdentifier(context.channel)) }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            self.departures.leave(ObjectIdentifier(context.channel))
            context.fireChannelInactive()
        }
    }
}
