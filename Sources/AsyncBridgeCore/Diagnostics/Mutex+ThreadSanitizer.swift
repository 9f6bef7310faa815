// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if THREAD_SANITIZER
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Stands for `Synchronization.Mutex` in the build for ThreadSanitizer, and only there.
///
/// On Linux the contended path of the standard one lies in a library that is not instrumented, so that the sanitizer
/// takes each contended lock for none and reports races that do not exist. It does know pthread's locks.
/// `Scripts/test-sanitizers` defines the condition.
@safe @usableFromInline
package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Safe: allocated in `init`, freed in `deinit`; the value is used with the lock held only.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    @usableFromInline
    package init(_ value: consuming sending Value) {
        unsafe self.lock = .allocate(capacity: 1)
        unsafe pthread_mutex_init(self.lock, nil)
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
    }

    deinit {
        unsafe self.value.deinitialize(count: 1)
        unsafe self.value.deallocate()
        unsafe pthread_mutex_destroy(self.lock)
        unsafe self.lock.deallocate()
    }

    @usableFromInline
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(self.lock)
        defer { unsafe pthread_mutex_unlock(self.lock) }
        return try unsafe body(&self.value.pointee)
    }
}
#endif
