// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if !compiler(>=6.3) || PLAIN_LOCKS || THREAD_SANITIZER
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Replaces `Mutex<Void>`, whose `_unsafeLock` is no API, by a lock that ThreadSanitizer knows.
///
/// Safe: allocated in `init`, freed in `deinit`.
@safe @usableFromInline
struct LockApart: ~Copyable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>

    @usableFromInline
    init() {
        unsafe self.lock = .allocate(capacity: 1)
        unsafe pthread_mutex_init(self.lock, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(self.lock)
        unsafe self.lock.deallocate()
    }

    @usableFromInline
    borrowing func _unsafeLock() { unsafe pthread_mutex_lock(self.lock) }

    @usableFromInline
    borrowing func _unsafeUnlock() { unsafe pthread_mutex_unlock(self.lock) }
}

/// Replaces `_Cell`, in its own memory.
///
/// ThreadSanitizer sees a change of a cell as one of the whole structure, and the replacement for `Mutex` there has a
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
