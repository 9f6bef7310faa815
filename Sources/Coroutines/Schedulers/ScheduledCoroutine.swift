// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import CCoroutines
import Synchronization

/// Drives a coroutine that belongs to no task: each of its steps is one closure on its scheduler.
///
/// | State       | Who has the stack              | Next                                              |
/// |-------------|--------------------------------|---------------------------------------------------|
/// | scheduled   | a ``Step`` on the scheduler    | running                                           |
/// | running     | the thread that runs the step  | scheduled (yield), waiting (operation), ended     |
/// | waiting     | the task of the operation      | scheduled                                         |
/// | ended       | nobody; it is in the pool      | none                                              |
///
/// So exactly one of them has the stack at any time, and no lock is needed for it.
///
/// Safe: see the table for the pointer to the stack.
@safe @usableFromInline
final class ScheduledCoroutine: Sendable {
    private struct Cancellation {
        var isCancelled = false
        /// The task of the operation that the coroutine waits for.
        var operation: Task<Void, Never>?
    }

    private let scheduler: any CoroutineScheduler & Sendable
    private let stackSize: StackSize
    private let started: CallSite
    private let onError: (@Sendable (any Error) -> Void)?
    private let priority: TaskPriority
    private let cancellation = Mutex(Cancellation())

    // Safe: whoever has the stack, as the table says, has these.
    private nonisolated(unsafe) var body: (@Sendable () throws -> Void)?
    private nonisolated(unsafe) var failure: (any Error)?
    private nonisolated(unsafe) var block: UnsafeMutablePointer<ccoro_block>?

    init(
        on scheduler: some CoroutineScheduler,
        stackSize: StackSize,
        started: CallSite,
        onError: (@Sendable (any Error) -> Void)?,
        _ body: @escaping @Sendable () throws -> Void
    ) {
        self.scheduler = SchedulerReference(scheduler)
        self.stackSize = stackSize
        self.started = started
        self.onError = onError
        self.priority = Task.currentPriority
        unsafe self.body = body
    }

    // MARK: Steps

    /// A step on its way through a scheduler. If the scheduler drops it, the coroutine is unwound.
    private final class Step: Sendable {
        private let coroutine: Mutex<ScheduledCoroutine?>

        init(_ coroutine: ScheduledCoroutine) { self.coroutine = Mutex(coroutine) }

        func run() { self.take()?.step() }

        private func take() -> ScheduledCoroutine? { self.coroutine.withLock { $0.take() } }

        deinit {
            guard let coroutine = self.take() else { return }
            coroutine.cancel()
            coroutine.step()
        }
    }

    /// Has the scheduler run the next step.
    func schedule() {
        let step = Step(self)
        self.scheduler.scheduleTask { step.run() }
    }

    private func step() {
        guard let block = unsafe self.begun() else { return }
        unsafe ccoro_resume(block)
        switch unsafe block.pointee.request {
        case .finished:
            unsafe StackPool.release(block)
            self.end()
        case .yield:
            self.schedule()
        case .operation:
            self.perform()
        case .none, .park, .element:
            preconditionFailure("BUG: a scheduler cannot do what its coroutine asks for")
        }
    }

    /// The coroutine, which gets its stack with its first step.
    private func begun() -> UnsafeMutablePointer<ccoro_block>? {
        if let block = unsafe self.block { return unsafe block }
        do {
            let block = try unsafe StackPool.acquire(self.stackSize)
            unsafe self.block = block
            // Retained until the coroutine's code has ended, where `run` balances it.
            unsafe ccoro_prepare(block)
            unsafe block.pointee.driver = Unmanaged.passUnretained(self).toOpaque()
            unsafe block.pointee.body = ccoro_closure(
                function: { unsafe ScheduledCoroutine.run($0) },
                context: Unmanaged.passRetained(self).toOpaque()
            )
            return unsafe block
        } catch {
            unsafe self.failure = error
            self.end()
            return nil
        }
    }

    private static func run(_ context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context else { preconditionFailure("BUG: a coroutine has no context") }
        let coroutine = unsafe Unmanaged<ScheduledCoroutine>.fromOpaque(context).takeRetainedValue()
        do { try unsafe coroutine.body?() } catch { unsafe coroutine.failure = error }
        // What the code captured goes here, where its `deinit` may still wait.
        unsafe coroutine.body = nil
    }

    /// Awaits the operation in a task of its own; then the coroutine goes on.
    private func perform() {
        // Race: the task may end before it is noted here. The lock, held from its creation on, makes it wait for that.
        let (task, isCancelled) = self.cancellation.withLock { cancellation in
            let task = Task(priority: self.priority) {
                if let block = unsafe self.block { await unsafe OperationCall.perform(for: block) }
                self.cancellation.withLock { $0.operation = nil }
                self.schedule()
            }
            cancellation.operation = task
            return (task, cancellation.isCancelled)
        }
        // The user's cancel actions run here, outside the lock.
        if isCancelled { task.cancel() }
    }

    private func end() {
        guard let error = unsafe self.failure else { return }
        unsafe self.failure = nil
        if let onError = self.onError { return onError(error) }
        if error is CancellationError, self.isCancelled { return }
        UncaughtErrors.report(error, started: self.started)
    }

    // MARK: Cancellation

    @usableFromInline
    var isCancelled: Bool { self.cancellation.withLock { $0.isCancelled } }

    func cancel() {
        let task = self.cancellation.withLock { cancellation -> Task<Void, Never>? in
            cancellation.isCancelled = true
            return cancellation.operation
        }
        task?.cancel()
    }
}

/// A scheduler, which is used from many threads: that is what it is for.
///
/// Safe: `scheduleTask` is the one thing that is done with it, and `CoroutineScheduler` asks that it may be called on any
/// thread. The protocol does not inherit from `Sendable` so that classes of Swift 5 conform to it unchanged.
private struct SchedulerReference: CoroutineScheduler, @unchecked Sendable {
    private let scheduler: any CoroutineScheduler

    init(_ scheduler: any CoroutineScheduler) { self.scheduler = scheduler }

    func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.scheduler.scheduleTask(task) }
}
