// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Foundation
import Testing

@Suite("Processes", .timeLimit(.minutes(10)))
struct ProcessTests {
    private static func shell(_ script: String) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        return process
    }

    /// Whether the system still knows a child of ours: alive, or a zombie.
    private static func isKnown(_ process: Process) -> Bool { kill(process.processIdentifier, 0) == 0 }

    @Test(arguments: [0, 3])
    func `exit status`(_ status: Int32) async throws {
        let process = Self.shell("exit \(status)")
        let end = try await process.runToEnd()
        #expect(end.reason == .exit && end.status == status && end.isSuccess == (status == 0))
        // Foundation is given time to notice, not more.
        await until { !Self.isKnown(process) }
    }

    @Test func `a signal`() async throws {
        let end = try await Self.shell("kill -9 $$").runToEnd()
        #expect(end.reason == .uncaughtSignal && end.status == SIGKILL)
    }

    @Test func `what cannot be started`() async {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/no/such/program")
        await #expect(throws: CocoaError.self) { try await process.runToEnd() }
    }

    @Test func `what could not be started can be mended`() async throws {
        let process = Self.shell("exit 3")
        process.executableURL = URL(fileURLWithPath: "/no/such/program")
        let calls = Watched(0)
        process.terminationHandler = { _ in calls.change { $0 += 1 } }
        await #expect(throws: CocoaError.self) { try await process.runToEnd() }
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        #expect(try await process.runToEnd().status == 3)
        await calls.wait { $0 > 0 }
        #expect(calls.value == 1)
    }

    @Test func `its own handler is called once`() async throws {
        let calls = Watched(0)
        let process = Self.shell("exit 0")
        process.terminationHandler = { _ in calls.change { $0 += 1 } }
        _ = try await process.runToEnd()
        await calls.wait { $0 > 0 }
        #expect(calls.value == 1)
    }

    @Test(arguments: [ProcessCancellation.terminate, .kill])
    func `cancelled, the process ends, and leaves no zombie`(_ policy: ProcessCancellation) async throws {
        let process = Self.shell("exec sleep 1000")
        let task = Task { try await process.runToEnd(cancellation: policy) }
        await until { process.isRunning }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await until { !process.isRunning && !Self.isKnown(process) }
    }

    @Test func `left, the process goes on, and is reaped later`() async throws {
        let process = Self.shell("read line")
        let input = Pipe()
        process.standardInput = input
        let task = Task { try await process.runToEnd(cancellation: .leave) }
        await until { process.isRunning }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(process.isRunning)
        try input.fileHandleForWriting.close()
        await until { !Self.isKnown(process) }
    }

    @Test func `in a cancelled task, nothing is started`() async {
        let process = Self.shell("exit 0")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await process.runToEnd()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(process.processIdentifier == 0)
    }

    @Test func `a hundred cancelled at random leave no zombie`() async throws {
        var processes: [Process] = []
        for round in 0..<StressScale.rounds(100) {
            let process = Self.shell("exit 0")
            let task = Task { try await process.runToEnd(cancellation: round % 2 == 0 ? .terminate : .kill) }
            for _ in 0..<Int.random(in: 0...round) { await Task.yield() }
            task.cancel()
            do {
                #expect(try await task.value.isSuccess)
                processes.append(process)
            } catch {
                #expect(error is CancellationError)
            }
        }
        await until { processes.allSatisfy { !Self.isKnown($0) } }
    }
}
