// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// A task that waits.
///
/// Safe: see its one property.
@safe @usableFromInline
final class TaskParker: _Parker, @unchecked Sendable {
    // Safe: written by the task before it parks, read by the thread that resumes it.
    private nonisolated(unsafe) var continuation: ParkedContinuation?

    @usableFromInline
    override init() { super.init() }

    override func unpark() {
        guard let continuation = unsafe self.continuation else {
            preconditionFailure("BUG: a task was woken that had not parked")
        }
        continuation.resume()
    }

    override var resumesOthersCode: Bool { CurrentTask.isResumedByOthersCode }

    /// Suspends the task, which is enlisted already, until its wait is over.
    ///
    /// The list of pending waits, if it is on, holds it meanwhile.
    ///
    /// - Parameters:
    ///   - wait: What the task waits for, for that list.
    ///   - made: Where that was made, or is waited for.
    ///   - endsWhenCancelled: Whether cancelling the task ends the wait.
    @usableFromInline
    nonisolated(nonsending) func suspend(
        _ wait: StaticString,
        made: CallSite,
        endsWhenCancelled: Bool = true
    ) async {
        let entry = PendingWaits.enter(wait, made: made)
        await self.suspend(endsWhenCancelled: endsWhenCancelled)
        entry?.leave()
    }

    /// The same, without an entry in that list.
    nonisolated(nonsending) func suspend(endsWhenCancelled: Bool) async {
        if endsWhenCancelled {
            // Safe: the waiting code holds this object. Called under the lock of the task's status: only our own
            // continuation is resumed there.
            await unsafe CurrentTask.suspend(Unmanaged.passUnretained(self).toOpaque()) { parker in
                unsafe Unmanaged<TaskParker>.fromOpaque(parker).takeUnretainedValue().cancelWait()
            } _: { continuation in
                self.park(continuation)
            }
        } else {
            await CurrentTask.suspend { self.park($0) }
        }
        // Reads below must see what the claimer wrote. The runtime orders that too, but if a continuation is resumed
        // before its task has suspended, ThreadSanitizer cannot see it.
        self.synchronizeWithWake()
    }

    private func park(_ continuation: ParkedContinuation) {
        unsafe self.continuation = continuation
        if !self.park() { continuation.resume() }
    }
}
