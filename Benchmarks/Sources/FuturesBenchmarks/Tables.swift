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
        self.row("empty channel without a buffer") { CoChannel<Int>(buffering: .rendezvous) }
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
        guard let figures = try self.figures() else { return }
        Swift.print("\n\(self.title)\n")
        Swift.print("| | ns best |")
        Swift.print("|---|---|")
        for (name, nanoseconds) in figures { Swift.print("| \(name) | \(nanoseconds) |") }
    }

    /// What Go's program has measured: a name and nanoseconds each.
    static func figures() throws -> [(name: String, nanoseconds: Double)]? {
        // Set by Scripts/bench.
        guard let program = ProcessInfo.processInfo.environment["BRIDGE_GO_CHANNELS"] else { return nil }
        let process = Process()
        process.executableURL = URL(filePath: program)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "|")
            guard parts.count == 2, let nanoseconds = Double(parts[1]) else { return nil }
            return (String(parts[0]), nanoseconds)
        }
    }
}

/// `select` beside Go's, if there is a Go compiler: best of seven rounds each, one process after the other.
enum SelectTable {
    static let title = "select beside Go's"

    static func print() async throws {
        guard let figures = try GoTable.figures() else { return }
        Swift.print("\n\(self.title)\n")
        Swift.print("| channels | | ns | Go, ns | ratio | goal |")
        Swift.print("|---|---|---|---|---|---|")
        for count in SelectContests.counts {
            let rows: [(name: String, peer: String, goal: Double, body: (Int) async throws -> Void)] = [
                ("an element is there", "an element is there", 2, { try await SelectContests.ready(count, $0) }),
                (
                    "coroutines of one scheduler", "another goroutine sends", 3,
                    { try await SelectContests.waiting(count, $0) }
                ),
            ]
            for row in rows {
                let name = "reflect.Select over \(count) channels, \(row.peer)"
                guard let peer = figures.first(where: { $0.name == name })?.nanoseconds else { continue }
                var best = Double.infinity
                for _ in 0..<7 {
                    let taken = try await ContinuousClock().measure { try await row.body(10_000) }
                    best = min(best, taken / .nanoseconds(10_000))
                }
                let ratio = (best / peer * 100).rounded() / 100
                Swift.print("| \(count) | \(row.name) | \(Int(best)) | \(Int(peer)) | \(ratio) | \(row.goal) |")
            }
        }
    }
}
