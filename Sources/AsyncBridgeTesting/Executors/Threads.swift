// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// A number that tells running threads apart.
package struct ThreadID: Hashable, Sendable {
    private let number: UInt

    package static var current: ThreadID {
        #if canImport(Glibc)
        ThreadID(number: UInt(pthread_self()))
        #else
        // Safe: only the bits are kept; nothing is read through the pointer.
        unsafe ThreadID(number: UInt(bitPattern: pthread_self()))
        #endif
    }
}

/// State behind a lock on which a *thread* can wait, for what must block: a thread without work, a `cancel()` that
/// waits.
///
/// `Watched` is the same for tasks.
@safe
package final class Monitor<State>: @unchecked Sendable {
    // Safe: all access to `state` is between lock and unlock; the two objects of the C library do not move, since they
    // lie in memory of their own from init to deinit.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    package init(_ state: sending State) {
        self.state = state
        unsafe self.mutex = .allocate(capacity: 1)
        unsafe self.condition = .allocate(capacity: 1)
        let results = unsafe (pthread_mutex_init(self.mutex, nil), pthread_cond_init(self.condition, nil))
        precondition(results == (0, 0), "The system could not create a lock")
    }

    deinit {
        // Safe: this is the last reference, so no thread holds or awaits the lock.
        unsafe pthread_cond_destroy(self.condition)
        unsafe pthread_mutex_destroy(self.mutex)
        unsafe self.condition.deallocate()
        unsafe self.mutex.deallocate()
    }

    /// Changes the state, under the lock, and wakes the threads that wait for it.
    package func update<Result>(_ body: (inout State) -> Result) -> Result {
        // Safe: initialised in init.
        unsafe pthread_mutex_lock(self.mutex)
        defer {
            unsafe pthread_cond_broadcast(self.condition)
            unsafe pthread_mutex_unlock(self.mutex)
        }
        return body(&self.state)
    }

    /// Blocks the thread until `body`, run under the lock, gives something.
    package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        // Safe: initialised in init.
        unsafe pthread_mutex_lock(self.mutex)
        defer {
            unsafe pthread_cond_broadcast(self.condition)
            unsafe pthread_mutex_unlock(self.mutex)
        }
        while true {
            if let result = body(&self.state) { return result }
            // Safe: initialised in init, and the lock is held.
            unsafe pthread_cond_wait(self.condition, self.mutex)
        }
    }
}

extension Monitor<Bool> {
    /// Opens a gate: lets all threads in ``pass()`` go, now and later.
    package func open() { self.update { $0 = true } }

    package var isOpen: Bool { self.update { $0 } }

    /// Blocks the thread until the gate is open.
    package func pass() { self.wait { $0 ? () : nil } }
}

/// A thread's work, on its way to the thread.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Lets other threads run.
package func yieldThread() { _ = sched_yield() }

/// Runs `body` on a new, detached thread.
///
/// - Parameters:
///   - stackSize: The size of its stack in bytes; `nil` is the system's.
///   - body: What to run.
package func startThread(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    // Safe: the thread takes over the one count that is made here, with the argument that it gets.
    let argument = unsafe Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    var attributes = pthread_attr_t()
    // Safe: they are initialised before their other use, and destroyed after it.
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    if let stackSize { unsafe pthread_attr_setstacksize(&attributes, stackSize) }
    #if canImport(Darwin)
    var thread: pthread_t?
    let result = unsafe pthread_create(
        &thread,
        &attributes,
        { argument in
            unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
            return nil
        },
        argument
    )
    precondition(result == 0, "The system could not create a thread: error \(result)")
    if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
    var thread = pthread_t()
    let result = unsafe pthread_create(
        &thread,
        &attributes,
        { argument in
            if let argument = unsafe argument {
                unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
            }
            return nil
        },
        argument
    )
    // Before the handle is used: without a thread it is none.
    precondition(result == 0, "The system could not create a thread: error \(result)")
    pthread_detach(thread)
    #endif
}
