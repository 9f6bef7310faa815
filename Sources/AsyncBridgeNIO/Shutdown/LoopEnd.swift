// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import NIOCore
import Synchronization

/// Tells what waits for an event loop that the loop was shut down.
///
/// NIO's loops cancel their scheduled callbacks when they end, on their own thread, where futures can still be
/// completed. So each loop for which something waits gets one callback that is never due.
///
/// Not all loops do that: those of `NIOEmbedded` and of Network.framework are silent. What they get after their end
/// they run, or drop, which ``LoopWait`` notices.
///
/// A loop that was shut down stays known for as long as it is in memory: nothing more is scheduled on it, for which NIO
/// would write an error, or end a process with `SWIFTNIO_STRICT`. NIO has no call that asks without scheduling, so a
/// loop that ended before anything here knew it gets one question.
///
/// NIO refuses what other threads schedule before it cancels the callbacks. Of a shutdown, it runs only the ends of its
/// channels on the loop before it refuses. So no lock closes that gap, of which ``EventLoopScheduler`` tells; a channel
/// of our own on each loop would, for a descriptor each.
final class LoopEnd: Sendable {
    private let state = Mutex(LoopEndState<any LoopWaiter>())
    private let eventLoop: Mutex<Reference>
    /// Whether the loop is kept; once it is not, never again.
    private let keepsLoop = Atomic(true)
    private let key: ObjectIdentifier
    private let kind: ObjectIdentifier

    /// A loop, which is kept until it has ended, so that no other loop gets its address.
    private struct Reference {
        var running: (any EventLoop)?
        weak var ended: (any EventLoop)?
    }

    private init(_ eventLoop: any EventLoop) {
        self.key = ObjectIdentifier(eventLoop)
        self.kind = ObjectIdentifier(type(of: eventLoop))
        self.eventLoop = Mutex(Reference(running: eventLoop))
    }

    /// Whether it is that of a loop; not if that has the address of one that has gone.
    private func isOf(_ key: ObjectIdentifier) -> Bool { self.key == key && !self.hasGone }

    /// Whether its loop has ended, and is no longer in memory.
    private var hasGone: Bool {
        // One that runs is kept, so nothing else has its address: most waits need no second lock.
        if self.keepsLoop.load(ordering: .acquiring) { return false }
        return self.eventLoop.withLock { $0.running == nil && $0.ended == nil }
    }

    func join(_ waiter: any LoopWaiter) -> LoopEndState<any LoopWaiter>.JoinAction {
        self.state.withLock { $0.join(waiter) }
    }

    func leave(_ number: Int) -> LoopEndState<any LoopWaiter>.LeaveAction {
        self.state.withLock { $0.leave(number) }
    }

    var isOver: Bool { self.state.withLock { $0.isOver } }

    // MARK: Asking

    /// Asks the loop to announce its end.
    private func ask(_ eventLoop: any EventLoop) {
        if eventLoop.inEventLoop { return self.schedule(on: eventLoop) }
        // On the loop, because there it certainly still runs; and a loop that has ended drops the question.
        let question = Question(self)
        eventLoop.execute { question.ask(eventLoop) }
    }

    private func schedule(on eventLoop: any EventLoop) {
        let callback = try? eventLoop.scheduleCallback(at: .distantFuture, handler: Announcement(end: self))
        // Only loops with callbacks of their own cancel them at the end, and not before.
        if let callback, callback.customCallbackID != nil { return self.state.withLock { $0.watch() } }
        Self.silentKinds.withLock { if !$0.contains(self.kind) { $0.append(self.kind) } }
        let waiters = self.state.withLock { $0.beSilent() }
        self.forget()
        callback?.cancel()
        releaseHere(waiters)
    }

    /// The loop has ended.
    private func end() {
        let waiters = self.state.withLock { $0.end() }
        self.keepsLoop.store(false, ordering: .releasing)
        let eventLoop = self.eventLoop.withLock { reference in
            let eventLoop = reference.running.take()
            if let eventLoop { reference.ended = eventLoop }
            return eventLoop
        }
        for waiter in waiters { waiter.loopHasEnded() }
        releaseHere(eventLoop)
    }

    private func forget() {
        self.keepsLoop.store(false, ordering: .releasing)
        Self.tables[Self.table(of: self.key)].withLock { table in table.removeAll { $0 === self } }
        releaseHere(self.eventLoop.withLock { $0.running.take() })
    }

    /// The question on its way to the loop.
    private final class Question: Sendable {
        private let end: Mutex<LoopEnd?>

        init(_ end: LoopEnd) { self.end = Mutex(end) }

        func ask(_ eventLoop: any EventLoop) { self.take()?.schedule(on: eventLoop) }

        private func take() -> LoopEnd? { self.end.withLock { $0.take() } }

        // The loop has dropped it.
        deinit { self.take()?.end() }
    }

    private struct Announcement: NIOScheduledCallbackHandler, Sendable {
        let end: LoopEnd

        // After 292 years.
        func handleScheduledCallback(eventLoop: some EventLoop) {}

        func didCancelScheduledCallback(eventLoop: some EventLoop) { self.end.end() }
    }

    // MARK: One for each event loop

    private static let silentKinds = Mutex<[ObjectIdentifier]>([])

    /// Few loops share a table, and a table is scanned.
    private static let tables = (0..<16).map { _ in Table() }

    private final class Table: Sendable {
        private let ends = Mutex<[LoopEnd]>([])

        func withLock<Result>(_ body: (inout sending [LoopEnd]) -> sending Result) -> sending Result {
            self.ends.withLock(body)
        }
    }

    private static func table(of key: ObjectIdentifier) -> Int {
        // Without the bits that allocations have in common.
        Int((UInt(bitPattern: key) >> 7) % 16)
    }

    /// The one of an event loop.
    ///
    /// - Returns: Nothing if the loop is of a kind that does not announce its end.
    static func of(_ eventLoop: any EventLoop) -> LoopEnd? {
        let key = ObjectIdentifier(eventLoop)
        let table = Self.tables[Self.table(of: key)]
        if let known = table.withLock({ $0.first { $0.isOf(key) } }) { return known }
        let kind = ObjectIdentifier(type(of: eventLoop))
        if Self.silentKinds.withLock({ $0.contains(kind) }) { return nil }
        let new = LoopEnd(eventLoop)
        let end = table.withLock { ends -> LoopEnd in
            if let known = ends.first(where: { $0.isOf(key) }) { return known }
            ends.removeAll { $0.hasGone }
            ends.append(new)
            return new
        }
        if end === new { new.ask(eventLoop) }
        return end
    }
}
#endif
