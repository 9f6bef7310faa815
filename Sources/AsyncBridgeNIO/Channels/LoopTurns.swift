// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import NIOCore
import Synchronization

/// Lets the bridged channels of an event loop write for a while, and then the loop look at its sockets.
///
/// NIO's loops run tasks until none is ready, and only then look at their sockets. So one client that reads fast, and
/// is sent something without end, would keep all other clients of the loop waiting forever: NIO's own handlers and
/// `NIOAsyncChannel` do that.
///
/// Used on its event loop only.
final class LoopTurns {
    private let eventLoop: any EventLoop
    private var state = LoopTurnState()
    private var waiting: [BridgeHandler] = []
    private var users = 0
    /// The channel whose bridge is being replaced, and what that one has written last.
    private var replaced: (channel: any Channel, lastWrite: EventLoopFuture<Void>?)?

    private init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Whether an element may be written in this turn.
    func mayWrite() -> Bool { self.state.mayWrite { self.eventLoop.now } }

    func sawInput() { self.state.sawInput() }

    /// Lets a handler go on in the next turn.
    func wait(_ handler: BridgeHandler) {
        self.waiting.append(handler)
        if self.state.wait() { self.passQueue() }
    }

    /// Plans the next turn for after the work that is queued now.
    private func passQueue() {
        let start = self.eventLoop.now
        let turns = NIOLoopBound(self, eventLoop: self.eventLoop)
        self.eventLoop.execute { turns.value.passedQueue(since: start) }
    }

    private func passedQueue(since start: NIODeadline) {
        guard let pause = self.state.passedQueue(in: self.eventLoop.now - start) else { return self.passQueue() }
        let turns = NIOLoopBound(self, eventLoop: self.eventLoop)
        // A task that is ready at once would be run before the loop looks at its sockets.
        self.eventLoop.scheduleTask(in: pause) { turns.value.begin() }
    }

    private func begin() {
        self.state.begin()
        var next = exchange(&self.waiting, with: [])[...]
        while !self.state.isOver, let handler = next.popFirst() { handler.goOn() }
        // Who had no time is first in the next turn; or the first of them would use up every turn.
        self.waiting = next + self.waiting
    }

    // MARK: A bridge that replaces another one

    /// Calls a closure that may add another bridge to a channel.
    static func replacing(in channel: any Channel, _ lastWrite: EventLoopFuture<Void>?, _ body: () -> Void) {
        let turns = Self.join(on: channel.eventLoop)
        let outer = exchange(&turns.replaced, with: (channel, lastWrite))
        body()
        turns.replaced = outer
        turns.leave()
    }

    /// What the bridge has written last that is being replaced in a channel; it may be on its way still.
    func lastWriteOfReplaced(in channel: any Channel) -> EventLoopFuture<Void>? {
        guard let replaced = self.replaced, replaced.channel === channel else { return nil }
        return replaced.lastWrite
    }

    // MARK: One for each event loop

    private static let all = Mutex<[ObjectIdentifier: NIOLoopBound<LoopTurns>]>([:])

    /// The one of an event loop, on which it must be called; paired with ``leave()``.
    static func join(on eventLoop: any EventLoop) -> LoopTurns {
        let turns = Self.all.withLock { all in
            if let turns = all[ObjectIdentifier(eventLoop)] { return turns }
            let turns = NIOLoopBound(LoopTurns(eventLoop), eventLoop: eventLoop)
            all[ObjectIdentifier(eventLoop)] = turns
            return turns
        }
        turns.value.users += 1
        return turns.value
    }

    func leave() {
        self.users -= 1
        guard self.users == 0 else { return }
        // It keeps the loop until now, so that no other one has its address.
        _ = Self.all.withLock { $0.removeValue(forKey: ObjectIdentifier(self.eventLoop)) }
    }
}
#endif
