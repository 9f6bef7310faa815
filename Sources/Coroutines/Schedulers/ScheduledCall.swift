// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// A closure that a coroutine has a scheduler run, and the callback that answers with its result.
///
/// Whoever takes the two out first decides: the scheduler runs the closure, or lets go of it, or the coroutine is cancelled.
///
/// Invariant: the closure is gone before the callback is answered or dropped. It does not outlive the call that it was passed
/// to, which returns as soon as it has an answer.
final class ScheduledCall<Value>: Sendable {
    private struct Work: Sendable {
        let task: @Sendable () throws -> sending Value
        let callback: Callback<Value, any Error>
    }

    private let work: Mutex<Work?>

    init(_ task: @escaping @Sendable () throws -> sending Value, answering callback: Callback<Value, any Error>) {
        self.work = Mutex(Work(task: task, callback: callback))
    }

    /// Hands the closure to a scheduler.
    func schedule(on scheduler: some CoroutineScheduler) {
        let ticket = Ticket(for: self)
        scheduler.scheduleTask { ticket.call.run() }
    }

    /// The scheduler's reference: when it goes, the closure will not be run any more.
    private final class Ticket: Sendable {
        let call: ScheduledCall

        init(for call: ScheduledCall) { self.call = call }

        // The callback goes without an answer, if it is still there: the wait ends with an error.
        deinit { _ = self.call.abandon() }
    }

    private func run() {
        guard let (result, callback) = self.perform() else { return }
        callback.resume(with: result.take())
    }

    /// Lets a cancelled coroutine go at once if its closure has not begun.
    func cancel() { self.abandon()?.resume(throwing: CancellationError()) }

    // In functions of their own, so that their copies of the closure are gone when they return.

    private func perform() -> (Disconnected<Result<Value, any Error>>, Callback<Value, any Error>)? {
        guard let work = self.take() else { return nil }
        do { return (Disconnected(unchecked: .success(try work.task())), work.callback) } catch {
            return (Disconnected(unchecked: .failure(error)), work.callback)
        }
    }

    private func abandon() -> Callback<Value, any Error>? { self.take()?.callback }

    private func take() -> Work? { self.work.withLock { $0.take() } }
}
