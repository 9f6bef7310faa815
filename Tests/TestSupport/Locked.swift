// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// A value behind a lock that ThreadSanitizer understands.
///
/// It does not see a contended `Mutex` of Synchronization change hands on Linux, which happens in the kernel, and
/// reports races where there are none.
///
/// Safe: the value is reached under the lock only.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        self.lock.lock()
        defer { self.lock.unlock() }
        return body(&self.value)
    }
}
