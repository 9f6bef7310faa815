// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// A step of a coroutine on its way through a scheduler: run once, or, if the scheduler drops it, unwinds the
/// coroutine.
final class ScheduledStep: Sendable {
    private let coroutine: Mutex<ScheduledCoroutine?>
    private let inlineRun = InlineRun()

    init(of coroutine: ScheduledCoroutine) { self.coroutine = Mutex(coroutine) }

    /// Runs the step, unless it was run already.
    func run() {
        guard let coroutine = self.take() else { return }
        guard coroutine.step() == .ready, !self.inlineRun.leavesRest() else { return }
        coroutine.schedule()
    }

    /// The scheduler has returned.
    ///
    /// - Returns: Whether it has run the step, and there is a next one.
    func endScheduling() -> Bool { self.inlineRun.end() }

    private func take() -> ScheduledCoroutine? { self.coroutine.withLock { $0.take() } }

    deinit { self.take()?.abandon() }
}
