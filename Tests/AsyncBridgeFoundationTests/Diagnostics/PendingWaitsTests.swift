// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import Foundation
import Testing

/// The list says which function was called, and not on which one that is built.
@Suite("Pending waits for Foundation", .timeLimit(.minutes(10)))
struct PendingWaitsTests {
    init() { BridgeDiagnostics.tracksPendingWaits = true }

    /// Calls something that waits, and returns the name that its wait has in the list.
    private func nameInList(
        line: UInt = #line,
        _ call: @escaping @Sendable (_ line: UInt) async throws -> Void
    ) async -> String? {
        let name = Watched<String?>(nil)
        let task = Task { try await call(line) }
        await until {
            let wait = BridgeDiagnostics.pendingWaits.first { $0.made.line == line && $0.made.fileID == #fileID }
            name.change { $0 = wait?.bridge }
            return wait != nil
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        return name.value
    }

    @Test func `a closure for an operation queue`() async {
        let queue = OperationQueue()
        queue.isSuspended = true
        #expect(await self.nameInList { try await queue.run(line: $0) {} } == "OperationQueue.run")
    }

    @Test func `a closure for a run loop`() async {
        let thread = LoopThread()
        let gate = Gate()
        thread.loop.perform { gate.wait() }
        #expect(await self.nameInList { try await thread.loop.run(line: $0) {} } == "RunLoop.run")
        gate.open()
        thread.stop()
    }

    @Test func `a process`() async {
        let name = await self.nameInList { line in
            let process = Process()
            process.executableURL = URL(filePath: "/bin/cat")
            process.standardInput = Pipe()
            _ = try await process.runToEnd(line: line)
        }
        #expect(name == "Process.runToEnd")
    }
}
