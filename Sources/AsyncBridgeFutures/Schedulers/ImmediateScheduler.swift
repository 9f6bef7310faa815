// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Runs closures at once, on the thread that schedules them.
///
/// ```swift
/// ImmediateScheduler().scheduleTask { print("before scheduleTask returns") }
/// ```
///
/// For tests, and for coroutines that need no particular thread. A coroutine begins inside the call that starts it.
/// After each wait it continues inside the call that ended the wait, on that thread. With `import Coroutines`:
///
/// ```swift
/// ImmediateScheduler().startCoroutine {
///     print("before startCoroutine returns")
///     try Coroutine.delay(.milliseconds(100))
///     print("on the thread that ended the wait")
/// }
/// ```
///
/// `Coroutine.yield` continues at once, and lets no other code run. Do not start a coroutine while you hold a lock.
public struct ImmediateScheduler: CoroutineScheduler, Sendable {
    /// Makes a scheduler; all instances are equivalent.
    public init() {}

    /// Runs a closure immediately.
    ///
    /// Isolation: the caller's thread.
    ///
    /// - Parameter task: The closure.
    /// - Complexity: That of the closure.
    public func scheduleTask(_ task: @escaping @Sendable () -> Void) { task() }
}
