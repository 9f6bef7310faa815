// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Runs closures at once, on the thread that schedules them.
///
/// ```swift
/// ImmediateScheduler().scheduleTask { print("before scheduleTask returns") }
/// ```
///
/// For tests, and for coroutines that need no thread of their own. A coroutine begins inside the call that starts it.
/// After each wait it goes on inside the call that ended the wait, on that thread. With `import Coroutines`:
///
/// ```swift
/// ImmediateScheduler().startCoroutine {
///     print("before startCoroutine returns")
///     try Coroutine.delay(.milliseconds(100))
///     print("on some thread of Swift's pool")
/// }
/// ```
///
/// `Coroutine.yield` goes on at once, and lets nothing else run. Start no coroutine while you hold a lock.
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
