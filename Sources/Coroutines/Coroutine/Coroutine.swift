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
/// A coroutine begins with ``withCoroutine(stackSize:name:_:)`` in async code, or on a ``CoroutineScheduler``. While it
/// waits, its thread does other work.
public enum Coroutine {
    /// Whether this code runs in a coroutine, and may wait.
    @inlinable
    public static var isInsideCoroutine: Bool { RunningCoroutine.current != nil }

    /// Whether the coroutine was cancelled; outside a coroutine, whether the current task was.
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
