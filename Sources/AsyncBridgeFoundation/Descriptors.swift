// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CProcesses
import Foundation

/// Descriptors of our own, for Dispatch to watch.
enum Descriptors {
    /// Duplicates a descriptor.
    ///
    /// - Returns: The duplicate, or -1 with `errno`.
    static func duplicate(_ descriptor: Int32) -> Int32 {
        #if !canImport(Darwin)
        // A number that connections do not get: Foundation on Linux closes connections that Dispatch still watches, and
        // a descriptor that gets such a number meanwhile is never told of anything.
        let high = fcntl(descriptor, F_DUPFD_CLOEXEC, 512)
        if high >= 0 { return high }
        #endif
        return fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    }

    /// Replaces a descriptor by a duplicate.
    ///
    /// - Returns: The duplicate; the descriptor itself if there are too many.
    static func moveAway(_ descriptor: Int32) -> Int32 {
        let duplicate = Self.duplicate(descriptor)
        guard duplicate >= 0 else { return descriptor }
        close(descriptor)
        return duplicate
    }

    /// Opens a descriptor for Dispatch to watch instead of another one.
    ///
    /// On Linux, Dispatch tells of a hang-up at most once, and then forgets the descriptor, whatever is left to read. A
    /// hang-up that comes while a source is suspended or begins to watch again may be lost as well. This descriptor
    /// never hangs up; it can be read as long as the other one can.
    ///
    /// Files, folders, and devices such as `/dev/null`, never let a reader wait. Dispatch on Linux is silent about the
    /// latter two, and about a file if the process may open no more descriptors. So for these it can always be read.
    ///
    /// - Returns: The descriptor; `nil` on Apple's systems, where Dispatch can watch the other one itself.
    /// - Throws: What the system says if it opens no more descriptors.
    static func watching(_ descriptor: Int32) throws(POSIXError) -> Int32? {
        let watch = cprocesses_watch_readable(descriptor)
        if watch >= 0 { return Self.moveAway(watch) }
        switch errno {
        case ENOSYS: return nil
        case let number: throw POSIXError(POSIXErrorCode(rawValue: number) ?? .EMFILE)
        }
    }

    /// How many bytes a descriptor has to read, if it can tell: a listening socket cannot.
    static func bytesToRead(_ descriptor: Int32) -> Int? {
        #if canImport(Darwin)
        // Dispatch tells itself; and Swift does not see the name of the request.
        return nil
        #else
        var count: Int32 = 0
        // Safe: the system writes one `int` there, during the call.
        guard unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 else { return nil }
        // Of a large file it gives the lowest 32 bits.
        return count < 0 ? nil : Int(count)
        #endif
    }
}
