// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CCoroutines
import Synchronization

/// A step of a coroutine on its way through a scheduler: run once, or, if the scheduler drops it, unwound.
final class ScheduledStep: Sendable {
    private let coroutine: Mutex<ScheduledCoroutine?>
    private let schedulingThread = ccoro_thread_number()
    private let isBeingScheduled = Atomic(true)

    // Safe: used only by the thread that schedules the step, `run` included.
    private nonisolated(unsafe) var isReadyAgain = false

    init(of coroutine: ScheduledCoroutine) { self.coroutine = Mutex(coroutine) }

    /// Runs the step, unless it was run already.
    func run() {
        guard let coroutine = self.take() else { return }
        guard coroutine.step() == .ready else { return }
        if self.isBeingScheduled.load(ordering: .relaxed), self.schedulingThread == ccoro_thread_number() {
            // The scheduler runs this on the stack of the call that schedules it. That call schedules the next step
            // when this one is over. From here, each step would be a recursion.
            unsafe self.isReadyAgain = true
        } else {
            coroutine.schedule()
        }
    }

    /// The scheduler has returned.
    ///
    /// - Returns: Whether it has run the step, and there is a next one.
    func endScheduling() -> Bool {
        self.isBeingScheduled.store(false, ordering: .relaxed)
        return unsafe self.isReadyAgain
    }

    private func take() -> ScheduledCoroutine? { self.coroutine.withLock { $0.take() } }

    deinit { self.take()?.abandon() }
}
