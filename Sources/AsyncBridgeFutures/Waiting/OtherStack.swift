// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge
import Dispatch
import Synchronization

/// Where code goes on that has called itself, through user code, until little is left of its stack.
///
/// An observer of a future that is added when the result is there is called at once, and may add the next: a closure of
/// `flatMap` that makes the next round of a loop, `step().flatMap { loop() }`. As long as no step has to wait, this is
/// a recursion. Whether one has to is often a race, which must not decide between a loop and a stack that overflows. So
/// the rest begins anew on another stack, and the call returns before it is done.
@usableFromInline
package enum OtherStack {
    /// Whether code that may call itself so should go on elsewhere.
    @usableFromInline package static var isNeeded: Bool { casyncbridge_stack_is_low() }

    /// Runs a closure once, where the calling coroutine runs, if it is on a scheduler; or else in Dispatch's global
    /// queue.
    ///
    /// A scheduler that drops it runs it where it drops it.
    @usableFromInline @inline(never)
    package static func run(_ closure: @escaping @Sendable () -> Void) {
        let closure = ClosureToRun(closure)
        if let waiter = unsafe casyncbridge_current_waiter() {
            // Safe: the driver of the calling coroutine, which is alive while that runs.
            unsafe Unmanaged<_Parker>.fromOpaque(waiter).takeUnretainedValue().runElsewhere { closure.run() }
        } else {
            DispatchQueue.global().async { closure.run() }
        }
    }
}

/// A closure that runs once, at the latest when it goes away.
private final class ClosureToRun: Sendable {
    private let closure: Mutex<(@Sendable () -> Void)?>

    init(_ closure: @escaping @Sendable () -> Void) { self.closure = Mutex(closure) }

    deinit { self.run() }

    func run() { self.closure.withLock { $0.take() }?() }
}
