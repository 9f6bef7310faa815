// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A wait that hears of its task's cancellation: for generic waits, which a function of C cannot name.
///
/// Safe: it has no properties; those of its subclasses say why they are.
@usableFromInline
package class CancellationListener: @unchecked Sendable {
    init() {}

    /// The task was cancelled: for subclasses to define.
    ///
    /// Called under the lock of the task's status: only this wait's own continuation may be resumed here.
    func taskWasCancelled() { preconditionFailure("BUG: abstract method not overridden") }

    /// Suspends the current task, on the caller's actor, until its continuation is resumed.
    ///
    /// - Parameter park: Gets the continuation, in the current task, to be resumed once.
    final nonisolated(nonsending) func suspend(_ park: (ParkedContinuation) -> Void) async {
        // Safe: this object lives until the call has returned.
        await unsafe CurrentTask.suspend(
            Unmanaged.passUnretained(self).toOpaque(),
            onCancel: { listener in
                unsafe Unmanaged<CancellationListener>.fromOpaque(listener).takeUnretainedValue().taskWasCancelled()
            },
            park
        )
    }
}
