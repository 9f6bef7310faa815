// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a wait does when its task is cancelled.
///
/// In both modes the cancel actions run, once.
@nonexhaustive
public enum CancellationMode: Sendable {
    /// Throws `CancellationError` at once. A later answer is refused, and its value goes to `onUndelivered`. Without a
    /// cancel action this abandons the work, which is right for a source that is unsafe to cancel.
    case prompt

    /// Keeps waiting for the callback, which a well-behaved source calls soon after it was cancelled.
    case cooperative
}
