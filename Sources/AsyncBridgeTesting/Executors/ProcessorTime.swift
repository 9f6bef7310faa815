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

/// How long processors have worked.
enum ProcessorTime {
    /// For this thread.
    static var ofThread: Duration { self.read(CLOCK_THREAD_CPUTIME_ID) }

    /// For all threads of this process.
    static var ofProcess: Duration { self.read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        // Safe: the clocks exist on each system here, and the call writes to `time` and nowhere else.
        let result = unsafe clock_gettime(clock, &time)
        precondition(result == 0, "The system could not tell how long processors have worked")
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
