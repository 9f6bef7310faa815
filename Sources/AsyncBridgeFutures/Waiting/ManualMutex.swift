// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Synchronization

/// A `Mutex` that can also be locked in one call and unlocked in another, which `select` needs: it holds the locks of
/// all its branches at once, and nested closures would need a stack frame for each.
///
/// Made of the parts of `Mutex`, so that it costs the same: the handle of a `Mutex` can be locked this way only if it
/// guards no value.
///
/// Safe: the value is used with the lock held only.
@safe @usableFromInline
package struct ManualMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let mutex = Mutex<Void>(())
    #if THREAD_SANITIZER
    @usableFromInline let cell: CellApart<Value>
    #else
    @usableFromInline let cell: _Cell<Value>
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

#if THREAD_SANITIZER
/// Replaces `_Cell`, in its own memory.
///
/// The sanitizer sees a change of a cell as one of the whole structure, and the replacement for `Mutex` there has a
/// pointer that is read without the lock.
///
/// Safe: allocated in `init`, freed in `deinit`.
@safe @usableFromInline
struct CellApart<Value: ~Copyable>: ~Copyable {
    @usableFromInline let _address: UnsafeMutablePointer<Value>

    @usableFromInline
    init(_ value: consuming sending Value) {
        unsafe self._address = .allocate(capacity: 1)
        unsafe self._address.initialize(to: value)
    }

    deinit {
        unsafe self._address.deinitialize(count: 1)
        unsafe self._address.deallocate()
    }
}
#endif
