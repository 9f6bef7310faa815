// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// A run loop as a task executor: one thread that runs jobs and closures in the order in which they came.
///
/// What comes from its own thread costs neither a lock nor an atomic, so that a round measures what is being compared
/// and little else.
public final class OneThreadExecutor: TaskExecutor {
    private enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
        case stop
    }

    // Safe: used on the executor's own thread only.
    @exclusivity(unchecked) nonisolated(unsafe) private var local = Queue<Work>()

    // Safe: used with `arrival` locked only.
    @exclusivity(unchecked) nonisolated(unsafe) private var inbox: [Work] = []

    // Safe: written by the executor's thread before anything else is done with it.
    @exclusivity(unchecked) nonisolated(unsafe) private var thread: pthread_t?

    private let arrival = NSCondition()

    private init() {}

    /// Runs work on a new executor, and ends the executor.
    ///
    /// - Parameter body: The work; runs on the executor's thread.
    /// - Throws: What the work throws.
    public static func run(_ body: @Sendable (OneThreadExecutor) async throws -> Void) async throws {
        let executor = OneThreadExecutor()
        Thread.detachNewThread { executor.loop() }
        defer { executor.submit(.stop) }
        try await withTaskExecutorPreference(executor) {
            precondition(executor.isCurrent, "BUG: the work does not run on its executor")
            try await body(executor)
        }
    }

    /// Runs a closure after all that came before it.
    ///
    /// - Parameter closure: What to run.
    public func later(_ closure: @escaping @Sendable () -> Void) { self.submit(.closure(closure)) }

    /// Runs a job of the concurrency runtime after all that came before it.
    ///
    /// - Parameter job: What to run.
    public func enqueue(_ job: consuming ExecutorJob) { self.submit(.job(UnownedJob(job))) }

    private var isCurrent: Bool {
        guard let thread = self.thread else { return false }
        return pthread_equal(thread, pthread_self()) != 0
    }

    private func submit(_ work: Work) {
        if self.isCurrent {
            self.local.append(work)
        } else {
            self.arrival.withLock { self.inbox.append(work) }
            self.arrival.signal()
        }
    }

    private func loop() {
        self.arrival.withLock { self.thread = pthread_self() }
        while true {
            while let work = self.local.popFirst() {
                switch work {
                case .job(let job): job.runSynchronously(on: self.asUnownedTaskExecutor())
                case .closure(let closure): closure()
                case .stop: return
                }
            }
            self.arrival.withLock {
                while self.inbox.isEmpty { self.arrival.wait() }
                for work in self.inbox { self.local.append(work) }
                self.inbox.removeAll(keepingCapacity: true)
            }
        }
    }
}

/// A first-in, first-out queue in a ring.
private struct Queue<Element> {
    private var slots: [Element?] = Array(repeating: nil, count: 64)
    private var first = 0
    private var count = 0

    mutating func append(_ element: Element) {
        precondition(self.count < self.slots.count, "the benchmark keeps more work outstanding than the queue holds")
        self.slots[(self.first + self.count) & (self.slots.count - 1)] = element
        self.count += 1
    }

    mutating func popFirst() -> Element? {
        guard self.count > 0 else { return nil }
        defer {
            self.first = (self.first + 1) & (self.slots.count - 1)
            self.count -= 1
        }
        return self.slots[self.first].take()
    }
}
