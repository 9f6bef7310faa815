// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge
import Dispatch
import Synchronization

/// Continues code that has called itself, through user code, until little of its stack is left.
///
/// An observer added to a future that has its result is called at once, and may add the next: a `flatMap` closure that
/// makes the next round of a loop, `step().flatMap { loop() }`. As long as no step waits, this is a recursion. Whether
/// one waits is often a race, which must not decide between a loop and a stack overflow. So the rest starts on another
/// stack, and the call returns before it is done.
@usableFromInline
package enum OtherStack {
    /// Whether such recursive code should continue elsewhere.
    @usableFromInline package static var isNeeded: Bool { casyncbridge_stack_is_low() }

    /// Runs a closure once, on the calling coroutine's scheduler if it has one, otherwise on Dispatch's global queue.
    ///
    /// If a scheduler drops the closure, it runs there, in the `deinit`; on the global queue, if little of that stack
    /// is left too.
    @usableFromInline @inline(never)
    package static func run(_ closure: @escaping @Sendable () -> Void) {
        let closure = ClosureToRun(closure)
        if let waiter = unsafe casyncbridge_current_waiter() {
            // Safe: the calling coroutine's driver, which is alive while the coroutine runs.
            unsafe Unmanaged<_Parker>.fromOpaque(waiter).takeUnretainedValue().runElsewhere { closure.run() }
        } else {
            DispatchQueue.global().async { closure.run() }
        }
    }
}

/// A closure that runs once, at the latest when it is released.
private final class ClosureToRun: Sendable {
    private let closure: Mutex<(@Sendable () -> Void)?>

    init(_ closure: @escaping @Sendable () -> Void) { self.closure = Mutex(closure) }

    deinit {
        guard let closure = self.closure.withLock({ $0.take() }) else { return }
        // A scheduler may drop it in the call, on the stack of which little is left.
        if OtherStack.isNeeded { DispatchQueue.global().async(execute: closure) } else { closure() }
    }

    func run() { self.closure.withLock { $0.take() }?() }
}
