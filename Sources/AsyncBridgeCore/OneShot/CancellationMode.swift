// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a wait does when its task is cancelled.
@nonexhaustive
public enum CancellationMode: Sendable {
    /// Runs the cancel actions and throws `CancellationError` at once. The default.
    ///
    /// A later answer is refused, and its value goes to `onUndelivered`. Without a cancel action this abandons the
    /// work, which is right for a source that is unsafe to cancel.
    case prompt

    /// Runs the cancel actions and keeps waiting for the callback.
    ///
    /// For work that changes something: a well-behaved source calls back soon after it was cancelled, and the caller
    /// learns what became of the work.
    case cooperative

    /// Does nothing: the work starts in a cancelled task too, and the wait ends with the callback or the timeout.
    ///
    /// For work that must be done in any case, and for code that behaved so with a continuation.
    case ignore
}
