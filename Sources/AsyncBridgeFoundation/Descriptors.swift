// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

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
}
