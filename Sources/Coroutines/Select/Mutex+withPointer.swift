// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

extension Mutex where Value: ~Copyable {
    /// Runs a closure with the lock held, which gets the value's address.
    ///
    /// - Parameter body: Uses the address in this call only.
    func withPointer(_ body: (UnsafeMutablePointer<Value>) -> Void) {
        unsafe withoutActuallyEscaping(body) { body in
            let body = unsafe UncheckedBody(run: body)
            self.withLock { value in unsafe withUnsafeMutablePointer(to: &value) { unsafe body.run($0) } }
        }
    }
}

/// A closure that is passed through a lock's.
///
/// Safe: it is called in the call that it was passed to, on the same thread.
@unsafe
private struct UncheckedBody<Value: ~Copyable>: @unchecked Sendable {
    let run: (UnsafeMutablePointer<Value>) -> Void
}
