// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// A closure that runs in its own coroutine while another coroutine waits for it, and the callback that answers when it
/// has ended.
///
/// | State   | `work`              | Next                                                              |
/// |---------|---------------------|-------------------------------------------------------------------|
/// | made    | closure, callback   | begun: its coroutine runs; over: cancelled, dropped, or no stack   |
/// | begun   | nothing             | none here: the coroutine answers when the closure has ended       |
/// | over    | nothing             | none                                                              |
///
/// The first thread to take the two out decides.
///
/// Invariant: the closure is gone before the callback is answered or dropped. It does not outlive the call that it was
/// passed to, which returns as soon as it has an answer.
final class ScheduledCall: Sendable {
    private struct Work: Sendable {
        let task: @Sendable () throws -> Void
        let callback: Callback<Void, any Error>
    }

    private let work: Mutex<Work?>
    // Whether a closure that has begun has not ended.
    private let isRunning = Atomic(false)

    init(_ task: @escaping @Sendable () throws -> Void, answering callback: Callback<Void, any Error>) {
        self.work = Mutex(Work(task: task, callback: callback))
    }

    /// Starts the coroutine that runs the closure.
    func start(on scheduler: some CoroutineScheduler, at site: CallSite) -> ScheduledCoroutine {
        let coroutine = ScheduledCoroutine(
            on: scheduler,
            stackSize: .standard,
            name: nil,
            started: site,
            // There was no stack for it.
            onError: { self.abandon()?.resume(throwing: $0) },
            { self.run() }
        )
        coroutine.schedule()
        // The scheduler has dropped it before it began.
        coroutine.whenComplete { if let callback = self.abandon() { Self.endDropped(callback) } }
        return coroutine
    }

    private func run() {
        guard let (result, callback) = self.perform() else { return }
        self.isRunning.store(false, ordering: .releasing)
        if let result { callback.resume(with: result) } else { Self.endDropped(callback) }
    }

    /// Ends the wait with an error, and says why: not as for a callback of the user's, since there is none.
    private static func endDropped(_ callback: Callback<Void, any Error>) {
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .droppedCallback,
                bridge: "CoroutineScheduler.await",
                made: callback.made,
                advice: "Its scheduler has released the closure without running it to its end, and the wait ended with "
                    + "an error. A scheduler runs each closure of 'scheduleTask', once; an OperationQueue that is "
                    + "cancelled does not."
            )
        )
        callback.resume(throwing: BridgeFault(.callbackDropped, made: callback.made))
    }

    /// Ends the wait at once if the closure has not begun.
    func cancel() { self.abandon()?.resume(throwing: CancellationError()) }

    /// Takes the closure back, because the caller cannot wait for it.
    ///
    /// - Returns: Whether it has ended, or never begins; otherwise it runs.
    func revoke() -> Bool {
        if self.abandon() != nil { return true }
        return !self.isRunning.load(ordering: .acquiring)
    }

    // In separate functions, so that their copies of the closure are gone when they return.

    /// - Returns: No result if its coroutine was abandoned.
    private func perform() -> (Result<Void, any Error>?, Callback<Void, any Error>)? {
        guard let work = self.begin() else { return nil }
        do { return (.success(try work.task()), work.callback) } catch {
            // The scheduler has dropped it half-way: the waiter was not cancelled, and must not be told so.
            if error is CancellationError, RunningCoroutine.current?.isUnwinding ?? false {
                return (nil, work.callback)
            }
            return (.failure(error), work.callback)
        }
    }

    // Never inlined, like `abandon`: the closure may wait after it, and an inlined lock remembers its thread
    // (Scripts/check-thread-locals).
    @inline(never)
    private func begin() -> Work? {
        self.work.withLock { work in
            if work != nil { self.isRunning.store(true, ordering: .relaxed) }
            return work.take()
        }
    }

    @inline(never)
    private func abandon() -> Callback<Void, any Error>? { self.work.withLock { $0.take() }?.callback }
}
