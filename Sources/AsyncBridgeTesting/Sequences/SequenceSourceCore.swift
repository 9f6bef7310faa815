// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// The scenario's side of a sequence's source: what happens, and what was seen.
final class SequenceSourceCore: Sendable {
    struct Handlers: Sendable {
        let onElement: @Sendable (Int) -> Void
        let onCompletion: @Sendable ((any Error)?) -> Void
    }

    /// What was seen of the bridge.
    struct Record: Sendable {
        /// A bridge may start once more when the source has failed: some depth shows how often it does.
        fileprivate(set) var startCalls = ScriptedCalls(deepest: 16)
        /// What happens in one may end the iterations of other starts, which are stopped then, too.
        fileprivate(set) var cancelCalls = ScriptedCalls(deepest: 16)
        /// Starts that have thrown.
        var refusals = 0
        /// No more than half of the greatest number, so that it can be added to others.
        var dropped = 0
        var sent: [Int] = []
        /// The sends that have begun and have not ended.
        fileprivate var runningSends = 0
        /// Elements whose send began during another one, to several starts: some get them before those of the other.
        fileprivate(set) var overtaking: Set<Int> = []
        var takenBack: [Int] = []
        var isPaused = false
        /// Calls of `pause()` that have returned.
        var pauses = 0
        var resumes = 0
        /// Calls of `pause()` that began when the source had been stopped.
        var pausesAfterStop = 0
        /// Calls of `resume()` that began when the source had been stopped.
        var resumesAfterStop = 0
        var locals: [Int] = []

        var starts: Int { self.startCalls.count }
        var cancels: Int { self.cancelCalls.count }

        /// Whether it was stopped, each time that it was started.
        var isStopped: Bool { self.cancels > 0 && self.cancels >= self.starts }
    }

    struct Script: Sendable {
        var onStart: @Sendable (SequenceSourceCore) -> Void = { _ in }
        var onCancel: @Sendable (SequenceSourceCore) -> Void = { _ in }
        var onRelease: @Sendable () -> Void = {}
        var onPause: @Sendable (SequenceSourceCore) -> Void = { _ in }
        var onResume: @Sendable (SequenceSourceCore) -> Void = { _ in }
        var onTakeBack: @Sendable (Int) -> Void = { _ in }
        /// Of each start.
        var handlers: [Handlers] = []
        /// The error with which the start fails.
        var refusal: SourceError?
    }

    let lifetimes: LifetimeTracker
    let record = Watched(Record())
    let progress = Progress()
    private let script = Mutex(Script())
    /// How many elements were sent, for consumers that count.
    private let count = Atomic(0)

    /// Which source of several it is, for reports.
    private let suffix: String

    init(_ lifetimes: LifetimeTracker, suffix: String = "") {
        self.lifetimes = lifetimes
        self.suffix = suffix
    }

    /// Makes an object whose release is noticed, with the source's name in its label.
    func token(_ label: String) -> LifetimeTracker.Token { self.lifetimes.token(label + self.suffix) }

    // MARK: What the bridge calls

    func start(_ handlers: Handlers) {
        // A start that cannot throw tells it through the handler.
        if let refusal = self.startThrowing(handlers) {
            self.record.update { $0.refusals -= 1 }
            handlers.onCompletion(refusal)
        }
    }

    func startThrowing(_ handlers: Handlers) -> SourceError? {
        // A bridge that starts again for ever must not take all memory.
        let isKept = self.record.value.starts < ScriptedCalls.limit
        let onStart = self.script.withLock { script in
            if isKept { script.handlers.append(handlers) }
            return script.onStart
        }
        let thread = ThreadID.current
        let runsScript = self.record.update { record in
            if isKept { record.locals.append(TaskLocals.mark) }
            return record.startCalls.begin(on: thread)
        }
        if runsScript {
            self.progress.inStart { onStart(self) }
            self.record.update { $0.startCalls.end(on: thread) }
        }
        let refusal = self.script.withLock { $0.refusal }
        if refusal != nil { self.record.update { $0.refusals += 1 } }
        return refusal
    }

    func cancel() {
        let onCancel = self.script.withLock { $0.onCancel }
        let thread = ThreadID.current
        guard self.record.update({ $0.cancelCalls.begin(on: thread) }) else { return }
        self.progress.inCancel { onCancel(self) }
        self.record.update { $0.cancelCalls.end(on: thread) }
    }

    func releaseHandle() { self.script.withLock { $0.onRelease }() }

    func noteDropped(_ count: Int) {
        let most = Int.max / 2
        self.record.update { $0.dropped = max(-most, min($0.dropped + max(-most, min(count, most)), most)) }
    }

    func takeBack(_ element: Int) {
        let onTakeBack = self.script.withLock { $0.onTakeBack }
        self.record.update { $0.takenBack.append(element) }
        onTakeBack(element)
    }

    func pause() {
        self.record.update { if $0.isStopped { $0.pausesAfterStop += 1 } }
        self.script.withLock { $0.onPause }(self)
        self.record.update { record in
            record.isPaused = true
            record.pauses += 1
        }
    }

    func resume() {
        self.record.update { record in
            record.isPaused = false
            record.resumes += 1
            if record.isStopped { record.resumesAfterStop += 1 }
        }
        self.script.withLock { $0.onResume }(self)
    }

    // MARK: What the scenario calls

    /// Says what happens in `start`, after it was recorded.
    func onStart(_ body: @escaping @Sendable (SequenceSourceCore) -> Void) {
        self.script.withLock { $0.onStart = body }
    }

    /// Says what happens in `cancel`, after it was recorded.
    func onCancel(_ body: @escaping @Sendable (SequenceSourceCore) -> Void) {
        self.script.withLock { $0.onCancel = body }
    }

    /// Says what happens when its handle is released.
    func onRelease(_ body: @escaping @Sendable () -> Void) { self.script.withLock { $0.onRelease = body } }

    /// Says what happens in `pause`, before the source is paused.
    func onPause(_ body: @escaping @Sendable (SequenceSourceCore) -> Void) {
        self.script.withLock { $0.onPause = body }
    }

    /// Says what happens in `resume`, after the source has been resumed.
    func onResume(_ body: @escaping @Sendable (SequenceSourceCore) -> Void) {
        self.script.withLock { $0.onResume = body }
    }

    /// Says what happens when an element is handed back, after it was recorded.
    func onTakeBack(_ body: @escaping @Sendable (Int) -> Void) { self.script.withLock { $0.onTakeBack = body } }

    /// Lets the start fail.
    func refuse(_ error: SourceError) { self.script.withLock { $0.refusal = error } }

    /// Sends elements on this thread, to all that have started it.
    func send(_ elements: some Sequence<Int>) {
        let all = self.script.withLock { $0.handlers }
        self.record.update { record in
            record.runningSends += 1
            if all.count > 1, record.runningSends > 1 { record.overtaking.formUnion(elements) }
        }
        defer { self.record.update { $0.runningSends -= 1 } }
        for element in elements {
            for handlers in all {
                self.count.add(1, ordering: .sequentiallyConsistent)
                self.record.update { $0.sent.append(element) }
                self.progress.inHandler { handlers.onElement(element) }
            }
        }
    }

    /// Whether so many elements can only come from a bridge that makes them up, and would do so without end.
    func isFlooded(by count: Int) -> Bool { count > self.count.load(ordering: .sequentiallyConsistent) * 2 + 100 }

    /// Says on this thread that the source has ended.
    func complete(_ error: (any Error)? = nil) {
        for handlers in self.script.withLock({ $0.handlers }) {
            self.progress.inHandler { handlers.onCompletion(error) }
        }
    }

    /// Whether it keeps the bridge's closures.
    var hasHandlers: Bool { self.script.withLock { !$0.handlers.isEmpty } }

    /// Forgets its closures.
    func forget() {
        releaseHere(
            self.script.withLock { script in
                defer { script.handlers = [] }
                return script.handlers
            }
        )
    }

    /// Forgets everything that could keep something alive.
    func clear() {
        releaseHere(
            self.script.withLock { script in
                defer { script = Script() }
                return script
            }
        )
    }
}
