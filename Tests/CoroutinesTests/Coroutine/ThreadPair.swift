// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines
import Foundation

/// Two threads between which tasks and coroutines go to and fro.
///
/// A task changes threads with ``hop()`` and stays where it is otherwise; a coroutine that has this for its scheduler
/// changes threads whenever it suspends.
final class ThreadPair: TaskExecutor, CoroutineScheduler {
    enum Lane: Sendable { case first, second }

    private let first = WorkThread()
    private let second = WorkThread()

    /// The thread that runs the calling code, if it is one of the two.
    var lane: Lane? {
        if self.first.isCurrent { return .first }
        return self.second.isCurrent ? .second : nil
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.perform(on: self.lane ?? .first) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.perform(on: self.otherLane, task) }

    /// Suspends the task, and resumes it on the other thread.
    func hop() async {
        let lane = self.lane
        // Race: if the other thread is quicker than the task is suspended, the task stays. Then once more.
        while self.lane == lane {
            await withCheckedContinuation { continuation in
                self.perform(on: self.otherLane) { continuation.resume() }
            }
        }
    }

    private var otherLane: Lane { self.lane == .first ? .second : .first }

    /// Runs a block on one of the threads.
    func perform(on lane: Lane, _ block: @escaping @Sendable () -> Void) {
        (lane == .first ? self.first : self.second).perform(block)
    }
}

/// A thread that runs blocks in their order, until its owner is gone and they are done.
private final class WorkThread: Sendable {
    /// What the thread and its owner share.
    ///
    /// Safe: reached under the lock only.
    private final class Blocks: @unchecked Sendable {
        private let condition = NSCondition()
        private var blocks: [@Sendable () -> Void] = []
        private var isClosed = false

        func append(_ block: @escaping @Sendable () -> Void) {
            self.condition.withLock {
                self.blocks.append(block)
                self.condition.signal()
            }
        }

        func close() {
            self.condition.withLock {
                self.isClosed = true
                self.condition.signal()
            }
        }

        /// The next block; waits for one.
        func next() -> (@Sendable () -> Void)? {
            self.condition.withLock {
                while self.blocks.isEmpty, !self.isClosed { self.condition.wait() }
                return self.blocks.isEmpty ? nil : self.blocks.removeFirst()
            }
        }
    }

    private let blocks = Blocks()
    // Safe: only its identity is used, once it has started.
    private nonisolated(unsafe) let thread: Thread

    init() {
        let blocks = self.blocks
        self.thread = Thread {
            while let block = blocks.next() { block() }
        }
        self.thread.start()
    }

    deinit { self.blocks.close() }

    var isCurrent: Bool { Thread.current === self.thread }

    func perform(_ block: @escaping @Sendable () -> Void) { self.blocks.append(block) }
}
