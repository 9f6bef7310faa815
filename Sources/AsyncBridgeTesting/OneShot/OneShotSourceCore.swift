// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// The scenario's side of a one-shot source: what happens, and what was seen.
final class OneShotSourceCore: Sendable {
    typealias Completion = @Sendable (Result<Int, any Error>) -> Void

    /// What was seen of the bridge.
    struct Record: Sendable {
        /// A bridge may start once more when the source has failed: some depth shows how often it does.
        fileprivate(set) var startCalls = ScriptedCalls(deepest: 16)
        /// What a source does when it is stopped, it does once.
        fileprivate(set) var cancelCalls = ScriptedCalls(deepest: 1)
        var takenBack: [Int] = []
        var start = StartContext()

        var starts: Int { self.startCalls.count }
        var cancels: Int { self.cancelCalls.count }
    }

    /// The surroundings in which the work was started.
    struct StartContext: Sendable {
        var locals: [Int] = []
        var priorities: [TaskPriority] = []
    }

    struct Script: Sendable {
        var onStart: @Sendable (OneShotSourceCore) -> Void = { _ in }
        var onCancel: @Sendable (OneShotSourceCore) -> Void = { _ in }
        var onTakeBack: @Sendable (Int) -> Void = { _ in }
        var onRelease: @Sendable () -> Void = {}
        /// The error with which the start fails.
        var refusal: SourceError?
        var completions: [Completion] = []
        var hasAnswered = false
        /// The values with which it has answered.
        var values: Set<Int> = []
    }

    let lifetimes: LifetimeTracker
    let record = Watched(Record())
    let progress = Progress()
    let clock = TestClock()
    private let script = Mutex(Script())

    init(_ lifetimes: LifetimeTracker) { self.lifetimes = lifetimes }

    // MARK: What the bridge calls

    func start(_ completion: @escaping Completion) {
        // A start that cannot throw tells it through the handler.
        if let refusal = self.startThrowing(completion) { self.answerIfNoneWasGiven(.failure(refusal)) }
    }

    func startThrowing(_ completion: @escaping Completion) -> SourceError? {
        // A bridge that starts again for ever must not take all memory.
        let isKept = self.record.value.starts < ScriptedCalls.limit
        let onStart = self.script.withLock { script in
            if isKept { script.completions.append(completion) }
            return script.onStart
        }
        let thread = ThreadID.current
        let runsScript = self.record.update { record in
            if isKept {
                record.start.locals.append(TaskLocals.mark)
                record.start.priorities.append(Task.currentPriority)
            }
            return record.startCalls.begin(on: thread)
        }
        if runsScript {
            self.progress.inStart { onStart(self) }
            self.record.update { $0.startCalls.end(on: thread) }
        }
        return self.script.withLock { $0.refusal }
    }

    func cancel() {
        let onCancel = self.script.withLock { $0.onCancel }
        let thread = ThreadID.current
        guard self.record.update({ $0.cancelCalls.begin(on: thread) }) else { return }
        self.progress.inCancel { onCancel(self) }
        self.record.update { $0.cancelCalls.end(on: thread) }
    }

    func releaseHandle() {
        let onRelease = self.script.withLock { $0.onRelease }
        onRelease()
    }

    func takeBack(_ value: Int) {
        let onTakeBack = self.script.withLock { $0.onTakeBack }
        self.record.update { $0.takenBack.append(value) }
        onTakeBack(value)
    }

    // MARK: What the scenario calls

    /// Says what happens in `start`, after it was recorded.
    func onStart(_ body: @escaping @Sendable (OneShotSourceCore) -> Void) { self.script.withLock { $0.onStart = body } }

    /// Says what happens in `cancel`, after it was recorded.
    func onCancel(_ body: @escaping @Sendable (OneShotSourceCore) -> Void) {
        self.script.withLock { $0.onCancel = body }
    }

    /// Says what happens when a value is handed back, after it was recorded.
    func onTakeBack(_ body: @escaping @Sendable (Int) -> Void) { self.script.withLock { $0.onTakeBack = body } }

    /// Says what happens in the `deinit` of the handle.
    func onRelease(_ body: @escaping @Sendable () -> Void) { self.script.withLock { $0.onRelease = body } }

    /// Lets the start fail, after what happens in it.
    func refuse(_ error: SourceError) { self.script.withLock { $0.refusal = error } }

    /// Calls the latest completion handler on this thread, and keeps it.
    func answer(_ result: Result<Int, any Error>) { self.makeAnswer(result)() }

    /// Looks up the latest completion handler, to be called later: then no lock keeps two answers apart.
    func makeAnswer(_ result: Result<Int, any Error>) -> @Sendable () -> Void {
        let completion = self.script.withLock { script in
            script.hasAnswered = true
            if case .success(let value) = result { script.values.insert(value) }
            return script.completions.last
        }
        guard let completion else { return {} }
        return { self.progress.inHandler { completion(result) } }
    }

    /// Whether it has answered with the value.
    func hasSent(_ value: Int) -> Bool { self.script.withLock { $0.values.contains(value) } }

    func answerIfNoneWasGiven(_ result: Result<Int, any Error>) {
        if !self.script.withLock({ $0.hasAnswered }) { self.answer(result) }
    }

    /// Forgets all completion handlers.
    func forget() {
        releaseHere(
            self.script.withLock { script in
                defer { script.completions = [] }
                return script.completions
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

/// The task-local value that must arrive where the work is started.
enum TaskLocals {
    @TaskLocal static var mark = 0
}
