// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CCoroutines
import Synchronization

/// Whether a scheduler runs a closure on the stack of the call that schedules it.
///
/// What comes after such a closure must not be scheduled from there: each time would be a recursion. It is left to the
/// call that schedules, which does it in a loop.
struct InlineRun: ~Copyable, Sendable {
    private let schedulingThread = ccoro_thread_number()
    private let isBeingScheduled = Atomic(true)
    // Set and read by the scheduling thread alone; atomic so that a struct that does not change can hold it.
    private let isLeft = Atomic(false)

    /// Leaves what comes next to the call that schedules, if the closure that asks runs inside it.
    ///
    /// - Returns: False if the closure runs elsewhere, or later: then what comes next is the closure's to schedule.
    func leavesRest() -> Bool {
        // Another thread may see that the call has not ended when it has, but not that it is that thread.
        guard self.isBeingScheduled.load(ordering: .relaxed), self.schedulingThread == ccoro_thread_number() else {
            return false
        }
        self.isLeft.store(true, ordering: .relaxed)
        return true
    }

    /// The call that schedules has ended.
    ///
    /// - Returns: Whether what comes next was left to it.
    func end() -> Bool {
        self.isBeingScheduled.store(false, ordering: .relaxed)
        return self.isLeft.load(ordering: .relaxed)
    }
}
