// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import NIOCore
import Synchronization

/// The lock around the machine of a ``ConnectionGroup``, and the actions that follow from its decisions.
final class ConnectionsStorage: Sendable {
    /// What a channel is for.
    enum Role {
        case listener
        case connection
    }

    private typealias Connection = (channel: any Channel, role: Role)

    private let state = Mutex(ConnectionsState<Connection>())
    private let grace: TimeAmount
    /// Succeeds when none is left.
    let finished = CoPromise<Void>()

    init(grace: TimeAmount) { self.grace = grace }

    var count: Int { self.state.withLock { $0.count } }

    func add(_ channel: any Channel, as role: Role) {
        let id = ObjectIdentifier(channel)
        guard self.state.withLock({ $0.add((channel, role), id) }) else { return Self.close(channel) }
        let closed = { @Sendable in
            self.perform(self.state.withLock { $0.removed(id) })
            // There is nobody left to connect to.
            if role == .listener { self.endGracefully() }
        }
        // A loop that was shut down has closed its channels, and calls nobody back.
        channel.closeFuture.whenComplete(orShutDown: LoopEndAction(closed)) { _ in closed() }
    }

    func endGracefully() { self.perform(self.state.withLock { $0.endGracefully() }) }

    func closeAll() { self.perform(self.state.withLock { $0.closeAll() }) }

    private func perform(_ action: ConnectionsState<Connection>.EndAction) {
        switch action {
        case .none:
            break
        case .tell(let connections):
            for connection in connections { self.tell(connection) }
        case .close(let connections):
            for (channel, _) in connections { Self.close(channel) }
        case .finish:
            self.finished.success(())
        }
    }

    private func tell(_ connection: Connection) {
        let channel = connection.channel
        // A loop that was shut down has closed it.
        guard LoopWait.isRunning(channel.eventLoop) else { return }
        switch connection.role {
        case .listener:
            Self.close(channel)
        case .connection:
            channel.eventLoop.execute {
                QuiescingMark.add(to: channel)
                channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            }
            let end = channel.eventLoop.scheduleTask(in: self.grace) { channel.close(promise: nil) }
            channel.closeFuture.whenComplete { _ in end.cancel() }
        }
    }

    /// Never in this call: it may be a task's cancellation, under a lock of the runtime.
    private static func close(_ channel: any Channel) {
        guard LoopWait.isRunning(channel.eventLoop) else { return }
        channel.eventLoop.execute { channel.close(promise: nil) }
    }
}
#endif
