// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread that writes the pending waits whenever a signal's handler asks for it.
///
/// A signal handler may do very little: it writes a byte into a pipe, at whose other end the thread sleeps.
enum DumpThread {
    private static let pipeEnd = Atomic<CInt>(-1)
    private static let starting = Mutex<Void>(())
    private static let additions = Mutex<[@Sendable () -> Void]>([])

    /// Has the thread do more, after it has written the pending waits.
    static func add(_ addition: @escaping @Sendable () -> Void) { self.additions.withLock { $0.append(addition) } }

    private static func dump() {
        BridgeDiagnostics.dumpPendingWaits()
        for addition in self.additions.withLock({ $0 }) { addition() }
    }

    static func listen(to signal: CInt) throws(BridgeDiagnostics.SystemError) {
        try self.start()
        let number = casyncbridge_handle_signal(signal) { _ in
            // Safe: only functions that POSIX allows in a handler. `pipeEnd` was initialised before the handler was
            // installed, and errno belongs to the code that was interrupted.
            let interrupted = errno
            var byte: UInt8 = 1
            _ = unsafe write(DumpThread.pipeEnd.load(ordering: .relaxed), &byte, 1)
            errno = interrupted
        }
        guard number == 0 else { throw BridgeDiagnostics.SystemError(number: number, function: "sigaction") }
    }

    /// Starts the thread, once.
    private static func start() throws(BridgeDiagnostics.SystemError) {
        let refusal = self.starting.withLock { _ -> BridgeDiagnostics.SystemError? in
            guard self.pipeEnd.load(ordering: .relaxed) < 0 else { return nil }
            var ends: [CInt] = [-1, -1]
            // Safe: there is room for the two descriptors that it writes.
            guard unsafe pipe(&ends) == 0 else {
                return BridgeDiagnostics.SystemError(number: errno, function: "pipe")
            }
            // No child process inherits them, and no handler ever blocks: a full pipe wakes the thread as well.
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
            let number = self.startThread(reading: ends[0])
            guard number == 0 else {
                close(ends[0])
                close(ends[1])
                return BridgeDiagnostics.SystemError(number: number, function: "pthread_create")
            }
            self.pipeEnd.store(ends[1], ordering: .relaxed)
            return nil
        }
        if let refusal { throw refusal }
    }

    private static func startThread(reading end: CInt) -> CInt {
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        // Safe: the argument is a number stored as an address, which is never dereferenced; `read` gets room for a
        // byte.
        let number = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                let end = CInt(truncatingIfNeeded: UInt(bitPattern: argument))
                var byte: UInt8 = 0
                while true {
                    let count = unsafe read(end, &byte, 1)
                    if count == 1 { DumpThread.dump() }
                    // Android wants a result that is not nil.
                    guard count == 1 || errno == EINTR else { return unsafe argument }
                }
            },
            // The descriptor itself.
            UnsafeMutableRawPointer(bitPattern: UInt(end))
        )
        return number
    }
}
