// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Coroutines
import Foundation

/// Coroutine futures, started and joined, all of them alive at once.
enum JoinTable {
    static let title = "Coroutine futures, started and joined"

    static func print() async throws {
        Swift.print("\n\(self.title)\n")
        Swift.print("| how many | ns to start one | ns to join one |")
        Swift.print("|---|---|---|")
        let scheduler = SerialScheduler()
        for count in [1_000, 10_000, 100_000, 1_000_000] {
            let clock = ContinuousClock()
            let gate = CoPromise<Int>()
            var futures: [CoFuture<Int>] = []
            let started = try await clock.measure {
                for number in 0..<count {
                    futures.append(scheduler.coroutineFuture { try gate.await() &+ number })
                }
                // After all of them have begun to wait.
                try await scheduler.coroutineFuture {}.value
            }
            let joined = try await clock.measure {
                gate.success(1)
                for future in futures { keep(try await future.value) }
            }
            Swift.print("| \(count) | \(Int(started / .nanoseconds(count))) | \(Int(joined / .nanoseconds(count))) |")
        }
    }
}

/// Bytes of the heap for things that are many.
enum MemoryTable {
    static let title = "Memory"

    static func print() {
        Swift.print("\n\(self.title)\n")
        Swift.print("| | bytes each |")
        Swift.print("|---|---|")
        self.row("pending promise") { CoPromise<Int>() }
        self.row("pending promise with an observer") {
            let promise = CoPromise<Int>()
            promise.whenSuccess { keep($0) }
            return promise
        }
        self.row("pending promise and a mapped future") {
            let promise = CoPromise<Int>()
            return [promise, promise.map { $0 + 1 }] as [AnyObject]
        }
        self.row("empty channel") { CoChannel<Int>() }
        self.row("empty channel without a buffer") { CoChannel<Int>(bufferType: .none) }
        self.row("semaphore") { CoSemaphore(permits: 1) }
    }

    private static func row(_ name: String, _ make: () -> Any) {
        let count = 100_000
        var all: [Any] = []
        all.reserveCapacity(count)
        let before = BenchmarkRun.heapBytes
        for _ in 0..<count { all.append(make()) }
        let after = BenchmarkRun.heapBytes
        keep(all)
        Swift.print("| \(name) | \((after - before) / count) |")
    }
}

/// What Go needs for the same, if there is a Go compiler.
enum GoTable {
    static let title = "Goroutines and channels"

    static func print() throws {
        // Set by Scripts/bench.
        guard let program = ProcessInfo.processInfo.environment["BRIDGE_GO_CHANNELS"] else { return }
        let process = Process()
        process.executableURL = URL(filePath: program)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        Swift.print("\n\(self.title)\n")
        Swift.print("| | ns best |")
        Swift.print("|---|---|")
        for line in text.split(separator: "\n") {
            Swift.print("| \(line.replacingOccurrences(of: "|", with: " | ")) |")
        }
    }
}
