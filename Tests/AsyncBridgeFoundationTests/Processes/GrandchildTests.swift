// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Coroutines
import Dispatch
import Foundation
import Synchronization
import Testing

/// Shells that leave processes alive, which hold a pipe that has not ended.
///
/// Each of those would end by itself after a while, so that a call which waits for them fails rather than hangs. Not
/// soon: beside all other tests a test may have to wait for a minute or two.
@Suite("Processes that leave processes behind", .timeLimit(.minutes(10)))
struct GrandchildTests {
    @Test(arguments: [0, 3])
    func `at the end, are not waited for`(_ status: Int32) async throws {
        let family = Family("sleep 1000 & exit \(status)")
        let end = try await family.process.runToEnd()
        #expect(end.reason == .exit && end.status == status)
        #expect(family.isAlive)
        await family.end()
    }

    @Test func `after a signal, are not waited for`() async throws {
        let family = Family("sleep 1000 & kill -9 $$")
        let end = try await family.process.runToEnd()
        #expect(end.reason == .uncaughtSignal && end.status == SIGKILL)
        #expect(family.isAlive)
        await family.end()
    }

    @Test(arguments: [(ProcessCancellation.terminate, "true"), (.kill, "true"), (.kill, "trap '' TERM")])
    func `after a cancellation, are not waited for`(_ policy: ProcessCancellation, _ command: String) async throws {
        let family = Family("\(command); sleep 1000 & echo; wait")
        let task = Task { try await family.process.runToEnd(cancellation: policy) }
        await family.saysSomething()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(family.isAlive)
        await family.end()
    }

    @Test func `a hundred at once are not waited for`() async throws {
        let families = (0..<StressScale.rounds(100)).map { Family("sleep 1000 & exit \($0 % 7)") }
        try await withThrowingTaskGroup { group in
            for (number, family) in families.enumerated() {
                group.addTask {
                    let end = try await family.process.runToEnd()
                    #expect(end.reason == .exit && Int(end.status) == number % 7)
                    #expect(family.isAlive)
                }
            }
            try await group.waitForAll()
        }
        for family in families { await family.end() }
    }

    #if !canImport(Darwin)
    @Test func `its own handler is called at their end`() async throws {
        let calls = Watched(0)
        let family = Family("sleep 1000 & exit 0")
        family.process.terminationHandler = { _ in calls.change { $0 += 1 } }
        let end = try await family.process.runToEnd()
        #expect(end.isSuccess && calls.value == 0)
        await family.end()
        await calls.wait { $0 == 1 }
        #expect(!family.process.isRunning)
    }

    /// Foundation waits for such a process, on the thread on which it notices the ends of all others.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
    func `a process that hides from foundation holds up no other`() async throws {
        let closes = "for file in /proc/$$/fd/*; do n=${file##*/}; ((n > 2)) && eval \"exec $n>&-\"; done"
        let family = Family("\(closes); echo; read line; exit 5", shell: "/bin/bash", readsInput: true)
        let task = Task { try await family.process.runToEnd() }
        await family.saysSomething()
        let other = try await Family("exit 3").process.runToEnd()
        #expect(other.reason == .exit && other.status == 3)
        try family.input.fileHandleForWriting.close()
        let end = try await task.value
        #expect(end.reason == .exit && end.status == 5)
    }

    @Test(arguments: ["exit 3", "kill -9 $$"])
    func `without descriptors, the end is seen all the same`(_ last: String) async throws {
        let family = Family("read line; sleep 1000 & \(last)", readsInput: true)
        try family.process.run()
        let child = ChildProcess(withoutDescriptor: family.process.processIdentifier)
        #expect(child.look() == .running)
        let ends = Watched<[ProcessEnd]>([])
        ProcessWatch { end in ends.change { $0.append(end) } }.look(at: child)
        try family.input.fileHandleForWriting.close()
        await ends.wait { !$0.isEmpty }
        #expect(family.isAlive)
        #expect(child.look() == ends.value.first.map { .ended($0) })
        #expect(ends.value.first?.status == (last == "exit 3" ? 3 : SIGKILL))
        await family.end()
        #expect(child.look() == .reaped)
        #expect(ends.value.count == 1)
    }

    /// Code that goes on inside the call that tells the end may keep that thread: other ends are seen on another one.
    @Test func `code that goes on at once holds up no other`() async throws {
        let (family, other) = (Family("sleep 1000 & exit 0"), Family("sleep 1000 & exit 3"))
        let isKept = Watched(false)
        let isTold = Atomic(false)
        let task = Task(executorPreference: RunningAtOnce()) {
            _ = try await family.process.runToEnd()
            isKept.change { $0 = true }
            while !isTold.load(ordering: .relaxed) { sched_yield() }
        }
        await isKept.wait { $0 }
        do {
            // Also if the time limit has ended the wait: then the test fails, and the thread comes back.
            defer { isTold.store(true, ordering: .relaxed) }
            let end = try await other.process.runToEnd()
            #expect(end.reason == .exit && end.status == 3)
        }
        try await task.value
        for family in [family, other] { await family.end() }
    }

    @Test func `ends are seen while dispatch is busy`() async {
        await #expect(processExitsWith: .success) {
            let executor = SchedulerTaskExecutor(DispatchQueue(label: "executor"))
            let wasBusy = try await Task(executorPreference: executor) {
                let busy = BusyPool(of: .blocks)
                let (family, other) = (Family("sleep 1000 & exit 3"), Family("sleep 1000 & exit 5"))
                let end = try await family.process.runToEnd()
                precondition(end.reason == .exit && end.status == 3)
                // Without a descriptor; Foundation does not tell, since its handler is not set.
                try other.process.run()
                let child = ChildProcess(withoutDescriptor: other.process.processIdentifier)
                let ends = Watched<[ProcessEnd]>([])
                ProcessWatch { end in ends.change { $0.append(end) } }.look(at: child)
                await ends.wait { !$0.isEmpty }
                precondition(ends.value.first == ProcessEnd(reason: .exit, status: 5))
                let wasBusy = busy.stop()
                for family in [family, other] { await family.end() }
                return wasBusy
            }.value
            precondition(wasBusy)
        }
    }

    @Test func `a watch is released at the end`() async throws {
        let family = Family("read line; sleep 1000 & exit 0", readsInput: true)
        try family.process.run()
        weak var released: ProcessWatch?
        let isTold = Watched(false)
        do {
            let watch = ProcessWatch { _ in isTold.change { $0 = true } }
            released = watch
            watch.look(at: ChildProcess(family.process.processIdentifier))
        }
        #expect(released != nil)
        try family.input.fileHandleForWriting.close()
        await isTold.wait { $0 }
        await until { released == nil }
        await family.end()
    }
    #endif

    @Test func `a process that closes its output is waited for`() async throws {
        let family = Family("exec >&- 2>&-; read line; exit 5", readsInput: true)
        let task = Task { try await family.process.runToEnd() }
        await until { family.process.isRunning && !family.isAlive }
        #expect(family.process.isRunning)
        try family.input.fileHandleForWriting.close()
        let end = try await task.value
        #expect(end.reason == .exit && end.status == 5)
    }
}

/// A shell and the processes that it starts, all of which write to one pipe.
private final class Family: @unchecked Sendable {
    // Safe: each is used by one thread at a time, or may be used by any.
    let process = Process()
    let input = Pipe()
    private let output = Pipe()

    init(_ script: String, shell: String = "/bin/sh", readsInput: Bool = false) {
        self.process.executableURL = URL(fileURLWithPath: shell)
        self.process.arguments = ["-c", script]
        self.process.standardOutput = self.output
        if readsInput { self.process.standardInput = self.input }
        let number = self.output.fileHandleForReading.fileDescriptor
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    /// Whether one of them is alive, and has not closed its output.
    var isAlive: Bool { self.read() < 0 }

    func saysSomething() async { await until { self.read() > 0 } }

    /// Ends what is left of them, so that Foundation reaps the shell, which is the head of a group of its own.
    func end() async {
        let number = self.process.processIdentifier
        if kill(number, 0) == 0 { kill(-number, SIGKILL) }
        await until { kill(number, 0) != 0 }
    }

    /// - Returns: The number of bytes; 0 at the end; less if there are none yet.
    private func read() -> Int {
        var byte: UInt8 = 0
        #if canImport(Darwin)
        return Darwin.read(self.output.fileHandleForReading.fileDescriptor, &byte, 1)
        #else
        return Glibc.read(self.output.fileHandleForReading.fileDescriptor, &byte, 1)
        #endif
    }
}
