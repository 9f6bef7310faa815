// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Coroutines
import Foundation
import Synchronization

/// What it costs to have many things suspended at once: memory, and time to start and end one.
///
/// Each figure comes from a process of its own, which begins with nothing.
enum SuspendedBenchmarks {
    static let title = "Suspended at once"

    /// What is suspended.
    enum Kind: String, CaseIterable {
        case coroutine = "coroutine, 256 KiB reserved"
        case smallCoroutine = "coroutine, 64 KiB reserved"
        case waitingCoroutine = "coroutine, 64 KiB, waits for a callback"
        case taskWithCoroutine = "task with a coroutine, 64 KiB, waits for a callback"
        case task = "task, waits for a continuation"
        case goroutine = "goroutine, waits for a channel"
    }

    // MARK: The table

    static func printTable() throws {
        print("\n\(self.title)\n")
        print("| | how many | resident bytes each | page tables, bytes each | ns to start one | ns to end one |")
        print("|---|---|---|---|---|---|")
        for kind in Kind.allCases {
            for count in [1_000, 10_000, 100_000, 1_000_000] {
                guard let figures = try self.figures(of: kind, count) else { continue }
                print("| \(kind.rawValue) | \(count) | \(figures.joined(separator: " | ")) |")
            }
        }
    }

    private static func figures(of kind: Kind, _ count: Int) throws -> [String]? {
        let process = Process()
        if kind == .goroutine {
            // Set by Scripts/bench if there is a Go compiler.
            guard let program = ProcessInfo.processInfo.environment["BRIDGE_GOROUTINES"] else { return nil }
            process.executableURL = URL(filePath: program)
            process.arguments = ["\(count)"]
        } else {
            process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["--suspend", kind.rawValue, "\(count)"]
        }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        precondition(process.terminationStatus == 0, "\(kind.rawValue), \(count): the process failed")
        return text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    // MARK: One process

    /// Suspends so many, and prints the figures.
    static func suspend(_ kind: Kind, _ count: Int) async throws {
        let crowd: any Crowd =
            switch kind {
            case .coroutine: YieldingCoroutines(.standard)
            case .smallCoroutine: YieldingCoroutines(StackSize(kibibytes: 64))
            case .waitingCoroutine: Waiting.coroutines()
            case .taskWithCoroutine: Waiting.tasksWithCoroutines()
            case .task: Waiting.tasks()
            case .goroutine: preconditionFailure("Goroutines have a program of their own")
            }
        // What the runtime makes once.
        try await crowd.start(1)
        try await crowd.end(1)
        let clock = ContinuousClock()
        let before = Memory.now
        let started = try await clock.measure { try await crowd.start(count) }
        let after = Memory.now
        let ended = try await clock.measure { try await crowd.end(count) }
        print(
            (after.resident - before.resident) / count,
            (after.tables - before.tables) / count,
            Int(started / .nanoseconds(count)),
            Int(ended / .nanoseconds(count))
        )
    }

    /// In bytes.
    private struct Memory {
        let resident: Int
        let tables: Int

        static var now: Memory {
            Memory(
                // Exact, unlike VmRSS.
                resident: self.kibibytes("/proc/self/smaps_rollup", "Rss:") << 10,
                tables: self.kibibytes("/proc/self/status", "VmPTE:") << 10
            )
        }

        private static func kibibytes(_ file: String, _ key: String) -> Int {
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
            guard let number = line?.split(separator: " ").dropFirst().first, let value = Int(number) else {
                preconditionFailure("\(file) has no \(key)")
            }
            return value
        }
    }
}

/// Things that are suspended, all of a kind.
private protocol Crowd {
    /// Returns when so many are suspended.
    func start(_ count: Int) async throws

    /// Returns when all have ended.
    func end(_ count: Int) async throws
}

/// A queue whose owner runs what is in it: nothing but memory and switches is measured.
private final class WorkList: CoroutineScheduler, Sendable {
    /// A closure that is stored as it is: as an element of an array it would get a box of its own.
    private struct Work {
        let run: @Sendable () -> Void
    }

    private let work = Mutex<[Work]>([])

    func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.work.withLock { $0.append(Work(run: task)) } }

    /// Runs what came last.
    func runNewest() { self.work.withLock { $0.popLast() }?.run() }

    /// Runs what is there now.
    func runOnce() {
        let work = self.work.withLock { work in
            defer { work = [] }
            return work
        }
        for work in work { work.run() }
    }
}

private struct YieldingCoroutines: Crowd {
    private let list = WorkList()
    private let stackSize: StackSize

    init(_ stackSize: StackSize) { self.stackSize = stackSize }

    func start(_ count: Int) {
        for _ in 0..<count {
            self.list.startCoroutine(stackSize: self.stackSize) { try Coroutine.yield() }
            self.list.runNewest()
        }
    }

    func end(_ count: Int) { self.list.runOnce() }
}

/// Callbacks that are called when all is to end.
private final class Waiters: Sendable {
    private struct State {
        var callbacks: [@Sendable () -> Void] = []
        var ended = 0
    }

    private let state = Mutex(State())

    func wait(_ callback: @escaping @Sendable () -> Void) { self.state.withLock { $0.callbacks.append(callback) } }

    func end() { self.state.withLock { $0.ended += 1 } }

    func haveCome(_ count: Int) async {
        while self.state.withLock({ $0.callbacks.count }) < count { await Task.yield() }
    }

    func letGo(_ count: Int) async {
        let callbacks = self.state.withLock { state in
            state.ended = 0
            defer { state.callbacks = [] }
            return state.callbacks
        }
        for callback in callbacks { callback() }
        while self.state.withLock({ $0.ended }) < count { await Task.yield() }
    }
}

/// Things that wait for a callback.
private struct Waiting: Crowd {
    private let waiters = Waiters()
    private let startOne: (Waiters) -> Void

    init(_ startOne: @escaping (Waiters) -> Void) { self.startOne = startOne }

    func start(_ count: Int) async {
        for _ in 0..<count { self.startOne(self.waiters) }
        await self.waiters.haveCome(count)
    }

    func end(_ count: Int) async { await self.waiters.letGo(count) }

    static func coroutines() -> Waiting {
        Waiting { waiters in
            ImmediateScheduler().startCoroutine(stackSize: StackSize(kibibytes: 64)) {
                try Coroutine.await { waiters.wait($0) }
                waiters.end()
            }
        }
    }

    static func tasksWithCoroutines() -> Waiting {
        Waiting { waiters in
            Task {
                try await withCoroutine(stackSize: StackSize(kibibytes: 64)) {
                    try Coroutine.await { waiters.wait($0) }
                }
                waiters.end()
            }
        }
    }

    static func tasks() -> Waiting {
        Waiting { waiters in
            Task {
                await withUnsafeContinuation { continuation in waiters.wait { continuation.resume() } }
                waiters.end()
            }
        }
    }
}
