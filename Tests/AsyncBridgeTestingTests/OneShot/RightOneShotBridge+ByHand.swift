// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Synchronization

// Bridges that are written by hand, and each do one thing elsewhere, later, or in another way than most.

extension RightOneShotBridge {
    static let byHand = [
        RightOneShotBridge("by hand", { $0.handsBackLateValues = true }) { source in
            try await HandMadeCall(source, Style(takeBack: { source.takeBack($0) })).run()
        },
        RightOneShotBridge("passes its answer on from a thread of its own") { source in
            try await HandMadeCall(source, Style(deliver: { startThread($0) })).run()
        },
        RightOneShotBridge("passes its answer on a moment later") { source in
            let queue = DispatchQueue(label: "later")
            return try await HandMadeCall(
                source,
                Style(deliver: { pass in queue.asyncAfter(deadline: .now() + .milliseconds(1), execute: pass) })
            ).run()
        },
        RightOneShotBridge("passes its answer on by an actor") { source in
            let actor = Messenger()
            return try await HandMadeCall(source, Style(deliver: { pass in Task { await actor.tell(pass) } })).run()
        },
        RightOneShotBridge("stops its source on a queue") { source in
            let queue = DispatchQueue(label: "stops")
            return try await HandMadeCall(source, Style(stop: { handle in queue.async { handle.cancel() } })).run()
        },
        RightOneShotBridge("stops its source a moment later") { source in
            let stop: @Sendable (SourceHandle) -> Void = { handle in
                startThread {
                    dawdle(for: .milliseconds(1))
                    handle.cancel()
                }
            }
            return try await HandMadeCall(source, Style(stop: stop)).run()
        },
        RightOneShotBridge("stops its source in a task") { source in
            try await HandMadeCall(source, Style(stop: { handle in Task.detached { handle.cancel() } })).run()
        },
        RightOneShotBridge("hands late values back on a queue", { $0.handsBackLateValues = true }) { source in
            let queue = DispatchQueue(label: "late")
            let takeBack: @Sendable (Int) -> Void = { value in queue.async { source.takeBack(value) } }
            return try await HandMadeCall(source, Style(takeBack: takeBack)).run()
        },
        RightOneShotBridge("keeps its handle for a moment") { source in
            let call = HandMadeCall(source, Style())
            defer { startThread { withExtendedLifetime(call) { dawdle(for: .milliseconds(1)) } } }
            return try await call.run()
        },
        RightOneShotBridge("waits for its source when it is cancelled", { $0.cancellation = .cooperative }) { source in
            try Task.checkCancellation()
            let latch = Latch()
            let call = HandMadeCall(source, Style())
            latch.set(call.start())
            return try await withTaskCancellationHandler {
                try await call.wait()
            } onCancel: {
                // Not under the runtime's lock.
                startThread { latch.cancel() }
            }
        },
        RightOneShotBridge(
            "is not cancelled",
            {
                $0.cancellation = .ignored
                $0.startsWhenCancelled = true
            }
        ) { source in
            let call = HandMadeCall(source, Style())
            let handle = call.start()
            defer { withExtendedLifetime(handle) {} }
            return try await call.wait()
        },
        RightOneShotBridge("looks again and again whether it has an answer", { $0.detectsDrops = false }) { source in
            try Task.checkCancellation()
            let answer = Mutex<Cell.Answer?>(nil)
            let handle = source.start { new in answer.withLock { if $0 == nil { $0 = new } } }
            while true {
                if let answer = answer.withLock({ $0 }) { return try answer.get() }
                // Not more often: a hundred calls share a thread.
                do { try await Task.sleep(for: .milliseconds(10)) } catch {
                    // What has come meanwhile is returned.
                    if let answer = answer.withLock({ $0 }) { return try answer.get() }
                    handle.cancel()
                    throw error
                }
            }
        },
        RightOneShotBridge("sleeps before it starts", Self.inAnotherTask) { source in
            try await Task.sleep(for: .milliseconds(1))
            return try await HandMadeCall(source, Style()).run()
        },
        RightOneShotBridge(
            "a group of a call and a timer",
            {
                $0.startsOnCaller = false
                $0.timeout = TimedCall.limit
            }
        ) { source in
            try Task.checkCancellation()
            return try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask { try await HandMadeCall(source, Style()).run() }
                group.addTask {
                    try await source.clock.sleep(for: TimedCall.limit)
                    throw TimedCall.TimeIsUp()
                }
                defer { group.cancelAll() }
                guard let value = try await group.next() else { throw OtherError() }
                return value
            }
        },
    ]
}

/// What a call that is written by hand does in its own way.
private struct Style: Sendable {
    var deliver: @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
    var stop: @Sendable (SourceHandle) -> Void = { $0.cancel() }
    var takeBack: @Sendable (Int) -> Void = { _ in }
}

/// An actor to which others give work.
private actor Messenger {
    func tell(_ body: @Sendable () -> Void) { body() }
}

/// A call without the hub's help.
private final class HandMadeCall: Sendable {
    private struct Cancelled: Error {}

    private let source: OneShotSource
    private let style: Style
    private let cell = Cell()
    private let isOver = Atomic(false)

    init(_ source: OneShotSource, _ style: Style) {
        self.source = source
        self.style = style
    }

    func run() async throws -> Int {
        try Task.checkCancellation()
        let handle = self.start()
        let answer = await withTaskCancellationHandler {
            await withUnsafeContinuation { self.cell.store($0) }
        } onCancel: {
            self.settle(.failure(Cancelled()))
        }
        do { return try answer.get() } catch is Cancelled {
            // Not in the cancellation's handler, which runs under the runtime's lock.
            self.style.stop(handle)
            throw CancellationError()
        }
    }

    /// Waits for the answer, whether the task is cancelled or not.
    func wait() async throws -> Int { try await withUnsafeContinuation { self.cell.store($0) }.get() }

    func start() -> SourceHandle {
        let watch = DropWatch { self.settle(.failure(OtherError())) }
        return self.source.start { answer in
            watch.disarm()
            self.settle(answer)
        }
    }

    /// The first one decides, before it is passed on.
    private func settle(_ answer: Cell.Answer) {
        if !self.isOver.exchange(true, ordering: .sequentiallyConsistent) {
            if case .failure(is Cancelled) = answer { return self.cell.resume(answer) }
            return self.style.deliver { self.cell.resume(answer) }
        }
        if case .success(let value) = answer { self.style.takeBack(value) }
    }
}
