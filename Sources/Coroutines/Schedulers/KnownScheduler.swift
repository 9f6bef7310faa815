// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import Dispatch

/// A scheduler of a known type, which takes steps more cheaply than as closures that it may drop.
///
/// Unsafe: does not keep the scheduler alive.
@unsafe
package enum KnownScheduler {
    /// Takes coroutines directly.
    case serial(Unmanaged<SerialScheduler>)
    /// Drops nothing, and runs nothing at once.
    case queue(Unmanaged<DispatchQueue>)
    case other

    package init<Scheduler: CoroutineScheduler>(_ scheduler: Scheduler) {
        // Types are compared, because a dynamic cast takes a quarter of the start of a coroutine. A queue of another
        // type, as Apple systems have them behind an `any CoroutineScheduler`, is used like any other scheduler.
        if Scheduler.self == SerialScheduler.self {
            // Safe, here and below: the same type, and a reference has the size of an unmanaged one.
            unsafe self = .serial(unsafeBitCast(scheduler, to: Unmanaged<SerialScheduler>.self))
        } else if Scheduler.self == DispatchQueue.self {
            unsafe self = .queue(unsafeBitCast(scheduler, to: Unmanaged<DispatchQueue>.self))
        } else {
            unsafe self = .other
        }
    }
}
