// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How many connections a server holds at once; more wait until one has ended.
///
/// Each takes a descriptor, of which a process has few. A flood that takes all of them ends the process: Dispatch opens
/// a file when a thread begins, and traps if it cannot.
public enum ConnectionLimit {
    /// The limit for this process.
    ///
    /// - Parameter wanted: How many the server is to hold at most.
    /// - Returns: So many, or what the process's descriptors allow.
    public static func ofProcess(atMost wanted: Int) -> Int {
        self.connections(atMost: wanted, descriptors: sysconf(Int32(_SC_OPEN_MAX)))
    }

    /// The limit for a process with so many descriptors, which is negative if there is no limit.
    ///
    /// 64 are left for files, event loops and libraries.
    public static func connections(atMost wanted: Int, descriptors: Int) -> Int {
        descriptors < 0 ? wanted : max(1, min(wanted, descriptors - 64))
    }
}
