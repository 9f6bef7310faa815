// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation
import Testing

#if os(Linux) && !THREAD_SANITIZER

/// What can be seen of the thread of the timers, in a process of its own.
@Suite("The thread of the timers", .timeLimit(.minutes(10)))
struct TimerThreadExitTests {
    /// The threads of this process with that name, by their numbers.
    @Sendable
    static func threads() -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return all.filter { Self.read("/proc/self/task/\($0)/comm") == "bridge-timers\n" }
    }

    @Sendable
    static func read(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Sendable
    static func pass(_ duration: Duration, on timers: Timers) async {
        await withCheckedContinuation { continuation in
            _ = TimedAction(after: duration, on: timers, runsOthersCode: false) { continuation.resume() }
        }
    }

    @Test func `is started by the first timer, has a name, and blocks signals`() async {
        await #expect(processExitsWith: .success) {
            _ = Timers.continuous.count
            try await withCallback(of: Void.self, timeout: .seconds(1000)) { $0.resume(returning: ()) }
            #expect(Self.threads().isEmpty)
            await Self.pass(.microseconds(1), on: .continuous)
            await Self.pass(.microseconds(1), on: .suspending)
            let threads = Self.threads()
            #expect(threads.count == 1)
            let status = Self.read("/proc/self/task/\(threads.first ?? "")/status") ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
            let mask = UInt64(line?.split(separator: "\t").last ?? "", radix: 16) ?? 0
            let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT]
            for signal in 1...31 where ![SIGKILL, SIGSTOP].contains(Int32(signal)) {
                #expect((mask >> (signal - 1)) & 1 == (faults.contains(Int32(signal)) ? 0 : 1), "signal \(signal)")
            }
        }
    }

    /// At most one thread more, however often others' code ran on it.
    @Test func `has one spare`() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<200 {
                await withCheckedContinuation { continuation in
                    _ = TimedAction(after: .microseconds(1), on: .continuous, runsOthersCode: true) {
                        continuation.resume()
                    }
                }
            }
            while Self.threads().count > 2 { await Task.yield() }
        }
    }

    /// A deadline of years ago is before the beginning of the clock.
    ///
    /// The kernel refuses such a time, and the alarm would seem to be set for one that is earlier than all others.
    @Test func `rings for a time before the machine was started`() async {
        await #expect(processExitsWith: .success) {
            // Ends the process if nothing rings.
            alarm(60)
            for timers in [Timers.continuous, .suspending] {
                await Self.pass(.seconds(-1_000_000_000), on: timers)
                await Self.pass(.nanoseconds(-1) - timers.now, on: timers)
                await Self.pass(.microseconds(1), on: timers)
            }
        }
    }

    /// A child process has only the thread that forked it.
    @Test func `is started anew in a child process`() async {
        await #expect(processExitsWith: .success) {
            // An alarm that the child does not have, and that would be early enough for its timer.
            await Self.pass(.microseconds(1), on: .continuous)
            let early = TimedAction(after: .milliseconds(100), on: .continuous, runsOthersCode: false) {}
            let fork = unsafe dlsym(nil, "fork").map { unsafe unsafeBitCast($0, to: (@convention(c) () -> Int32).self) }
            guard let fork else { fatalError("there is no fork") }
            let child = fork()
            if child == 0 {
                alarm(60)
                _ = TimedAction(after: .milliseconds(150), on: .continuous, runsOthersCode: false) { _exit(7) }
                while true { pause() }
            }
            var status: Int32 = 0
            while unsafe waitpid(child, &status, 0) != child {}
            #expect(status == 7 << 8)
            // The parent's are its own still.
            await Self.pass(.milliseconds(1), on: .continuous)
            early.cancel()
        }
    }

    /// The files that the thread needs may be missing for a while.
    @Test func `does without files`() async {
        await #expect(processExitsWith: .success) {
            // Dispatch, which runs tasks, ends the process if it begins without files.
            try await Task.sleep(for: .milliseconds(1))
            var files: [Int32] = []
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            while case let file = open("/dev/null", O_RDONLY), file >= 0 { files.append(file) }
            await Self.pass(.milliseconds(1), on: .continuous)
            await Self.pass(.milliseconds(1), on: .suspending)
            for file in files { close(file) }
            for _ in 0..<20 { await Self.pass(.microseconds(100), on: .continuous) }
        }
    }

    /// The thread may be at work when the process ends.
    @Test func `does not disturb the end of the process`() async {
        for _ in 0..<5 {
            await #expect(processExitsWith: .success) {
                for number in 0..<10_000 {
                    _ = TimedAction(after: .microseconds(number), on: .continuous, runsOthersCode: number % 7 == 0) {}
                }
                exit(0)
            }
        }
    }
}

#endif
