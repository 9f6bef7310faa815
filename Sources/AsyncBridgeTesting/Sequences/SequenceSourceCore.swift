// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The scenario's side of a sequence's source: what happens, and what was seen.
final class SequenceSourceCore: Sendable {
    struct Handlers: Sendable {
        let onElement: @Sendable (Int) -> Void
        let onCompletion: @Sendable ((any Error)?) -> Void
    }

    /// What was seen of the bridge.
    struct Record: Sendable {
        var starts = 0
        var cancels = 0
        var dropped = 0
        var sent: [Int] = []
        var takenBack: [Int] = []
        var isPaused = false
        var locals: [Int] = []
    }

    struct Script: Sendable {
        var onStart: @Sendable (SequenceSourceCore) -> Void = { _ in }
        var onCancel: @Sendable (SequenceSourceCore) -> Void = { _ in }
        var handlers: Handlers?
    }

    let lifetimes: LifetimeTracker
    let record = Watched(Record())
    let progress = Progress()
    private let script = Mutex(Script())

    init(_ lifetimes: LifetimeTracker) { self.lifetimes = lifetimes }

    // MARK: What the bridge calls

    func start(_ handlers: Handlers) {
        let (onStart, old) = self.script.withLock { script in
            let old = script.handlers
            script.handlers = handlers
            return (script.onStart, old)
        }
        _ = old
        self.record.update { record in
            record.starts += 1
            record.locals.append(TaskLocals.mark)
        }
        onStart(self)
    }

    func cancel() {
        let onCancel = self.script.withLock { $0.onCancel }
        self.record.update { $0.cancels += 1 }
        self.progress.inCancel { onCancel(self) }
    }

    func noteDropped(_ count: Int) { self.record.update { $0.dropped += count } }

    func takeBack(_ element: Int) { self.record.update { $0.takenBack.append(element) } }

    // MARK: What the scenario calls

    /// Says what happens in `start`, after it was recorded.
    func onStart(_ body: @escaping @Sendable (SequenceSourceCore) -> Void) {
        self.script.withLock { $0.onStart = body }
    }

    /// Says what happens in `cancel`, after it was recorded.
    func onCancel(_ body: @escaping @Sendable (SequenceSourceCore) -> Void) {
        self.script.withLock { $0.onCancel = body }
    }

    /// Sends elements on this thread.
    func send(_ elements: some Sequence<Int>) {
        guard let handlers = self.script.withLock({ $0.handlers }) else { return }
        for element in elements {
            self.record.update { $0.sent.append(element) }
            self.progress.inHandler { handlers.onElement(element) }
        }
    }

    /// Says on this thread that the source has ended.
    func complete(_ error: (any Error)? = nil) {
        guard let handlers = self.script.withLock({ $0.handlers }) else { return }
        self.progress.inHandler { handlers.onCompletion(error) }
    }

    /// Forgets its closures.
    func forget() {
        // Released by the caller's frame, outside the lock.
        let forgotten = self.script.withLock { script in
            defer { script.handlers = nil }
            return script.handlers
        }
        _ = forgotten
    }

    /// Forgets everything that could keep something alive.
    func clear() {
        let script = self.script.withLock { script in
            defer { script = Script() }
            return script
        }
        _ = script
    }
}
