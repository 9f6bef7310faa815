// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if compiler(>=6.3) && !PLAIN_LOCKS && !THREAD_SANITIZER
public import Synchronization
#endif

/// A `Mutex` that can also be locked in one call and unlocked in another, which `select` needs: it holds the locks of
/// all its branches at once, and nested closures would need a stack frame for each.
///
/// Made of the parts of `Mutex`, so that it costs the same: the handle of a `Mutex` can be locked this way only if it
/// guards no value. Those parts are no API of the standard library, and Swift 6.2 has no `_Cell`. Where they are
/// missing, and with the condition `PLAIN_LOCKS`, a lock of the system and memory of its own replace them.
///
/// Safe: the value is used with the lock held only.
@safe @usableFromInline
package struct ManualMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    #if compiler(>=6.3) && !PLAIN_LOCKS && !THREAD_SANITIZER
    @usableFromInline let mutex = Mutex<Void>(())
    @usableFromInline let cell: _Cell<Value>
    #else
    @usableFromInline let mutex = LockApart()
    @usableFromInline let cell: CellApart<Value>
    #endif

    @inlinable @inline(__always)
    package init(_ value: consuming sending Value) { self.cell = .init(value) }

    /// Runs a closure with the lock held.
    @inlinable @inline(__always)
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        self.lock()
        defer { self.unlock() }
        return try unsafe body(&self.cell._address.pointee)
    }

    @inlinable @inline(__always)
    package borrowing func lock() { self.mutex._unsafeLock() }

    @inlinable @inline(__always)
    package borrowing func unlock() { self.mutex._unsafeUnlock() }

    /// Runs a closure whose caller holds the lock.
    @inlinable @inline(__always)
    package borrowing func whileLocked<Result: ~Copyable>(_ body: (inout Value) -> Result) -> Result {
        unsafe body(&self.cell._address.pointee)
    }
}
