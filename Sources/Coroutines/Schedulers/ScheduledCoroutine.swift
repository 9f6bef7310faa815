// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import CCoroutines
import Dispatch
import Synchronization

/// Drives a coroutine that belongs to no task: each of its steps is one closure on its scheduler.
///
/// | State     | Owner of the stack                                    | Next                                      |
/// |-----------|-------------------------------------------------------|-------------------------------------------|
/// | scheduled | a ``ScheduledStep``, or the closure of a queue        | running; ended, if it is dropped          |
/// | running   | the thread that runs the step                         | scheduled (yield), waiting, parked, ended |
/// | waiting   | the operation's task, or what ends a callback's wait  | scheduled                                 |
/// | parked    | the thread that wakes it, see `_Parker`               | scheduled                                 |
/// | ended     | none; it is in the pool                               | none                                      |
///
/// So exactly one of them owns the stack at any time, and it needs no lock.
///
/// Safe: see the table for the pointer to the stack.
@safe @usableFromInline
final class ScheduledCoroutine: _Parker, @unchecked Sendable {
    let scheduler: SchedulerReference
    // Safe: `scheduler` keeps it alive. Not counted here, because that took a tenth of the time of an element through a
    // channel.
    private let knownScheduler: KnownScheduler
    private let started: CallSite
    private let onError: (@Sendable (any Error) -> Void)?
    private let record: CoroutineRecord?

    // Small fields together: in a million coroutines each word takes eight megabytes.
    private let stackSize: StackSize
    private let priority: TaskPriority
    // Whether one of two has finished: the step that ends with a wait, or the operation that it waits for.
    private let isOneHere = Atomic(false)

    private let state = Mutex(ScheduledCoroutineState())

    // Safe: these belong to the owner of the stack; see the table.
    private nonisolated(unsafe) var body: (@Sendable () throws -> Void)?
    private nonisolated(unsafe) var failure: (any Error)?
    private nonisolated(unsafe) var block: UnsafeMutablePointer<ccoro_block>?

    init(
        on scheduler: some CoroutineScheduler,
        stackSize: StackSize,
        name: StaticString?,
        started: CallSite,
        onError: (@Sendable (any Error) -> Void)?,
        _ body: @escaping @Sendable () throws -> Void
    ) {
        self.scheduler = SchedulerReference(scheduler)
        unsafe self.knownScheduler = KnownScheduler(scheduler)
        self.stackSize = stackSize
        self.started = started
        self.onError = onError
        self.priority = Task.currentPriority
        self.record = CoroutineRecord.begin(name: name, started: started, home: { CoroutineRecord.home(of: scheduler) })
        unsafe self.body = body
        super.init()
    }

    // MARK: Steps

    /// Has the scheduler run the next step, and the ones after it that it runs at once.
    ///
    /// - Parameter isResumed: Whether a wait has ended, in a call where the coroutine may go on at once.
    func schedule(isResumed: Bool = false) {
        switch unsafe self.knownScheduler {
        case .serial(let scheduler):
            unsafe scheduler._withUnsafeGuaranteedRef { $0.schedule(self) }
        case .queue(let queue):
            // A queue runs each closure once, and later: it needs no `ScheduledStep`.
            unsafe queue._withUnsafeGuaranteedRef { $0.async { if self.step() == .ready { self.schedule() } } }
        case .other:
            var isResumed = isResumed
            while true {
                let step = ScheduledStep(of: self)
                if isResumed {
                    self.scheduler.resumeTask { step.run() }
                } else {
                    self.scheduler.scheduleTask { step.run() }
                }
                guard step.endScheduling() else { return }
                isResumed = false
            }
        }
    }

    /// Whether it runs on this scheduler.
    func runs(on scheduler: SerialScheduler) -> Bool {
        guard case .serial(let own) = unsafe self.knownScheduler else { return false }
        return unsafe own._withUnsafeGuaranteedRef { $0 === scheduler }
    }

    /// What a coroutine needs after a step.
    enum Pause {
        /// Nothing: it is over.
        case ended
        /// Nothing: what it waits for will schedule it.
        case waiting
        /// To be scheduled.
        case ready
    }

    /// Runs the coroutine until it waits, yields, or ends.
    func step() -> Pause {
        guard let block = unsafe self.begun() else { return .ended }
        self.record?.note(.running)
        unsafe self.resume(block)
        switch unsafe block.pointee.request {
        case .finished:
            unsafe self.finish(block)
            return .ended
        case .yield:
            self.record?.note(.yielding)
            return .ready
        case .operation:
            return self.performOperation()
        case .callback:
            return unsafe self.awaitCallback(for: block)
        case .park:
            return self.park() ? .waiting : .ready
        case .none, .element:
            preconditionFailure("BUG: a coroutine made a request that its scheduler does not serve")
        }
    }

    private func resume(_ block: UnsafeMutablePointer<ccoro_block>) {
        #if DEBUG
        // Without a task, Swift binds task-locals to the thread, as a stack. A coroutine that waits with one bound
        // leaves it there for other code, and on its next thread unbinds other code's value. Then the binding made here
        // is not the one removed at its end. Too expensive, some 80 ns a step, for release builds.
        //
        // A mark for this step only: a task that the code starts inherits it, and may run the next step.
        let mark = Self.stepCount.wrappingAdd(1, ordering: .relaxed).newValue
        Self.$stepOnThisThread.withValue(mark) { unsafe ccoro_resume(block) }
        guard Self.stepOnThisThread != mark else {
            fatalError(
                "The coroutine started at \(self.started) waits inside 'withValue' of a task-local. On a scheduler it "
                    + "has no task that keeps the value. Bind it in what is awaited, 'Coroutine.await { await "
                    + "$local.withValue(…) { … } }', or run the code in a task, with 'withCoroutine'."
            )
        }
        #else
        unsafe ccoro_resume(block)
        #endif
    }

    #if DEBUG
    @TaskLocal private static var stepOnThisThread: UInt = 0
    private static let stepCount = Atomic<UInt>(0)
    #endif

    /// Unwinds the coroutine on this thread, because its scheduler dropped its next step.
    ///
    /// If it has not begun, it never begins: there is nothing to unwind, and its code must not run on this thread.
    func abandon() {
        let wasCancelled = self.isCancelled
        self.cancel()
        guard let block = unsafe self.block else {
            if !wasCancelled { unsafe self.failure = self.scheduler.shutDownError }
            return self.end()
        }
        unsafe block.pointee.is_cancelled = true
        unsafe block.pointee.is_unwinding = true
        self.record?.note(.running)
        unsafe self.resume(block)
        guard unsafe block.pointee.request == .finished else {
            preconditionFailure("BUG: a coroutine waits while it is unwound")
        }
        unsafe self.finish(block)
    }

    /// The coroutine's stack, taken at its first step.
    ///
    /// - Returns: Nothing if it has ended instead: it was cancelled before it began, or there is no memory.
    private func begun() -> UnsafeMutablePointer<ccoro_block>? {
        if let block = unsafe self.block { return unsafe block }
        do {
            if self.isCancelled { throw CancellationError() }
            let block = try unsafe StackPool.acquire(self.stackSize, for: self.started)
            unsafe self.block = block
            unsafe ccoro_prepare(block)
            unsafe block.pointee.driver = Unmanaged.passUnretained(self).toOpaque()
            if let record = self.record { unsafe record.note(in: block) }
            // Safe: a reference that the coroutine's first function gives up when the code has ended.
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
        // The code's captures are released here, where a `deinit` may still wait.
        unsafe coroutine.body = nil
    }

    /// Has a separate task await the operation; then the coroutine goes on.
    private func performOperation() -> Pause {
        self.startOperation()
        return self.meet() ? .ready : .waiting
    }

    /// Starts the operation's task, and notes it.
    ///
    /// Race: the task runs at once on another thread, where its code may cancel this very coroutine. That takes the
    /// lock under which the task is made, so it finds the task noted. The lock is not needed to run the operation: a
    /// task that waited for it would take twice the time. No user code runs under the lock.
    // Never inlined: see `cancel()`.
    @inline(never)
    private func startOperation() {
        self.state.withLock { state in
            let isCancelled = state.isCancelled
            if isCancelled { self.noteThatItIsCancelled() }
            // Detached: the step may run in a task that has merely woken the coroutine, and whose task-locals are none
            // of its business.
            let operation = Task.detached(priority: self.priority) {
                // By itself: once it runs, it may have a cancellation handler, which is user code.
                if isCancelled { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
                // Safe: the task owns the stack until the two have met.
                guard let block = unsafe self.block else { preconditionFailure("BUG: an operation has no coroutine") }
                await unsafe OperationCall.perform(for: block)
                if self.meet() { self.schedule() }
            }
            if !isCancelled { _ = state.begin(.operation(operation)) }
        }
    }

    // Never inlined: see `cancel()`.
    @inline(never)
    private func begin(_ wait: ScheduledCoroutineState.Wait) {
        switch self.state.withLock({ $0.begin(wait) }) {
        case .proceed: break
        // The user's cancel actions run here, outside the lock.
        case .cancelWait:
            self.noteThatItIsCancelled()
            wait.cancel()
        }
    }

    /// Notes that this coroutine, which is about to wait, is cancelled.
    ///
    /// Race: the thread that cancels it changes the state first, and notes the cancellation then. In between, what the
    /// coroutine waits for may already throw `CancellationError`, and its code must not find that it is not cancelled.
    private func noteThatItIsCancelled() {
        if self.noteCancellation() { preconditionFailure("BUG: a coroutine was parked in two places") }
    }

    /// The step that ends with a wait has done its part, or the operation has.
    ///
    /// Race: the operation may end on another thread before this step does. If the coroutine were scheduled then, its
    /// next step could run beside the rest of this one.
    ///
    /// - Returns: Whether both have: then the caller owns the stack.
    private func meet() -> Bool {
        guard self.isOneHere.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        // For the next wait.
        self.isOneHere.store(false, ordering: .relaxed)
        self.record?.note(.scheduled)
        self.endWait()
        return true
    }

    private func endWait() { releaseHere(self.state.withLock { $0.endWait() }) }

    // MARK: Callbacks

    /// Has the coroutine wait for a callback, now that it has left its stack; no task is needed for that.
    private func awaitCallback(for block: UnsafeMutablePointer<ccoro_block>) -> Pause {
        let pending = unsafe CallbackWait.pending(of: block)
        let (wait, answerers) = (pending.wait, pending.answerers)
        self.begin(pending.cancel.map { .call($0) } ?? .callback(wait))
        // Safe: until it is resumed, the coroutine is alive.
        let waiter = unsafe ParkedWaiter.Resumable(Unmanaged.passUnretained(self).toOpaque()) { waiter in
            unsafe Unmanaged<ScheduledCoroutine>.fromOpaque(waiter).takeUnretainedValue().resumeFromCallback()
        }
        switch wait.parks(.other(waiter), releasing: answerers) {
        case .suspend:
            // Do not touch: it may run on another thread, or be over.
            return .waiting
        case .goOn:
            self.endWait()
            return .ready
        }
    }

    private func resumeFromCallback() {
        self.endWait()
        self.unpark()
    }

    // MARK: The end

    private func finish(_ block: UnsafeMutablePointer<ccoro_block>) {
        unsafe self.block = nil
        unsafe StackPool.release(block)
        self.end()
    }

    // Never inlined: see `cancel()`.
    @inline(never)
    private func end() {
        unsafe self.body = nil
        self.record?.end()
        if let failure = unsafe self.failure {
            unsafe self.failure = nil
            self.report(failure)
        }
        for observer in self.state.withLock({ $0.end() }) { observer() }
    }

    private func report(_ error: any Error) {
        if error is CancellationError, self.isCancelled { return }
        if let onError = self.onError { return onError(error) }
        UncaughtErrors.report(error, started: self.started)
    }

    /// Calls a closure when the coroutine has ended; now, if it has.
    @inline(never)
    func whenComplete(_ observer: @escaping @Sendable () -> Void) {
        switch self.state.withLock({ $0.observe(observer) }) {
        case .keep: break
        case .call: observer()
        }
    }

    /// Its wait is over: it goes on, on its scheduler.
    override func unpark() {
        self.record?.note(.scheduled)
        if case .serial = unsafe self.knownScheduler { return self.schedule() }
        // Safe: it may end before its scheduler has returned.
        let kept = unsafe Unmanaged.passRetained(self)
        self.schedule(isResumed: RunningCoroutine.current == nil && !OtherStack.isNeeded)
        unsafe kept.release()
    }

    override var resumesOthersCode: Bool {
        switch unsafe self.knownScheduler {
        case .queue: false
        case .serial(let scheduler): unsafe scheduler._withUnsafeGuaranteedRef { !$0.isOnQueue }
        case .other: true
        }
    }

    // Called by the code that runs in it, so the block is there.
    override func suspend(forChannelMadeAt site: CallSite) -> Bool {
        guard let block = unsafe self.block else { preconditionFailure("BUG: a coroutine waits before it has begun") }
        let coroutine = unsafe RunningCoroutine(block)
        coroutine.note(.channel, at: site)
        coroutine.park()
        return !coroutine.isUnwinding
    }

    /// In a coroutine, so that code that reaches the end of that stack can continue the same way.
    override func runElsewhere(_ closure: @escaping @Sendable () -> Void) {
        self.scheduler.startCoroutine { closure() }
    }

    // MARK: Cancellation

    /// Notes a future that is to be cancelled with this coroutine, in the same call.
    @inline(never)
    func propagateCancellation(to future: AnyCoFuture) {
        releaseHere(self.state.withLock { exchange(&$0.propagated, with: future) })
    }

    /// The wait for the future is over; if it was cancelled, so was the future.
    @inline(never)
    func endPropagating(to future: AnyCoFuture) {
        // The code may have gone on elsewhere meanwhile, and this coroutine may wait for another one.
        releaseHere(self.state.withLock { $0.propagated === future ? $0.propagated.take() : nil })
    }

    // Never inlined, like all functions that run user code between two locks: that code may wait, in the calling
    // coroutine, and an inlined lock remembers its thread (Scripts/check-thread-locals).
    @inline(never)
    func cancel() {
        let wait: ScheduledCoroutineState.Wait?
        switch self.state.withLock({ $0.cancel() }) {
        case .ignore: return
        case .note: wait = nil
        case .noteAndCancel(let pending): wait = pending
        }
        // First, so that it is cancelled when this returns. One of several threads is told to unpark it.
        let isToUnpark = self.noteCancellation()
        // What it waits for may be a coroutine that waits for another one, and so on.
        if OtherStack.isNeeded { return OtherStack.run { self.endCancelled(wait, isToUnpark) } }
        self.endCancelled(wait, isToUnpark)
    }

    /// Ends the wait in which it was cancelled.
    @inline(never)
    private func endCancelled(_ wait: ScheduledCoroutineState.Wait?, _ isToUnpark: Bool) {
        if isToUnpark { self.unpark() }
        // It is not parked then.
        if let wait { return wait.cancel() }
        // Race: the coroutine may begin to wait for a future now: then it sees that it was cancelled. Or it goes on
        // already: then it has cancelled the future before it took it out.
        self.state.withLock { $0.propagated }?.cancel()
    }
}
