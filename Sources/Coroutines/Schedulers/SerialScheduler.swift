// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
public import Dispatch
import Synchronization

/// Runs coroutines one at a time, in turn, on another scheduler.
///
/// For coroutines that share state, or that wait for each other often: a switch between two of them takes a few
/// nanoseconds, where a queue takes hundreds.
///
/// ```swift
/// let world = SerialScheduler()
/// let channel = CoChannel<Int>(buffering: .rendezvous)
///
/// world.startCoroutine {
///     for number in 0..<1000 { try channel.awaitSend(number) }
///     channel.close()
/// }
/// world.startCoroutine {
///     while let number = try channel.awaitNext() { print(number) }
/// }
/// ```
///
/// It takes a thread of the other scheduler when there is work, returns it when there is none, and lets that
/// scheduler's other work run every millisecond. Closures scheduled while one of its own runs come after those
/// scheduled before.
///
/// Isolation: no two of its closures and coroutines run at the same time. May be used on any thread.
public final class SerialScheduler: CoroutineScheduler, ShutDownScheduler, Sendable {
    private enum Step {
        case coroutine(ScheduledCoroutine)
        case closure(@Sendable () -> Void)
    }

    private struct Queue: ~Copyable {
        var steps = RingBuffer<Step>()
        /// Whether the other scheduler runs the steps, or will run them.
        var isServed = false
    }

    // Steps scheduled on other threads, and on this one by code that is not a coroutine of this scheduler.
    private let queue = Mutex(Queue())

    // Steps that its coroutines have scheduled. Safe: used by the one thread that serves the queue, and by coroutines
    // that it runs.
    private nonisolated(unsafe) var own = RingBuffer<Step>()

    private let base: SchedulerReference

    /// Whether the other scheduler is a queue of Dispatch's, which runs nothing at once.
    let isOnQueue: Bool

    // How long steps run in one go: short enough for other work, long compared with the cost of coming back, some 10
    // µs.
    private static let turn = Duration.milliseconds(1)
    // How many steps run between two readings of the clock, which cost 40 ns each.
    private static let stepsBetweenLooks = 64

    /// Makes a scheduler on top of another one.
    ///
    /// - Parameter base: Where the coroutines run; Dispatch's global queue by default. If it drops this scheduler's
    ///   closure, all scheduled coroutines are unwound.
    /// - Complexity: O(1).
    public init(on base: some CoroutineScheduler = DispatchQueue.global()) {
        self.base = SchedulerReference(base)
        self.isOnQueue = base is DispatchQueue
    }

    /// Runs a closure in its turn.
    ///
    /// - Parameter task: The closure.
    /// - Complexity: O(1) amortised.
    public func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.enqueue(.closure(task)) }

    /// Runs the next step of a coroutine in its turn.
    func schedule(_ coroutine: ScheduledCoroutine) {
        // The most common case, without a lock: one of its coroutines wakes another.
        if let running = RunningCoroutine.current, running.runs(on: self) {
            unsafe self.own.append(.coroutine(coroutine))
        } else {
            // Safe: the coroutine, which keeps this alive, may end before the lock is released.
            let kept = unsafe Unmanaged.passRetained(self)
            self.enqueue(.coroutine(coroutine))
            unsafe kept.release()
        }
    }

    package var shutDownError: (any Error)? { self.base.shutDownError }

    private func enqueue(_ step: Step) {
        let begins = self.queue.withLock { queue in
            queue.steps.append(step)
            defer { queue.isServed = true }
            return !queue.isServed
        }
        if begins { self.serveLater() }
    }

    private func serveLater() {
        while true {
            let service = Service(of: self)
            self.base.scheduleTask { service.run() }
            guard service.endScheduling(), self.serve() else { return }
        }
    }

    /// The other scheduler's reference: run once, or dropped.
    private final class Service: Sendable {
        private let scheduler: SerialScheduler
        private let isTaken = OnceFlag()
        private let inlineRun = InlineRun()

        init(of scheduler: SerialScheduler) { self.scheduler = scheduler }

        func run() {
            guard self.isTaken.setFirst() else { return }
            if self.inlineRun.leavesRest() { return }
            if self.scheduler.serve() { self.scheduler.serveLater() }
        }

        /// The other scheduler has returned.
        ///
        /// - Returns: Whether the caller must serve.
        func endScheduling() -> Bool { self.inlineRun.end() }

        deinit { if self.isTaken.setFirst() { self.scheduler.abandon() } }
    }

    /// Runs steps until there are none, or it is other work's turn.
    ///
    /// - Returns: Whether there are more.
    private func serve() -> Bool {
        // First, so that coroutines that wake each other forever do not starve others.
        guard self.takeOver() else { return false }
        let end = ContinuousClock.now + Self.turn
        repeat {
            for _ in 0..<Self.stepsBetweenLooks {
                guard let step = self.next() else { return false }
                self.run(step)
            }
        } while ContinuousClock.now < end
        return true
    }

    private func run(_ step: Step) {
        switch step {
        case .closure(let closure):
            closure()
        case .coroutine(let coroutine):
            if coroutine.step() == .ready { unsafe self.own.append(.coroutine(coroutine)) }
        }
    }

    /// The next step; without one, the queue is not served any more.
    private func next() -> Step? {
        if let step = unsafe self.own.popFirst() { return step }
        return self.takeOver() ? unsafe self.own.popFirst() : nil
    }

    /// Takes over the steps that other threads have scheduled.
    ///
    /// - Returns: Whether there is a step; without one, the queue is not served any more.
    private func takeOver() -> Bool {
        self.queue.withLock { queue in
            while let step = queue.steps.popFirst() { unsafe self.own.append(step) }
            queue.isServed = unsafe !self.own.isEmpty
            return queue.isServed
        }
    }

    /// Unwinds the scheduled steps, since the other scheduler will not run them.
    private func abandon() {
        while let step = self.next() {
            if case .coroutine(let coroutine) = step { coroutine.abandon() }
        }
    }
}
