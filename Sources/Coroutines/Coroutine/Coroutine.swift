// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// What synchronous code can do inside a coroutine, at any depth.
///
/// ```swift
/// let quotes = try await withCoroutine {
///     try ids.map { id in try Coroutine.await { try await client.quote(id: id) } }
/// }
/// ```
///
/// A coroutine begins with ``withCoroutine(stackSize:name:fileID:line:_:)`` in async code, or on a
/// `CoroutineScheduler`. While it waits, its thread does other work. It is a stackful, asymmetric coroutine, in the
/// terms of A. L. de Moura and R. Ierusalimschy, "Revisiting Coroutines" (TOPLAS 31, 2009).
///
/// ## Isolation
/// Each function acts on the coroutine that the calling code runs in. After a wait the code is on the same actor or the
/// same scheduler, but perhaps on another thread.
public enum Coroutine {
    /// Whether this code runs in a coroutine, and may wait.
    ///
    /// Also `false` for code of another task that runs on a coroutine's stack, such as that of `Task.immediate` until
    /// it suspends.
    ///
    /// - Complexity: O(1).
    @inlinable
    public static var isInsideCoroutine: Bool { RunningCoroutine.current != nil }

    /// Whether the coroutine was cancelled; outside a coroutine, whether the current task was.
    ///
    /// - Complexity: O(1).
    @inlinable
    public static var isCancelled: Bool { RunningCoroutine.current?.isCancelled ?? CurrentTask.isCancelled }

    /// Throws if the coroutine was cancelled.
    ///
    /// - Throws: `CancellationError`.
    /// - Complexity: O(1).
    @inlinable
    public static func checkCancellation() throws(CancellationError) {
        if self.isCancelled { throw CancellationError() }
    }
}
