// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A failure of a coroutine itself, as opposed to one of the code in it.
///
/// Cancellation is not among them: that is always `CancellationError`.
public enum CoroutineError: Error, Sendable, Hashable {
    /// `Coroutine.await` and its like were called outside a coroutine, where nothing can suspend.
    ///
    /// Start one with `withCoroutine { … }` in async code, or with `scheduler.startCoroutine { … }`.
    case outsideCoroutine

    /// There is no memory for a stack: the system's error number.
    case outOfMemory(errno: Int32)
}
