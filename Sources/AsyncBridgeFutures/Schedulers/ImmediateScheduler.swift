// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Runs closures at once, on the thread that schedules them.
///
/// For tests, and for coroutines that need no thread of their own: the code begins in the call that starts it, and
/// after each wait it goes on where what it waited for ended.
///
/// `Coroutine.yield` goes on at once, and lets nothing else run. Start no coroutine while a lock is held.
///
/// ```swift
/// ImmediateScheduler().startCoroutine {
///     print("before startCoroutine returns")
///     try Coroutine.delay(.milliseconds(100))
///     print("on some thread of Swift's pool")
/// }
/// ```
public struct ImmediateScheduler: CoroutineScheduler, Sendable {
    /// Makes a scheduler; all are equal.
    public init() {}

    /// Runs a closure now.
    ///
    /// Isolation: the caller's thread.
    ///
    /// - Parameter task: The closure.
    /// - Complexity: That of the closure.
    public func scheduleTask(_ task: @escaping @Sendable () -> Void) { task() }
}
